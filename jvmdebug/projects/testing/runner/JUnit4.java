// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.experimental.categories.Category;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** JUnit 3 and 4, through JUnitCore: one request for each class. */
final class JUnit4 implements Main.Framework {
  @Override
  public void run(List<Selection> selections, Options options, Results results) throws Exception {
    Map<String, Wanted> byClass = new LinkedHashMap<>();
    for (Selection each : selections) {
      byClass.computeIfAbsent(each.className, ignored -> new Wanted(options)).add(each);
    }
    for (Map.Entry<String, Wanted> each : byClass.entrySet()) {
      Request request = Request.aClass(Selection.parse(each.getKey()).type());
      Description all = request.getRunner().getDescription();
      boolean isBroken =
          all.getChildren().stream().anyMatch(of -> "initializationError".equals(of.getMethodName()));
      if (!isBroken && !hasAll(all, selections, each.getKey(), options, results)) {
        continue;
      }
      JUnitCore core = new JUnitCore();
      core.addListener(new Listener(results, each.getKey(), each.getValue()));
      core.run(request.filterWith(each.getValue()));
      results.closeAll();
    }
  }

  /** Whether there is anything of a class to run. What is named and is not there is reported. */
  private static boolean hasAll(
      Description all,
      List<Selection> selections,
      String className,
      Options options,
      Results results) {
    boolean isAny = false;
    for (Selection each : selections) {
      if (!each.className.equals(className)) {
        continue;
      }
      Wanted only = new Wanted(options);
      only.add(each);
      boolean isWhole = each.method == null && each.uniqueId == null;
      if ((isWhole && !options.haveGroups()) || only.shouldRun(all)) {
        isAny = true;
      } else if (!isWhole) {
        results.brokenOff(each, new NoSuchMethodException(className + " has no test " + each));
      }
    }
    return isAny;
  }

  private static boolean isCall(Description test) {
    return test.getMethodName() != null && test.getMethodName().contains("[");
  }

  private static String methodOf(Description test) {
    String name = test.getMethodName();
    return isCall(test) ? name.substring(0, name.indexOf('[')) : name;
  }

  /**
   * The methods of a class to run, and which calls of them. As it is asked for every test, it numbers
   * the calls too.
   */
  private static final class Wanted extends Filter {
    private final Options options;
    private boolean all;
    private final Set<String> ids = new HashSet<>();
    private final Map<String, Set<Integer>> calls = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    Wanted(Options options) {
      this.options = options;
    }

    void add(Selection selection) {
      all |= selection.method == null && selection.uniqueId == null;
      if (selection.uniqueId != null) {
        ids.add(UniqueId.value(selection.uniqueId, "test"));
      }
      if (selection.method != null) {
        calls.computeIfAbsent(selection.method, ignored -> new HashSet<>()).add(selection.call);
      }
    }

    /** Which call of its method a test is, from 1. */
    int callOf(Description test) {
      String method = methodOf(test);
      return numbers.computeIfAbsent(
          test.getDisplayName(), ignored -> seen.merge(method, 1, Integer::sum));
    }

    @Override
    public boolean shouldRun(Description description) {
      if (description.isTest()) {
        int call = callOf(description);
        Set<Integer> wanted = calls.getOrDefault(methodOf(description), Set.of());
        boolean isMeant = ids.contains(description.getDisplayName());
        boolean isAllowed = !options.haveGroups() || options.allow(categories(description));
        return (all && isAllowed) || isMeant || wanted.contains(0) || wanted.contains(call);
      }
      return description.getChildren().stream().anyMatch(this::shouldRun);
    }

    /** The names of the categories of a test and of its class, and of what those extend. */
    private static List<String> categories(Description test) {
      List<Class<?>> waiting = new ArrayList<>();
      Class<?> type = test.getTestClass();
      for (Category each :
          new Category[] {
            test.getAnnotation(Category.class),
            type == null ? null : type.getAnnotation(Category.class)
          }) {
        if (each != null) {
          waiting.addAll(List.of(each.value()));
        }
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < waiting.size(); i++) {
        Class<?> each = waiting.get(i);
        names.add(each.getName());
        waiting.addAll(List.of(each.getInterfaces()));
        if (each.getSuperclass() != null && each.getSuperclass() != Object.class) {
          waiting.add(each.getSuperclass());
        }
      }
      return names;
    }

    @Override
    public String describe() {
      return "the selected methods";
    }
  }

  private static final class Listener extends RunListener {
    private final Results results;
    private final String requested;
    private final Map<Description, Failure> failures = new HashMap<>();
    private final Map<Description, String> skipped = new HashMap<>();
    private final Map<Description, String> ids = new HashMap<>();
    private final Wanted wanted;

    Listener(Results results, String requested, Wanted wanted) {
      this.results = results;
      this.requested = requested;
      this.wanted = wanted;
    }

    @Override
    public synchronized void testStarted(Description test) {
      String type = test.getClassName();
      String method = methodOf(test);
      // Through a suite it may behave otherwise than by itself.
      boolean isNamed = requested.equals(type) && method != null;
      String run = UniqueId.of(UniqueId.JUNIT4, requested) + "/";
      String parent = results.openClass(UniqueId.JUNIT4, type);
      String kind = "method";
      String name = method == null ? test.getDisplayName() : method + "()";
      int call = 0;
      if (isCall(test)) {
        String calls = parent + "/" + UniqueId.segment("method", method);
        results.openCalls(calls, parent, method, type, method, true);
        parent = calls;
        kind = "call";
        name = test.getMethodName().substring(method.length());
        call = wanted.callOf(test);
      }
      String id = run + UniqueId.segment("test", test.getDisplayName());
      ids.put(test, id);
      results.start(id, parent, kind, name, type, method, call, isNamed);
    }

    @Override
    public synchronized void testFailure(Failure failure) {
      Description at = failure.getDescription();
      if (!ids.containsKey(at)) {
        String type = at.getClassName() == null ? at.getDisplayName() : at.getClassName();
        results.failClass(UniqueId.JUNIT4, type, failure.getException());
      } else {
        failures.put(at, failure);
      }
    }

    @Override
    public synchronized void testAssumptionFailure(Failure failure) {
      skipped.put(failure.getDescription(), String.valueOf(failure.getMessage()));
    }

    @Override
    public synchronized void testIgnored(Description test) {
      if (test.getMethodName() == null) {
        String type = results.openClass(UniqueId.JUNIT4, test.getClassName());
        results.finish(type, "class", "skipped", null, reason(test));
        return;
      }
      testStarted(test);
      results.finish(ids.remove(test), "method", "skipped", null, reason(test));
    }

    private static String reason(Description test) {
      org.junit.Ignore why = test.getAnnotation(org.junit.Ignore.class);
      return why == null || why.value().isEmpty() ? null : why.value();
    }

    @Override
    public synchronized void testFinished(Description test) {
      Failure failure = failures.remove(test);
      String why = skipped.remove(test);
      String status = failure != null ? "failed" : why != null ? "skipped" : "passed";
      Throwable thrown = failure == null ? null : failure.getException();
      results.finish(ids.remove(test), "method", status, thrown, why);
    }
  }
}
