package dev.streamconnect.sandbox.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.sandbox.broker.ClusterName;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicActionsTest {

    private static List<ClusterName> grown(String query) {
        Parameters parameters =
                Parameters.parse(query, Set.of("partitions", "partitionsA", "partitionsB"));
        return Arrays.stream(ClusterName.values())
                .filter(side -> TopicActions.hasNumber(parameters, side))
                .toList();
    }

    @Test
    @DisplayName("only the side that has a number grows")
    void oneSide() {
        assertThat(grown("partitionsA=6")).containsExactly(ClusterName.A);
        assertThat(grown("partitionsA=6&partitionsB=4"))
                .containsExactlyInAnyOrder(ClusterName.A, ClusterName.B);
        assertThat(grown("partitions=6")).containsExactlyInAnyOrder(ClusterName.values());
        assertThat(grown("")).isEmpty();
    }
}
