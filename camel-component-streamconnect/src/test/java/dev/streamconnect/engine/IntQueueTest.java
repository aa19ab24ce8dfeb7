package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A queue of numbers")
class IntQueueTest {

    @Test
    @DisplayName("gives them back in their order, also when it has grown around its end")
    void order() {
        Random random = new Random(7);
        IntQueue queue = new IntQueue();
        ArrayDeque<Integer> expected = new ArrayDeque<>();
        for (int round = 0; round < 200; round++) {
            for (int i = random.nextInt(600); i > 0; i--) {
                int number = random.nextInt();
                queue.add(number);
                expected.add(number);
            }
            int index = 0;
            for (int number : expected) {
                assertThat(queue.get(index++)).isEqualTo(number);
            }
            for (int i = random.nextInt(expected.size() + 1); i > 0; i--) {
                assertThat(queue.poll()).isEqualTo(expected.poll());
            }
            if (round % 50 == 49) {
                queue.clear();
                expected.clear();
            }
        }
    }
}
