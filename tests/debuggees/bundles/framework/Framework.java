// SPDX-License-Identifier: Apache-2.0
package framework;

import framework.api.Context;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Bundles with loaders of their own, as in OSGi: a class comes from the bundle that exports its
 * package, and two bundles have two classes of one name.
 */
public final class Framework {
    private Framework() {}

    public static void main(String[] args) throws Exception {
        Bundle earlier = new Bundle("current", "earlier", Map.of());
        Bundle embedding = new Bundle("", "", Map.of());
        Bundle later = new Bundle("", "", Map.of());
        Bundle shop = new Bundle("", "", Map.of("dup", later));
        Object foreign = earlier.loadClass("dup.Kept").getDeclaredConstructor().newInstance();
        Object copied =
                embedding
                        .loadClass("framework.api.Context")
                        .getDeclaredConstructor(String.class)
                        .newInstance("copied");
        shop.loadClass("shop.Main")
                .getMethod("serve", Object.class, Object.class, Object.class)
                .invoke(null, new Context("own"), foreign, copied);
    }

    private static final class Bundle extends ClassLoader {
        private final String from;
        private final String to;
        private final Map<String, Bundle> imports;

        Bundle(String from, String to, Map<String, Bundle> imports) {
            super(null);
            this.from = from;
            this.to = to;
            this.imports = imports;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                String packageName = name.substring(0, Math.max(name.lastIndexOf('.'), 0));
                Bundle exporter = imports.get(packageName);
                if (exporter != null) {
                    return exporter.loadClass(name);
                }
                if (packageName.equals("framework.api") && !imports.isEmpty()) {
                    return Framework.class.getClassLoader().loadClass(name);
                }
                Class<?> known = findLoadedClass(name);
                return known == null ? super.loadClass(name, resolve) : known;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream content = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (content == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = content.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failed) {
                throw new ClassNotFoundException(name, failed);
            }
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            try (InputStream content = Framework.class.getResourceAsStream("/bundles/" + name)) {
                if (content == null) {
                    return null;
                }
                String read = new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
                return new ByteArrayInputStream(
                        (from.isEmpty() ? read : read.replace(from, to)).getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
