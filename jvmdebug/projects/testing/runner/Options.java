// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the build says of its tests: {@code --exclude-group=slow}, {@code --parameter=name=value}. */
final class Options {
  /** Tags of JUnit 5, categories of JUnit 4, groups of TestNG; all tests if there is none. */
  final List<String> includedGroups = new ArrayList<>();

  final List<String> excludedGroups = new ArrayList<>();

  /** Engines of JUnit's platform. */
  final List<String> includedEngines = new ArrayList<>();

  final List<String> excludedEngines = new ArrayList<>();

  /** Configuration parameters of JUnit's platform. */
  final Map<String, String> parameters = new LinkedHashMap<>();

  /**
   * Reads the options at the beginning, and returns what comes after them. System properties are set
   * at once.
   */
  List<String> take(List<String> arguments) {
    int taken = 0;
    while (taken < arguments.size() && arguments.get(taken).startsWith("--")) {
      String[] parts = arguments.get(taken++).split("=", 2);
      switch (parts[0]) {
        case "--include-group":
          includedGroups.add(parts[1]);
          break;
        case "--exclude-group":
          excludedGroups.add(parts[1]);
          break;
        case "--include-engine":
          includedEngines.add(parts[1]);
          break;
        case "--exclude-engine":
          excludedEngines.add(parts[1]);
          break;
        case "--parameter":
          String[] parameter = parts[1].split("=", 2);
          parameters.put(parameter[0], parameter[1]);
          break;
        case "--property":
          String[] property = parts[1].split("=", 2);
          System.setProperty(property[0], property[1]);
          break;
        default:
          throw new IllegalArgumentException("no such option of the test runner: " + parts[0]);
      }
    }
    return arguments.subList(taken, arguments.size());
  }

  /** Whether groups decide which tests run. */
  boolean haveGroups() {
    return !includedGroups.isEmpty() || !excludedGroups.isEmpty();
  }

  /** Whether a test with these names of groups runs; `*` stands for anything. */
  boolean allow(List<String> own) {
    boolean isIncluded =
        includedGroups.isEmpty() || own.stream().anyMatch(each -> isOne(each, includedGroups));
    return isIncluded && own.stream().noneMatch(each -> isOne(each, excludedGroups));
  }

  private static boolean isOne(String own, List<String> groups) {
    return groups.stream()
        .anyMatch(
            each -> {
              String pattern = each.replace(".", "\\.").replace("$", "\\$").replace("*", ".*");
              return own.matches(pattern) || own.matches(".*[.$]" + pattern);
            });
  }
}
