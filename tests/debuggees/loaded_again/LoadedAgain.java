// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A class that is loaded by one loader after the other, as often as each argument says. All of them stay.
 */
public final class LoadedAgain {
    /** What is loaded. */
    public static final class Part {
        private int total;

        public int add(int n) {
            for (int each = 0; each < n; each++) { // @looped
                total += each;
            }
            return total;
        }

        public String never() {
            String text = "total " + total;
            return text.trim(); // @never
        }
    }

    private static final class Loader extends ClassLoader {
        private final byte[] part;

        Loader(byte[] part) {
            super(LoadedAgain.class.getClassLoader());
            this.part = part;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("LoadedAgain$Part")) {
                return super.loadClass(name, resolve);
            }
            Class<?> found = findLoadedClass(name);
            return found != null ? found : defineClass(name, part, 0, part.length);
        }
    }

    private LoadedAgain() {}

    private static byte[] part() throws IOException {
        try (InputStream file = LoadedAgain.class.getResourceAsStream("LoadedAgain$Part.class")) {
            return file.readAllBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] part = part();
        List<Object> kept = new ArrayList<>();
        for (String count : args) {
            for (int i = Integer.parseInt(count); i > 0; i--) {
                Class<?> type = new Loader(part).loadClass("LoadedAgain$Part");
                kept.add(type.getDeclaredConstructor().newInstance());
            }
            System.out.println(kept.size()); // @between
        }
    }
}
