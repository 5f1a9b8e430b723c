// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** JUnit 3 and 4, through JUnitCore: one request for each class. */
final class JUnit4 implements Main.Framework {
  @Override
  public void run(List<Selection> selections, Results results) throws Exception {
    Map<String, Wanted> byClass = new LinkedHashMap<>();
    for (Selection each : selections) {
      byClass.computeIfAbsent(each.className, ignored -> new Wanted()).add(each);
    }
    for (Map.Entry<String, Wanted> each : byClass.entrySet()) {
      Request request = Request.aClass(Selection.parse(each.getKey()).type());
      JUnitCore core = new JUnitCore();
      core.addListener(new Listener(results, each.getValue()));
      core.run(request.filterWith(each.getValue()));
      results.closeAll();
    }
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
    private boolean all;
    private final Map<String, Set<Integer>> calls = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    void add(Selection selection) {
      all |= selection.method == null;
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
        return all || wanted.contains(0) || wanted.contains(call);
      }
      return description.getChildren().stream().anyMatch(this::shouldRun);
    }

    @Override
    public String describe() {
      return "the selected methods";
    }
  }

  private static final class Listener extends RunListener {
    private final Results results;
    private final Map<Description, Failure> failures = new HashMap<>();
    private final Map<Description, String> skipped = new HashMap<>();
    private final Map<Description, String> ids = new HashMap<>();
    private final Wanted wanted;

    Listener(Results results, Wanted wanted) {
      this.results = results;
      this.wanted = wanted;
    }

    @Override
    public synchronized void testStarted(Description test) {
      String type = test.getClassName();
      String method = methodOf(test);
      if (isCall(test)) {
        String parent = results.openCalls(type, method);
        int call = wanted.callOf(test);
        String id = parent + "[" + call + "]";
        ids.put(test, id);
        String name = test.getMethodName().substring(method.length());
        results.start(id, parent, "call", name, type, method, call);
      } else {
        String id = "method:" + type + "#" + method;
        ids.put(test, id);
        results.start(id, results.openClass(type), "method", method + "()", type, method, 0);
      }
    }

    @Override
    public synchronized void testFailure(Failure failure) {
      Description at = failure.getDescription();
      if (!ids.containsKey(at)) {
        String type = at.getClassName() == null ? at.getDisplayName() : at.getClassName();
        results.failClass(type, failure.getException());
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
        String type = results.openClass(test.getClassName());
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
