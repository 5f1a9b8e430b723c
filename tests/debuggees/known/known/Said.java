// SPDX-License-Identifier: Apache-2.0
package known;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Objects, and what the program itself says about each of them. */
final class Said {
    /** What is shown. */
    static final List<Object> SUBJECTS = new ArrayList<>();

    /** For each of them its text, or an array with the texts of what is inside. */
    static final List<Object> SAID = new ArrayList<>();

    private Said() {}

    static void text(Object subject) {
        say(subject, String.valueOf(subject));
    }

    static void say(Object subject, Object said) {
        SUBJECTS.add(subject);
        SAID.add(said);
    }

    static void elements(Collection<?> subject) {
        inside(subject, subject.toArray());
    }

    static void entries(Map<?, ?> subject) {
        say(
                subject,
                subject.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    static void inside(Object subject, Object... texts) {
        say(subject, Arrays.stream(texts).map(String::valueOf).toArray(String[]::new));
    }
}
