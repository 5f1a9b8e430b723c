// SPDX-License-Identifier: Apache-2.0

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;

/** A class that is there twice: under its name, and as a hidden class; and the code of a lambda. */
public final class HiddenCode {
    public static final class Part implements IntUnaryOperator {
        @Override
        public int applyAsInt(int i) {
            return i + 1; // @part
        }
    }

    private static IntUnaryOperator hidden() throws Exception {
        try (InputStream file = HiddenCode.class.getResourceAsStream("HiddenCode$Part.class")) {
            Class<?> made = MethodHandles.lookup().defineHiddenClass(file.readAllBytes(), true).lookupClass();
            return (IntUnaryOperator) made.getDeclaredConstructor().newInstance();
        }
    }

    public static void main(String[] args) throws Exception {
        IntUnaryOperator lambda = i -> {
            int next = i + 1; // @lambda
            return next;
        };
        IntUnaryOperator named = new Part();
        IntUnaryOperator hidden = hidden();
        int sum = 0;
        for (int i = 0; i < 1_000; i++) {
            sum += lambda.applyAsInt(i) + named.applyAsInt(i) + hidden.applyAsInt(i); // @call
        }
        System.out.println("sum " + sum);
    }
}
