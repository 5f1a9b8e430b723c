// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** A class whose class file has each attribute that javac writes for a class and its members. */
@Marks.Seen("class")
@Marks.Unseen("class")
@Deprecated
public class Everything<@Marks.Typed(1) @Marks.UnseenTyped T extends Comparable<T> & Serializable>
        extends ArrayList<@Marks.Typed(2) @Marks.UnseenTyped T> implements Supplier<String> {
    public static final String TEXT = "constant";
    public static final long NUMBER = 1L << 40;
    private static final long serialVersionUID = 1;

    @Marks.Seen("field")
    @Marks.Unseen
    @Deprecated
    protected Map<@Marks.Typed(4) String, @Marks.UnseenTyped ? super T> field;

    @Marks.Seen
    @Marks.Unseen
    public <@Marks.Typed(5) @Marks.UnseenTyped E extends Exception> Everything(
            final int first, @Marks.Seen("parameter") @Marks.Unseen("parameter") List<E> second) throws E {
        super(first);
    }

    @Marks.Seen(value = "method", number = -1)
    @Marks.Unseen
    @Deprecated
    public @Marks.Typed(6) @Marks.UnseenTyped String generic(
            final @Marks.Typed(7) T first,
            @Marks.Seen @Marks.Unseen int second,
            @Marks.Typed(8) @Marks.UnseenTyped String... others)
            throws @Marks.Typed(9) IOException, IllegalStateException {
        @Marks.Typed(10) @Marks.UnseenTyped List<T> local = new @Marks.Typed(11) ArrayList<@Marks.UnseenTyped T>();
        local.add(first);
        for (String each : others) {
            if (each instanceof @Marks.Typed(12) String) {
                return second + each + local;
            }
        }
        return touch(second);
    }

    public static String touch(final int given) {
        return "touched " + given; // @everything
    }

    public static StackTraceElement where(int unused) {
        try {
            throw new IllegalStateException("here");
        } catch (IllegalStateException e) {
            return e.getStackTrace()[0];
        }
    }

    /** Throws what was made elsewhere. */
    public static void again(final Exception given) throws Exception {
        if (given != null) {
            throw given;
        }
    }

    @Override
    public String get() {
        Comparator<String> order = Comparator.comparing((Function<String, Integer> & Serializable) String::length);
        return order.compare("a", "bb") + TEXT + NUMBER;
    }

    /** An anonymous and a local class, in a method and in a constructor. */
    public static Object[] inside(final int captured) {
        class Local {
            int both(int one) {
                return captured + one;
            }
        }
        Object anonymous = new Object() {
            @Override
            public String toString() {
                return "anonymous " + captured;
            }
        };
        return new Object[] {new Local(), anonymous, new Other(captured).made, Named.FIRST, new Everything<String>(
                0, List.<RuntimeException>of()).new Inner(captured)};
    }

    /** An inner class, whose constructor has a mandated parameter. */
    public class Inner {
        private final int kept;

        public Inner(final @Marks.Seen int kept) {
            this.kept = kept;
        }

        int sum() {
            return kept + size();
        }
    }

    /** Its constructor has a class. */
    static final class Other {
        final Object made;

        Other(int captured) {
            made = new Object() {
                @Override
                public int hashCode() {
                    return captured;
                }
            };
        }
    }

    /** An enum: its constructor and valueOf have parameters that are not written. */
    public enum Named {
        FIRST("one") {
            @Override
            String word(int times) {
                return text.repeat(times);
            }
        },
        SECOND("two");

        @Marks.Seen
        final String text;

        Named(String text) {
            this.text = text;
        }

        String word(int times) {
            return text;
        }
    }
}
