package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.preflight.Finding;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.preflight.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a line of a preflight is about: side, stage and address, topic or group. */
record PreflightSpot(ClientRole side, Stage stage, String subject) {

    static final List<ClientRole> HERMES =
            List.of(ClientRole.HERMES_PRODUCER, ClientRole.HERMES_A, ClientRole.HERMES_B);

    static PreflightSpot spot(ClientRole side, Stage stage, String subject) {
        return new PreflightSpot(side, stage, subject);
    }

    /** What failed. Every line that fails or warns has a mend, and no other. */
    static List<PreflightSpot> reds(PreflightReport report) {
        return with(report, Outcome.FAIL);
    }

    /** Where one of the outcomes was found, in the report's order. */
    static List<PreflightSpot> with(PreflightReport report, Outcome... outcomes) {
        for (Finding finding : report.findings()) {
            assertThat(finding.mend() == null)
                    .as("%s", finding)
                    .isEqualTo(
                            finding.outcome() == Outcome.OK
                                    || finding.outcome() == Outcome.SKIPPED);
        }
        return report.findings().stream()
                .filter(finding -> Arrays.asList(outcomes).contains(finding.outcome()))
                .map(each -> spot(each.role(), each.stage(), each.subject()))
                .toList();
    }

    Finding in(PreflightReport report) {
        return report.findings().stream()
                .filter(each -> equals(spot(each.role(), each.stage(), each.subject())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(this + " in " + report.findings()));
    }

    static String address(Sandbox sandbox, ClientRole side, int index) {
        int shift =
                switch (side) {
                    case HERMES_PRODUCER, CUSTOMER -> 0;
                    case HERMES_A -> 100;
                    case HERMES_B -> 200;
                };
        return "localhost:" + (sandbox.basePort() + shift + index);
    }

    /** The four bootstrap addresses of each side. */
    static List<PreflightSpot> eachAddress(Sandbox sandbox, Stage stage, List<ClientRole> sides) {
        List<PreflightSpot> spots = new ArrayList<>();
        for (ClientRole side : sides) {
            for (int index = 0; index < 4; index++) {
                spots.add(spot(side, stage, address(sandbox, side, index)));
            }
        }
        return spots;
    }
}
