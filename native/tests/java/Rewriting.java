// SPDX-License-Identifier: Apache-2.0
//
// The Java side of rewrite_jdk.cmake: `extract FOLDER` copies the classes of java.base out of the
// running JDK; `load` has the VM load and link all its classes of java.base, the rewritten ones
// among them, and says how many it refuses; `work` runs code of many of them and prints what comes
// out.

import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Rewriting {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "extract" -> extract(Path.of(args[1]));
            case "load" -> load();
            case "work" -> System.out.println(work());
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static List<Path> classes() throws Exception {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        try (var found = Files.walk(base)) {
            return found.filter(path -> path.toString().endsWith(".class"))
                    .map(base::relativize).filter(path -> path.getNameCount() > 1).toList();
        }
    }

    static void extract(Path folder) throws Exception {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        for (Path each : classes()) {
            Path to = folder.resolve(each.toString());
            Files.createDirectories(to.getParent());
            Files.write(to, Files.readAllBytes(base.resolve(each)));
        }
    }

    static void load() throws Exception {
        int loaded = 0;
        int refused = 0;
        for (Path each : classes()) {
            String name = each.toString().replace('/', '.').replaceAll("\\.class$", "");
            try {
                Class.forName(name, false, null).getDeclaredMethods();  // links it
                loaded++;
            } catch (VerifyError | ClassFormatError refusal) {
                System.out.println(name + ": " + refusal);
                refused++;
            } catch (LinkageError other) {
                loaded++;  // as before: something that it needs is not in this JDK
            }
        }
        System.out.println(loaded + " loaded, " + refused + " refused");
    }

    static String work() throws Exception {
        Map<String, Integer> words = new TreeMap<>();
        for (String word : "to be or not to be that is the question".split(" ")) {
            words.merge(word, 1, Integer::sum);
        }
        var shared = new ConcurrentHashMap<Integer, String>();
        var pool = Executors.newFixedThreadPool(3);
        List<java.util.concurrent.Future<Integer>> parts = new ArrayList<>();
        for (int part = 0; part < 6; part++) {
            int from = part;
            parts.add(pool.submit(() -> {
                int sum = 0;
                for (int i = 0; i < 2000; i++) {
                    shared.put(i, String.format("%05d-%s", i, Integer.toHexString(i * from)));
                    try {
                        sum += Integer.parseInt(i % 7 == 0 ? "x" + i : "" + i);
                    } catch (NumberFormatException e) {
                        sum--;
                    }
                }
                return sum;
            }));
        }
        long total = 0;
        for (var part : parts) {
            total += part.get();
        }
        pool.shutdown();
        var matcher = Pattern.compile("(\\w+)\\s(?<second>b\\w)").matcher("to be or not to be");
        String found = matcher.find() ? matcher.group("second") : "none";
        var even = IntStream.range(0, 100).filter(i -> i % 2 == 0).boxed()
                .collect(Collectors.groupingBy(i -> i % 6, TreeMap::new, Collectors.counting()));
        var big = java.math.BigInteger.TWO.pow(300).mod(java.math.BigInteger.valueOf(1_000_003));
        var date = java.time.LocalDate.of(2024, 2, 29).plusYears(1).toString();
        return words + " " + shared.size() + " " + total + " " + found + " " + even + " " + big
                + " " + date + " " + new HashMap<>(Map.of("k", List.of(1.5, -0.0)));
    }
}
