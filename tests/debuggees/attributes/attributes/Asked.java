// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Answers what reflection and another agent see of classes. The first argument is a folder: it answers the file `ask`,
 * which has a command, by the file `answer`, and goes on when both are gone. The other arguments are the classes.
 *
 * <p>It is an agent, too, which changes nothing: it writes the class files that its hook is given to the folder that is
 * its option, and counts how often a class is changed.
 */
public final class Asked implements ClassFileTransformer {
    static volatile Instrumentation instrumentation;
    static final Map<String, Integer> CHANGES = new ConcurrentSkipListMap<>();
    private final Path folder;

    private Asked(Path folder) {
        this.folder = folder;
    }

    public static void premain(String option, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new Asked(Paths.get(option)), true);
    }

    public static void agentmain(String option, Instrumentation given) {
        premain(option, given);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (name != null && name.startsWith("attributes/")) {
            try {
                Files.write(folder.resolve(name.replace('/', '.') + ".class"), bytes);
            } catch (Exception e) {
                e.printStackTrace();
            }
            if (type != null) {
                CHANGES.merge(name, 1, Integer::sum);
            }
        }
        return null;
    }

    private static String answer(String asked, List<Class<?>> types) throws Exception {
        StringBuilder text = new StringBuilder();
        if (asked.equals("describe")) {
            for (Class<?> each : types) {
                text.append(Described.of(each)).append('\n');
            }
            text.append("line ").append(Everything.where(0)).append('\n');
        } else if (asked.equals("changes")) {
            CHANGES.forEach((name, count) -> text.append(name).append(' ').append(count).append('\n'));
            CHANGES.clear();
        } else if (asked.equals("retransform")) {
            for (Class<?> each : types) {
                try {
                    instrumentation.retransformClasses(each);
                } catch (Error e) {
                    text.append(each.getName()).append(' ').append(e).append('\n');
                }
            }
        } else if (asked.equals("run")) {
            text.append(Arrays.asList(Everything.touch(1), new Everything<String>(1, List.<RuntimeException>of()).get(),
                    Contract.made("a").asked("b"))).append('\n');
            try {
                Integer.parseInt("x");
            } catch (NumberFormatException e) {
                text.append(e.getMessage()).append('\n');
            }
        } else if (asked.equals("end")) {
            System.exit(0);
        }
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        Path ask = Paths.get(args[0], "ask");
        Path answer = Paths.get(args[0], "answer");
        List<Class<?>> types = new ArrayList<>();
        for (String each : Arrays.asList(args).subList(1, args.length)) {
            types.add(Class.forName(each));
        }
        Everything.inside(3);
        System.out.println("ready");
        while (true) {
            while (!Files.exists(ask)) {
                Thread.sleep(2);
            }
            String text = answer(new String(Files.readAllBytes(ask)), types);
            Files.delete(ask);
            Path written = Paths.get(args[0], "writing");
            Files.write(written, text.getBytes("UTF-8"));
            Files.move(written, answer);
        }
    }
}
