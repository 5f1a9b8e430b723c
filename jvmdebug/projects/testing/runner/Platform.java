// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** JUnit 5, 6 and every other engine of JUnit's platform. */
final class Platform implements Main.Framework {
  @Override
  public void run(List<Selection> selections, Options options, Results results) throws Exception {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (Selection each : selections) {
      if (each.uniqueId != null) {
        selectors.add(DiscoverySelectors.selectUniqueId(each.uniqueId));
        continue;
      }
      if (each.method == null) {
        selectors.add(DiscoverySelectors.selectClass(each.type()));
        continue;
      }
      int before = selectors.size();
      for (Method method : each.methods()) {
        selectors.add(selector(each, method));
      }
      if (selectors.size() == before) {
        String text = each.className + " has no method " + each.method;
        results.brokenOff(each, new NoSuchMethodException(text));
      }
    }
    PlatformFilter filter = new PlatformFilter(options, selections);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectors)
            .filters(filter.all())
            .configurationParameters(options.parameters)
            .build();
    Launcher launcher = LauncherFactory.create();
    Listener listener = new Listener(results);
    launcher.execute(request, listener);
    for (Selection each : selections) {
      boolean isThere =
          each.uniqueId == null ? listener.found(each.className) : listener.knows(each.uniqueId);
      if (!isThere && !filter.hasLeftOut(each.className)) {
        String text = "no engine of JUnit's platform on the class path finds ";
        String what = each.uniqueId == null ? "a test in " + each.className : each.uniqueId;
        results.brokenOff(each, new IllegalStateException(text + what));
      }
    }
  }

  private static DiscoverySelector selector(Selection selection, Method method) throws Exception {
    DiscoverySelector all = DiscoverySelectors.selectMethod(selection.type(), method);
    if (selection.call == 0) {
      return all;
    }
    try { // since 1.9
      return (DiscoverySelector)
          DiscoverySelectors.class
              .getMethod("selectIteration", DiscoverySelector.class, int[].class)
              .invoke(null, all, new int[] {selection.call - 1});
    } catch (NoSuchMethodException older) {
      return all;
    }
  }

  private static final class Listener implements TestExecutionListener {
    private final Results results;
    private final Map<String, String> kinds = new HashMap<>();
    private final Set<String> notPassed = new HashSet<>();
    private TestPlan plan;

    Listener(Results results) {
      this.results = results;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
      plan = testPlan;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier node) {
      TestIdentifier parent = plan.getParent(node).orElse(null);
      if (parent == null) {
        return; // an engine
      }
      String parentKind = kinds.get(parent.getUniqueId());
      String kind = kind(node, parentKind);
      kinds.put(node.getUniqueId(), kind);
      TestSource source = node.getSource().orElse(null);
      String type = null;
      String method = null;
      if (source instanceof MethodSource) {
        type = ((MethodSource) source).getClassName();
        method = ((MethodSource) source).getMethodName();
      } else if (source instanceof ClassSource) {
        type = ((ClassSource) source).getClassName();
      }
      String parentId = parentKind == null ? null : parent.getUniqueId();
      String name = node.getDisplayName();
      int call = kind.equals("call") ? callNumber(node.getUniqueId()) : 0;
      boolean isNamed = UniqueId.isNamed(node.getUniqueId(), type, method, call);
      results.start(node.getUniqueId(), parentId, kind, name, type, method, call, isNamed);
    }

    /** Whether there is such a test; true too if what is above it did not get that far. */
    synchronized boolean knows(String uniqueId) {
      for (TestIdentifier root : plan.getRoots()) {
        for (TestIdentifier each : plan.getDescendants(root)) { // those made at run time, too
          if (isSameOrBelow(each.getUniqueId(), uniqueId)) {
            return true;
          }
        }
      }
      return notPassed.stream().anyMatch(each -> isSameOrBelow(uniqueId, each));
    }

    private static boolean isSameOrBelow(String id, String above) {
      return id.equals(above) || id.startsWith(above + "/");
    }

    /** Whether anything of that class was in the plan, skipped or not. */
    synchronized boolean found(String className) {
      for (TestIdentifier root : plan.getRoots()) {
        for (TestIdentifier each : plan.getDescendants(root)) {
          TestSource source = each.getSource().orElse(null);
          if (source instanceof ClassSource
              ? className.equals(((ClassSource) source).getClassName())
              : source instanceof MethodSource
                  && className.equals(((MethodSource) source).getClassName())) {
            return true;
          }
        }
      }
      return false;
    }

    private static String kind(TestIdentifier node, String parentKind) {
      if (parentKind != null && (parentKind.equals("calls") || parentKind.equals("call"))) {
        return node.isTest() ? "call" : "calls";
      }
      boolean ofMethod = node.getSource().orElse(null) instanceof MethodSource;
      return node.isTest() ? "method" : ofMethod ? "calls" : "class";
    }

    /** `…/[test-template-invocation:#2]`: which of the calls it is. */
    private static int callNumber(String id) {
      int hash = id.lastIndexOf('#');
      int end = id.length() - 1;
      if (hash < id.lastIndexOf('/') || !id.substring(hash + 1, end).matches("[0-9]{1,9}")) {
        return 0;
      }
      return Integer.parseInt(id.substring(hash + 1, end));
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier node, String reason) {
      executionStarted(node);
      notPassed.add(node.getUniqueId());
      String kind = kinds.getOrDefault(node.getUniqueId(), "class");
      results.finish(node.getUniqueId(), kind, "skipped", null, reason);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier node, TestExecutionResult result) {
      Throwable thrown = result.getThrowable().orElse(null);
      String kind = kinds.get(node.getUniqueId());
      if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        notPassed.add(node.getUniqueId());
      }
      if (kind == null) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
          results.start(node.getUniqueId(), null, "class", node.getDisplayName(), null, null, 0);
          results.finish(node.getUniqueId(), "class", "failed", thrown, null);
        }
        return;
      }
      switch (result.getStatus()) {
        case SUCCESSFUL:
          results.finish(node.getUniqueId(), kind, "passed", null, null);
          break;
        case ABORTED:
          String why = thrown == null ? null : thrown.getMessage();
          results.finish(node.getUniqueId(), kind, "skipped", null, why);
          break;
        default:
          results.finish(node.getUniqueId(), kind, "failed", thrown, null);
      }
    }
  }
}
