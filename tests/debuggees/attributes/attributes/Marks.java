// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotations that reflection sees, and that it does not, and one with values of every kind. */
public final class Marks {
    private Marks() {}

    /** On declarations. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Seen {
        String value() default "by default";

        int number() default 7;

        Class<?>[] types() default {String.class, int[].class};

        ElementType kind() default ElementType.FIELD;

        Typed nested() default @Typed(3);
    }

    /** The same, in class files alone. */
    @Retention(RetentionPolicy.CLASS)
    public @interface Unseen {
        String value() default "";
    }

    /** On types. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    public @interface Typed {
        int value();
    }

    /** The same, in class files alone. */
    @Retention(RetentionPolicy.CLASS)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    public @interface UnseenTyped {}
}
