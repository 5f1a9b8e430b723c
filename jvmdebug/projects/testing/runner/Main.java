// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs tests of any framework and writes what happens, as lines of JSON, into a file or pipe.
 *
 * <p>Arguments: where to write, {@link Options}, then what to run, as {@link Selection} reads it. It is compiled against the
 * project's class path: of the classes beside this one only those whose framework is there.
 */
public final class Main {
  /** How the tests of one framework are run. */
  interface Framework {
    void run(List<Selection> selections, Options options, Results results) throws Exception;
  }

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    int failures;
    try (Results results = new Results(arguments[0])) {
      Options options = new Options();
      List<String> lines = options.take(List.of(arguments).subList(1, arguments.length));
      for (Map.Entry<String, List<Selection>> each : byFramework(lines, results).entrySet()) {
        try {
          framework(each.getKey()).run(each.getValue(), options, results);
        } catch (Throwable failure) {
          results.brokenOff(each.getValue().get(0), failure);
        }
      }
      failures = results.end();
    }
    // Threads that a test left behind do not hold the result up.
    System.exit(failures == 0 ? 0 : 1);
  }

  private static Map<String, List<Selection>> byFramework(List<String> lines, Results results) {
    Map<String, List<Selection>> found = new LinkedHashMap<>();
    for (String line : lines) {
      Selection selection = Selection.parse(line);
      try {
        String name = frameworkOf(selection);
        found.computeIfAbsent(name, ignored -> new ArrayList<>()).add(selection);
      } catch (ClassNotFoundException | LinkageError failure) {
        results.brokenOff(selection, failure);
      }
    }
    return found;
  }

  private static String frameworkOf(Selection selection) throws ClassNotFoundException {
    String engine = selection.uniqueId == null ? "" : UniqueId.value(selection.uniqueId, "engine");
    if (UniqueId.JUNIT4.equals(engine)) {
      return "jvmdebug.runner.JUnit4";
    }
    if (UniqueId.TESTNG.equals(engine)) {
      return "jvmdebug.runner.TestNg";
    }
    return engine.isEmpty() ? Kinds.frameworkOf(selection.type()) : "jvmdebug.runner.Platform";
  }

  private static Framework framework(String name) throws Exception {
    return (Framework) Class.forName(name).getDeclaredConstructor().newInstance();
  }
}
