// SPDX-License-Identifier: Apache-2.0
package oracle;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Another java agent: which classes are there, and their bytes as the VM tells them when asked anew. */
public final class SecondAgent implements ClassFileTransformer {
    /** Classes that the program makes while it runs: not the same ones in each run. */
    private static final Pattern MADE = Pattern.compile(".*(\\$\\$Lambda|\\$Proxy|CGLIB|/|Generated).*");
    private static Instrumentation tools;
    private static String[] prefixes;
    private final Map<String, byte[]> seen = new ConcurrentHashMap<>();

    private SecondAgent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        prefixes = arguments.split(",");
        tools = instrumentation;
    }

    /** Those whose names begin with one of the prefixes; of classes that are loaded again and again, one. */
    static List<Class<?>> classes() {
        Map<String, Class<?>> found = new TreeMap<>();
        for (Class<?> each : tools.getAllLoadedClasses()) {
            String name = each.getName();
            for (String prefix : prefixes) {
                if (name.startsWith(prefix) && !MADE.matcher(name).matches() && tools.isModifiableClass(each)) {
                    found.putIfAbsent(name, each);
                    break;
                }
            }
        }
        return new ArrayList<>(found.values());
    }

    static void write(Path folder) throws IOException {
        SecondAgent agent = new SecondAgent();
        List<String> failures = new ArrayList<>();
        tools.addTransformer(agent, true);
        agent.ask(classes(), failures);
        tools.removeTransformer(agent);
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> each : agent.seen.entrySet()) {
            Files.write(folder.resolve(each.getKey().replace('/', '.') + ".class"), each.getValue());
        }
        Collections.sort(failures);
        Files.write(folder.resolve("failures"), failures);
    }

    /** All in one step, which is quick; if one of them cannot be asked for, the halves. */
    private void ask(List<Class<?>> classes, List<String> failures) {
        try {
            if (!classes.isEmpty()) {
                tools.retransformClasses(classes.toArray(new Class<?>[0]));
            }
        } catch (Exception | LinkageError | InternalError error) {
            if (classes.size() == 1) {
                failures.add(classes.get(0).getName() + ": " + error);
                return;
            }
            ask(classes.subList(0, classes.size() / 2), failures);
            ask(classes.subList(classes.size() / 2, classes.size()), failures);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (type != null) {
            seen.put(name, bytes);
        }
        return null;
    }
}
