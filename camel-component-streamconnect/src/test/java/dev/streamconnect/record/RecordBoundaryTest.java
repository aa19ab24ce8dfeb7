package dev.streamconnect.record;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RecordBoundaryTest {

    private final JavaClasses classes =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(
                            "dev.streamconnect.record",
                            "dev.streamconnect.command",
                            "dev.streamconnect.cluster");

    @Test
    void recordsAndCommandsKnowNeitherCamelNorKafka() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.streamconnect.record..", "dev.streamconnect.command..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.camel..", "org.apache.kafka..")
                .check(classes);
    }

    @Test
    void theClusterPackageDoesNotKnowRecordsOrCamel() {
        noClasses()
                .that()
                .resideInAPackage("dev.streamconnect.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.camel..",
                        "dev.streamconnect.record..",
                        "dev.streamconnect.command..")
                .check(classes);
    }

    @Test
    void onlyTheCommandKnowsPicocli() {
        noClasses()
                .that()
                .resideInAPackage("dev.streamconnect.record")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(classes);
    }
}
