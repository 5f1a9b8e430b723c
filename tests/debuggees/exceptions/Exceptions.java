// SPDX-License-Identifier: Apache-2.0

/** Exceptions that are caught, wrapped with a cause, thrown by the VM itself, and never caught. */
public final class Exceptions {
    static final class ShopException extends Exception {
        private static final long serialVersionUID = 1L;
        final int code;

        ShopException(String message, int code, Throwable cause) {
            super(message, cause);
            this.code = code;
        }
    }

    private Exceptions() {}

    static int parse(String text) throws ShopException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ShopException("no price: ".concat(text), 42, e); // @wrap
        }
    }

    static int divide(int a, int b) {
        return a / b; // @divide
    }

    static int safeLength(String text) {
        try {
            return text.length(); // @npe
        } catch (NullPointerException e) {
            return -1; // @npe-caught
        }
    }

    public static void main(String[] args) {
        try {
            parse("12x"); // @parses
        } catch (ShopException e) { // @catches
            System.out.println("caught " + e.code); // @caught
        }
        System.out.println(safeLength(null));
        System.err.println("about to fail");
        divide(1, 0); // @uncaught
        System.out.println("never printed");
    }
}
