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
        for (Class<?> each : classes()) {
            try {
                tools.retransformClasses(each);
            } catch (Exception | LinkageError | InternalError error) { // what a VM cannot write anew
                failures.add(each.getName() + ": " + error);
            }
        }
        tools.removeTransformer(agent);
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> each : agent.seen.entrySet()) {
            Files.write(folder.resolve(each.getKey().replace('/', '.') + ".class"), each.getValue());
        }
        Collections.sort(failures);
        Files.write(folder.resolve("failures"), failures);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (type != null) {
            seen.put(name, bytes);
        }
        return null;
    }
}
