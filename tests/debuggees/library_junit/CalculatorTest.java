// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A test class for JUnit's console launcher. */
class CalculatorTest {
    private int calls;

    private int add(int a, int b) {
        calls++;
        return a + b; // @add
    }

    @Test
    void adds() {
        int sum = add(2, 3);
        assertEquals(5, sum); // @assert
        assertEquals(5, sum); // @again
    }
}
