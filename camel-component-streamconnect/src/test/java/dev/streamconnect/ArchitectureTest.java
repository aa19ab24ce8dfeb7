package dev.streamconnect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The core does not know Camel, and its packages depend on each other in one direction. */
@AnalyzeClasses(
        packages = "dev.streamconnect",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String CAMEL = "org.apache.camel..";

    @ArchTest
    static final ArchRule the_core_does_not_know_camel =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.streamconnect.access..",
                            "dev.streamconnect.record..",
                            "dev.streamconnect.spi..",
                            "dev.streamconnect.engine..",
                            "dev.streamconnect.cluster..",
                            "dev.streamconnect.undelivered..",
                            "dev.streamconnect.metrics..",
                            "dev.streamconnect.preflight..",
                            "dev.streamconnect.servicenow..",
                            "dev.streamconnect.certificate..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(CAMEL, "dev.streamconnect.camel..");

    @ArchTest
    static final ArchRule only_certificate_knows_bouncy_castle =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.streamconnect.certificate..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.bouncycastle..");

    @ArchTest
    static final ArchRule nothing_below_uses_the_engine =
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.streamconnect.record..", "dev.streamconnect.cluster..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.streamconnect.engine..");

    @ArchTest
    static final ArchRule core_packages_make_no_cycle =
            slices().matching("dev.streamconnect.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_schemes_make_no_cycle =
            slices().matching("dev.streamconnect.camel.(*)..").should().beFreeOfCycles();
}
