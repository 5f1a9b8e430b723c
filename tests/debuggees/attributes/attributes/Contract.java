// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.util.List;

/** An interface with all kinds of methods; it has no method that is abstract alone. */
@FunctionalInterface
public interface Contract<T> {
    int WORTH = 12;

    List<? extends T> asked(String question, int... numbers);

    default String usual(final String given) {
        return hidden(given);
    }

    private String hidden(String given) {
        return given + WORTH;
    }

    static Contract<String> made(final String answer) {
        return (question, numbers) -> List.of(answer + question.length()); // @contract
    }
}
