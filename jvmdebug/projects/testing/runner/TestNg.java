// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testng.IConfigurationListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** TestNG, through its own API: one suite with all classes. */
final class TestNg implements Main.Framework {
  private final Map<String, List<Integer>> chosenCalls = new HashMap<>();

  @Override
  public void run(List<Selection> selections, Results results) throws Exception {
    XmlSuite suite = new XmlSuite();
    suite.setName("jvmdebug");
    XmlTest test = new XmlTest(suite);
    test.setName("tests");
    Map<String, XmlClass> classes = new LinkedHashMap<>();
    for (Selection each : selections) {
      XmlClass type = classes.get(each.className);
      if (type == null) {
        type = new XmlClass(each.className, false);
        classes.put(each.className, type);
      }
      if (each.method != null) {
        List<XmlInclude> includes = new ArrayList<>(type.getIncludedMethods());
        includes.add(include(each, includes.size()));
        type.setIncludedMethods(includes);
      }
    }
    test.setXmlClasses(new ArrayList<>(classes.values()));
    TestNG testng = new TestNG(false);
    testng.setVerbose(0);
    testng.addListener((ITestNGListener) new Listener(results));
    testng.setXmlSuites(List.of(suite));
    testng.run();
    results.closeAll();
  }

  private XmlInclude include(Selection selection, int index) {
    if (selection.call == 0) {
      return new XmlInclude(selection.method, index);
    }
    chosenCalls
        .computeIfAbsent(selection.className + "#" + selection.method, none -> new ArrayList<>())
        .add(selection.call);
    return new XmlInclude(selection.method, List.of(selection.call - 1), index);
  }

  /** All methods are written out: listeners of TestNG 6 have no default ones. */
  private final class Listener implements ITestListener, IConfigurationListener {
    private final Results results;
    private final Map<ITestResult, String> ids = new IdentityHashMap<>();

    Listener(Results results) {
      this.results = results;
    }

    @Override
    public synchronized void onTestStart(ITestResult test) {
      String type = test.getTestClass().getName();
      String method = test.getMethod().getMethodName();
      Object[] arguments = test.getParameters();
      if (arguments == null || arguments.length == 0) {
        int again = results.nextCall(type, method);
        String id = "method:" + type + "#" + method + (again == 1 ? "" : "/" + again);
        ids.put(test, id);
        results.start(id, results.openClass(type), "method", method + "()", type, method, 0);
        return;
      }
      String parent = results.openCalls(type, method);
      int call = results.nextCall(type, method);
      List<Integer> chosen = chosenCalls.get(type + "#" + method);
      if (chosen != null && call <= chosen.size()) {
        call = chosen.get(call - 1);
      }
      String id = parent + "[" + call + "]";
      ids.put(test, id);
      String shown = Arrays.deepToString(arguments);
      results.start(id, parent, "call", "[" + call + "] " + shown, type, method, call);
    }

    private synchronized void end(ITestResult test, String status) {
      if (!ids.containsKey(test)) {
        onTestStart(test); // a skipped one was not started
      }
      Throwable thrown = test.getThrowable();
      String why = thrown == null || status.equals("failed") ? null : thrown.getMessage();
      Throwable failure = status.equals("failed") ? thrown : null;
      results.finish(ids.remove(test), "method", status, failure, why);
    }

    @Override
    public void onTestSuccess(ITestResult test) {
      end(test, "passed");
    }

    @Override
    public void onTestFailure(ITestResult test) {
      end(test, "failed");
    }

    @Override
    public void onTestSkipped(ITestResult test) {
      end(test, "skipped");
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult test) {
      end(test, "passed");
    }

    @Override
    public void onStart(ITestContext context) {}

    @Override
    public void onFinish(ITestContext context) {}

    @Override
    public synchronized void onConfigurationFailure(ITestResult configuration) {
      results.failClass(configuration.getTestClass().getName(), configuration.getThrowable());
    }

    @Override
    public void onConfigurationSuccess(ITestResult configuration) {}

    @Override
    public void onConfigurationSkip(ITestResult configuration) {}
  }
}
