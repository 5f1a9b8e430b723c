// SPDX-License-Identifier: Apache-2.0
// Methods that classes have without writing them: inherited, bridged, of an interface.

public class Inherited {
    static class Base {
        public String greet() {
            return "hello"; // @greet
        }

        static int twice(int number) {
            return 2 * number; // @twice
        }
    }

    // Base is not public, so javac bridges greet() here.
    public static class Open extends Base {
    }

    static class Plain extends Open {
    }

    interface Named {
        default String name() {
            return "some name"; // @name
        }

        String size();
    }

    abstract static class Sized implements Named {
    }

    static class Small extends Sized {
        @Override
        public String size() {
            return "small"; // @size
        }
    }

    public static class Kept<T> {
        public T keep(T kept) {
            return kept;
        }
    }

    public static class Text extends Kept<String> {
        @Override
        public String keep(String kept) {
            return kept + "!"; // @keep
        }
    }

    public static void main(String[] args) {
        new Base().greet();
        new Open().greet(); // @of-open
        new Plain().greet(); // @of-plain
        Plain.twice(2);
        new Small().name();
        new Small().size();
        Kept<String> kept = new Text();
        kept.keep("q");
        System.out.println(new Plain().hashCode() != 0 ? "end" : "");
    }
}
