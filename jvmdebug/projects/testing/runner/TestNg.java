// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.testng.IConfigurationListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** TestNG, through its own API: one suite with all classes. */
final class TestNg implements Main.Framework {
  @Override
  public void run(List<Selection> selections, Options options, Results results) throws Exception {
    XmlSuite suite = new XmlSuite();
    suite.setName("jvmdebug");
    XmlTest test = new XmlTest(suite);
    test.setName("tests");
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Selection each : selections) {
      types.add(each.type());
    }
    List<XmlClass> classes = new ArrayList<>();
    for (Class<?> each : TestNgNeeds.withNeeded(types)) {
      classes.add(new XmlClass(each.getName(), false));
    }
    test.setXmlClasses(classes);
    TestNgChoice choice = new TestNgChoice(selections, options);
    TestNG testng = new TestNG(false);
    testng.setVerbose(0);
    testng.addListener((ITestNGListener) choice);
    testng.addListener((ITestNGListener) new Listener(results, choice));
    testng.setXmlSuites(List.of(suite));
    testng.run();
    results.closeAll();
    for (Selection each : choice.notFound()) {
      String text = each.className + " has no test " + each;
      results.brokenOff(each, new NoSuchMethodException(text));
    }
  }

  /** All methods are written out: listeners of TestNG 6 have no default ones. */
  private static final class Listener implements ITestListener, IConfigurationListener {
    private final Results results;
    private final TestNgChoice choice;
    private final Map<ITestResult, String> ids = new IdentityHashMap<>();
    private final Map<String, Integer> calls = new HashMap<>();

    Listener(Results results, TestNgChoice choice) {
      this.results = results;
      this.choice = choice;
    }

    @Override
    public synchronized void onTestStart(ITestResult test) {
      ITestNGMethod method = test.getMethod();
      String type = test.getTestClass().getName();
      String name = method.getMethodName();
      String id = choice.idOf(method);
      String parent = results.openClass(UniqueId.TESTNG, type);
      boolean isOnly = Selection.isOnlyOne(type, name);
      int instance = choice.instanceOf(method);
      Object[] arguments = test.getParameters();
      boolean hasArguments = arguments != null && arguments.length > 0;
      if (!hasArguments && !choice.isRepeated(method)) {
        String kind = "method";
        String shown = name + "()";
        if (instance > 0) {
          String ofAll = UniqueId.of(UniqueId.TESTNG, type) + "/" + choice.segmentOf(method);
          results.openCalls(ofAll, parent, name, type, name, isOnly);
          parent = ofAll;
          kind = "call";
          shown = "[" + instance + "] " + TestNgChoice.named(method);
        }
        ids.put(test, id);
        results.start(id, parent, kind, shown, type, name, instance, isOnly);
        return;
      }
      String shown = instance > 0 ? name + " on " + TestNgChoice.named(method) : name;
      boolean isNamed = isOnly && instance == 0;
      results.openCalls(id, parent, shown, type, name, isNamed);
      int call = choice.numberOf(id, calls.merge(id, 1, Integer::sum));
      String ofCall = id + "/" + UniqueId.segment("call", String.valueOf(call));
      ids.put(test, ofCall);
      String text = "[" + call + "]" + (hasArguments ? " " + Arrays.deepToString(arguments) : "");
      results.start(ofCall, id, "call", text, type, name, call, isNamed);
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
      String type = configuration.getTestClass().getName();
      results.failClass(UniqueId.TESTNG, type, configuration.getThrowable());
    }

    @Override
    public void onConfigurationSuccess(ITestResult configuration) {}

    @Override
    public void onConfigurationSkip(ITestResult configuration) {}
  }
}
