// SPDX-License-Identifier: Apache-2.0
import java.util.Map;

/**
 * A program whose names and texts attack whoever shows them. Names that Java does not allow stand here as `Placeholder`:
 * the test puts the hostile text in their place in the class files.
 */
public final class Hostile {
    static final String EVIL =
            "\033]52;c;aGk=\007\nforged line\r" + (char) 0x202e + (char) 0x9b + "2J" + (char) 0xd800;

    enum Kind {
        PlaceholderConstant
    }

    static final class PlaceholderException extends RuntimeException {
        PlaceholderException(String message) {
            super(message, new IllegalStateException(EVIL));
        }
    }

    int PlaceholderField = 1;

    public static void main(String[] args) throws Exception {
        int length = Integer.parseInt(args[0]);
        Thread thread = new Thread(() -> new Hostile().PlaceholderMethod(length), EVIL + "n".repeat(length));
        thread.start();
        thread.join();
        System.out.println("survived");
    }

    int PlaceholderMethod(int length) {
        Kind PlaceholderLocal = Kind.PlaceholderConstant;
        Map<String, String> map = Map.of(EVIL, EVIL);
        RuntimeException thrown = new PlaceholderException(EVIL + "m".repeat(length));
        java.io.File file = new java.io.File(EVIL);
        StringBuilder builder = new StringBuilder(EVIL);
        try {
            return stopHere(PlaceholderLocal, map, thrown, file, builder);
        } catch (RuntimeException caught) {
            return -1;
        }
    }

    static int stopHere(Kind kind, Map<String, String> map, RuntimeException thrown, Object file, Object builder) {
        int size = map.size(); // @stop
        if (size == 1) {
            throw new PlaceholderException(thrown.getMessage());
        }
        return size;
    }

    static int fails() {
        throw new PlaceholderException(EVIL);
    }
}
