// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testng.annotations.Test;

/** Finds the classes that tests of TestNG depend on, by the name of a method or of a group. */
final class TestNgNeeds {
  private TestNgNeeds() {}

  /** These classes, and others of the same folders that have what their tests need. */
  static Set<Class<?>> withNeeded(Set<Class<?>> chosen) {
    Set<Class<?>> all = new LinkedHashSet<>(chosen);
    Deque<Class<?>> waiting = new ArrayDeque<>(chosen);
    List<Class<?>> others = null;
    while (!waiting.isEmpty()) {
      Class<?> type = waiting.pop();
      Set<Class<?>> needed = new LinkedHashSet<>();
      for (String each : ofMethods(type)) {
        typeOf(each, type).ifPresent(needed::add);
      }
      for (String group : ofGroups(type)) {
        if (all.stream().noneMatch(each -> isIn(group, each))) {
          others = others == null ? besides(chosen) : others;
          others.stream().filter(each -> isIn(group, each)).forEach(needed::add);
        }
      }
      for (Class<?> each : needed) {
        if (all.add(each)) {
          waiting.add(each);
        }
      }
    }
    return all;
  }

  private static List<Test> tests(Class<?> type) {
    List<Test> found = new ArrayList<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      Test ofClass = each.getDeclaredAnnotation(Test.class);
      if (ofClass != null) {
        found.add(ofClass);
      }
      for (Method method : each.getDeclaredMethods()) {
        Test ofMethod = method.getAnnotation(Test.class);
        if (ofMethod != null) {
          found.add(ofMethod);
        }
      }
    }
    return found;
  }

  private static List<String> ofMethods(Class<?> type) {
    return tests(type).stream()
        .flatMap(each -> Arrays.stream(each.dependsOnMethods()))
        .filter(each -> each.indexOf('.') > 0)
        .collect(Collectors.toList());
  }

  private static List<String> ofGroups(Class<?> type) {
    return tests(type).stream()
        .flatMap(each -> Arrays.stream(each.dependsOnGroups()))
        .collect(Collectors.toList());
  }

  private static boolean isIn(String group, Class<?> type) {
    return tests(type).stream()
        .flatMap(each -> Arrays.stream(each.groups()))
        .anyMatch(each -> TestNgChoice.matches(group, each));
  }

  /** The class of `shop.Cart.fills`; empty for a pattern, or one that there is not. */
  private static java.util.Optional<Class<?>> typeOf(String method, Class<?> from) {
    String name = method.substring(0, method.lastIndexOf('.'));
    try {
      return java.util.Optional.of(Class.forName(name, false, from.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError none) {
      return java.util.Optional.empty();
    }
  }

  /** All classes in the folders that the chosen ones come from. */
  private static List<Class<?>> besides(Set<Class<?>> chosen) {
    List<Class<?>> found = new ArrayList<>();
    Set<Path> folders = new LinkedHashSet<>();
    for (Class<?> each : chosen) {
      CodeSource source = each.getProtectionDomain().getCodeSource();
      try {
        Path folder = source == null ? null : Path.of(source.getLocation().toURI());
        if (folder == null || !Files.isDirectory(folder) || !folders.add(folder)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : (Iterable<Path>) files.sorted()::iterator) {
            named(folder.relativize(file).toString(), each.getClassLoader(), found);
          }
        }
      } catch (IOException | UncheckedIOException | URISyntaxException unreadable) {
        continue; // TestNG says what is missing
      }
    }
    return found;
  }

  private static void named(String file, ClassLoader loader, List<Class<?>> found) {
    if (!file.endsWith(".class") || file.endsWith("module-info.class")) {
      return;
    }
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      Class<?> type = Class.forName(name, false, loader);
      tests(type); // what its annotations name may be missing
      found.add(type);
    } catch (ClassNotFoundException | LinkageError | RuntimeException broken) {
      return;
    }
  }
}
