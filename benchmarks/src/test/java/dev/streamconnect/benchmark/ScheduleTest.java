package dev.streamconnect.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.streamconnect.benchmark.contender.ContenderKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The order of runs")
class ScheduleTest {

    private static final List<ContenderKind> ALL = List.of(ContenderKind.values());

    @Test
    @DisplayName("has each contender once in each repetition, in an order of its own")
    void order() {
        List<Schedule.Turn> turns = Schedule.of(ALL, 5, 1);
        List<List<ContenderKind>> orders =
                IntStream.range(0, 5)
                        .mapToObj(
                                repetition ->
                                        turns.stream()
                                                .filter(turn -> turn.repetition() == repetition)
                                                .map(Schedule.Turn::contender)
                                                .toList())
                        .toList();
        assertThat(orders)
                .allSatisfy(order -> assertThat(order).containsExactlyInAnyOrderElementsOf(ALL))
                .doesNotHaveDuplicates();
        assertThat(Schedule.of(ALL, 5, 1)).isEqualTo(turns);
    }

    @Test
    @DisplayName("is asked for by names of workloads and of groups")
    void workloads() {
        assertThat(Workloads.of(List.of("1MB", "growth")))
                .extracting(Workload::name)
                .contains("1MB", "replications-500")
                .doesNotContain("512B");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.of(List.of("512")))
                .withMessageContaining("[512]")
                .withMessageContaining("512B-mtls");
    }

    @Test
    @DisplayName("knows each workload by one name")
    void names() {
        assertThat(Workloads.all()).extracting(Workload::name).doesNotHaveDuplicates();
    }
}
