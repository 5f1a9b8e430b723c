// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A program whose names and texts attack whoever shows them. Names that Java does not allow stand here as `Placeholder`:
 * the test puts the hostile text in their place in the class files.
 */
public final class Hostile {
    static final String EVIL =
            "\033]52;c;aGk=\007\nforged line\r" + (char) 0x202e + (char) 0x9b + "2J" + (char) 0xd800;

    /** A class loader with a hostile name, and a module: Java allows some controls within the names of modules. */
    static final ClassLoader LOADER = new URLClassLoader(EVIL, new URL[0], null);

    static final ModuleLayer LAYER = evilLayer("evil\033c" + (char) 0x202e + (char) 0x9b + "x");

    private static ModuleLayer evilLayer(String name) {
        ModuleDescriptor.Version version = ModuleDescriptor.Version.parse("1.0-" + EVIL);
        ModuleDescriptor descriptor = ModuleDescriptor.newModule(name).version(version).build();
        ModuleReference evil = new ModuleReference(descriptor, URI.create("evil:module")) {
            @Override
            public ModuleReader open() throws IOException {
                throw new IOException();
            }
        };
        ModuleFinder finder = new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String wanted) {
                return wanted.equals(name) ? Optional.of(evil) : Optional.empty();
            }

            @Override
            public Set<ModuleReference> findAll() {
                return Set.of(evil);
            }
        };
        ModuleLayer boot = ModuleLayer.boot();
        Configuration found = Configuration.resolve(finder, List.of(boot.configuration()), ModuleFinder.of(), Set.of(name));
        return ModuleLayer.defineModulesWithOneLoader(found, List.of(boot), LOADER).layer();
    }

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
