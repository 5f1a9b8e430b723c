// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITest;
import org.testng.ITestContext;
import org.testng.ITestNGMethod;

/**
 * Leaves the chosen methods of a suite, and those that they depend on. TestNG calls it when it has
 * all methods and knows their dependencies: a suite that includes the chosen ones alone is refused.
 */
final class TestNgChoice implements IMethodInterceptor {
  private final List<Selection> selections;
  private final Options options;
  private final Set<Selection> found = new LinkedHashSet<>();
  private final Map<String, List<Object>> instances = new HashMap<>();
  private final Map<String, List<Integer>> chosenCalls = new HashMap<>();

  TestNgChoice(List<Selection> selections, Options options) {
    this.selections = selections;
    this.options = options;
  }

  @Override
  public synchronized List<IMethodInstance> intercept(
      List<IMethodInstance> methods, ITestContext context) {
    List<ITestNGMethod> all = new ArrayList<>();
    for (IMethodInstance each : methods) {
      all.add(each.getMethod());
    }
    // In an order that is the same however many of them are run.
    for (ITestNGMethod each : context.getAllTestMethods()) {
      number(each);
    }
    Set<ITestNGMethod> kept = new LinkedHashSet<>();
    for (ITestNGMethod each : all) {
      if (isChosen(each)) {
        kept.add(each);
      }
    }
    Deque<ITestNGMethod> waiting = new ArrayDeque<>(kept);
    while (!waiting.isEmpty()) {
      for (ITestNGMethod each : needs(waiting.pop(), all)) {
        if (kept.add(each)) {
          waiting.add(each);
        }
      }
    }
    List<IMethodInstance> left = new ArrayList<>(methods);
    left.removeIf(each -> !kept.contains(each.getMethod()));
    return left;
  }

  /** What names a method or a call that there is not. */
  synchronized List<Selection> notFound() {
    List<Selection> missing = new ArrayList<>(selections);
    missing.removeIf(
        each -> (each.method == null && each.uniqueId == null) || found.contains(each));
    return missing;
  }

  /** Which call it is, from 1, of the method with that id, when it is the `started`-th to start. */
  synchronized int numberOf(String id, int started) {
    List<Integer> chosen = chosenCalls.get(id);
    return chosen != null && started <= chosen.size() ? chosen.get(started - 1) : started;
  }

  /** Whether it is called several times, whatever its arguments. */
  boolean isRepeated(ITestNGMethod method) {
    return method.getInvocationCount() > 1 || chosenCalls.containsKey(idOf(method));
  }

  /** The number of its instance, from 1, if a factory makes several of its class; else 0. */
  synchronized int instanceOf(ITestNGMethod method) {
    List<Object> known = instances.getOrDefault(className(method), List.of());
    for (int i = 0; i < known.size() && known.size() > 1; i++) {
      if (known.get(i) == method.getInstance()) {
        return i + 1;
      }
    }
    return 0;
  }

  /** `[method:odd(int)]`. */
  String segmentOf(ITestNGMethod method) {
    StringJoiner types = new StringJoiner(",", method.getMethodName() + "(", ")");
    for (Class<?> each : javaMethod(method).getParameterTypes()) {
      types.add(each.getTypeName());
    }
    return UniqueId.segment("method", types.toString());
  }

  /** The id of a method, of one instance of its class. */
  String idOf(ITestNGMethod method) {
    String id = UniqueId.of(UniqueId.TESTNG, className(method));
    int instance = instanceOf(method);
    if (instance > 0) {
      id += "/" + UniqueId.segment("instance", String.valueOf(instance));
    }
    return id + "/" + segmentOf(method);
  }

  /** The name of an instance that a factory made: its own, or what it was made with. */
  static String named(ITestNGMethod method) {
    Object instance = method.getInstance();
    try {
      if (instance instanceof ITest) {
        return String.valueOf(((ITest) instance).getTestName());
      }
      boolean isWritten =
          instance.getClass().getMethod("toString").getDeclaringClass() != Object.class;
      return isWritten ? String.valueOf(instance) : arguments(method);
    } catch (ReflectiveOperationException | RuntimeException broken) {
      return "an instance without a name";
    }
  }

