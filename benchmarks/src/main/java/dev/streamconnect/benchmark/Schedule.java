package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Who runs when: each repetition has all contenders once, in an order of its own. */
final class Schedule {

    /**
     * @param repetition from 0
     */
    record Turn(ContenderKind contender, int repetition) {}

    private Schedule() {}

    /**
     * @param seed the same seed, the same order
     */
    static List<Turn> of(List<ContenderKind> contenders, int repetitions, long seed) {
        Random random = new Random(seed);
        List<Turn> turns = new ArrayList<>();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            List<ContenderKind> shuffled = new ArrayList<>(contenders);
            Collections.shuffle(shuffled, random);
            for (ContenderKind contender : shuffled) {
                turns.add(new Turn(contender, repetition));
            }
        }
        return turns;
    }
}