  private static String arguments(ITestNGMethod method) throws ReflectiveOperationException {
    try { // since 6.10
      Object made = ITestNGMethod.class.getMethod("getFactoryMethodParamsInfo").invoke(method);
      if (made != null) {
        Object given = made.getClass().getMethod("getParameters").invoke(made);
        return Arrays.deepToString((Object[]) given);
      }
    } catch (NoSuchMethodException older) {
      // It has no name there.
    }
    return "";
  }

  private void number(ITestNGMethod method) {
    List<Object> known =
        instances.computeIfAbsent(className(method), ignored -> new ArrayList<>());
    Object instance = method.getInstance();
    if (known.stream().noneMatch(each -> each == instance)) {
      known.add(instance);
    }
  }

  private boolean isChosen(ITestNGMethod method) {
    boolean isChosen = false;
    List<Integer> calls = new ArrayList<>();
    for (Selection each : selections) {
      int call = chosenCall(each, method);
      if (call >= 0) {
        found.add(each);
        isChosen = true;
        calls.add(call);
      }
    }
    if (isChosen && !calls.contains(0)) {
      calls.sort(null);
      chosenCalls.put(idOf(method), calls);
      if (javaMethod(method).getParameterCount() == 0) {
        method.setInvocationCount(calls.size());
      } else {
        List<Integer> indices = new ArrayList<>();
        calls.forEach(each -> indices.add(each - 1));
        method.setInvocationNumbers(indices);
      }
    }
    return isChosen;
  }

  /** Which of its calls is meant, from 1; 0 for all, -1 for none. */
  private int chosenCall(Selection selection, ITestNGMethod method) {
    if (!selection.className.equals(className(method))) {
      return -1;
    }
    if (selection.uniqueId != null) {
      String id = idOf(method);
      String ofCall = id + "/[call:";
      if (selection.uniqueId.startsWith(ofCall)) {
        return Integer.parseInt(UniqueId.value(selection.uniqueId, "call"));
      }
      return id.startsWith(selection.uniqueId) ? 0 : -1;
    }
    if (selection.method == null) {
      return options.allow(List.of(method.getGroups())) ? 0 : -1;
    }
    if (!selection.method.equals(method.getMethodName())) {
      return -1;
    }
    boolean isOneOfMany =
        javaMethod(method).getParameterCount() > 0 || method.getInvocationCount() > 1;
    int instance = instanceOf(method);
    if (selection.call == 0 || instance == 0 || isOneOfMany) {
      return selection.call;
    }
    return selection.call == instance ? 0 : -1;
  }

  private static List<ITestNGMethod> needs(ITestNGMethod method, List<ITestNGMethod> all) {
    List<ITestNGMethod> needed = new ArrayList<>();
    for (String name : method.getMethodsDependedUpon()) {
      List<ITestNGMethod> meant = new ArrayList<>();
      for (ITestNGMethod each : all) {
        if (matches(name, javaMethod(each).getDeclaringClass().getName() + "." + nameOf(each))
            || matches(name, className(each) + "." + nameOf(each))) {
          meant.add(each);
        }
      }
      List<ITestNGMethod> same = new ArrayList<>(meant);
      same.removeIf(each -> each.getInstance() != method.getInstance());
      needed.addAll(same.isEmpty() ? meant : same);
    }
    for (String group : method.getGroupsDependedUpon()) {
      for (ITestNGMethod each : all) {
        if (Arrays.stream(each.getGroups()).anyMatch(own -> matches(group, own))) {
          needed.add(each);
        }
      }
    }
    return needed;
  }

  static boolean matches(String pattern, String text) {
    try {
      return pattern.equals(text) || Pattern.matches(pattern, text);
    } catch (PatternSyntaxException plain) {
      return false;
    }
  }

  private static String className(ITestNGMethod method) {
    return method.getTestClass().getName();
  }

  private static String nameOf(ITestNGMethod method) {
    return method.getMethodName();
  }

  private static Method javaMethod(ITestNGMethod method) {
    return method.getConstructorOrMethod().getMethod();
  }
}
