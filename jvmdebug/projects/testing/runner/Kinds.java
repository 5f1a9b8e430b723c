// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Which framework a class is written for, by its annotations and superclasses. */
final class Kinds {
  private Kinds() {}

  /** The name of the class here that runs it. JUnit's platform, if nothing else is seen. */
  static String frameworkOf(Class<?> test) {
    for (Class<?> type = test; type != null; type = type.getSuperclass()) {
      String name = type.getName();
      if (name.equals("junit.framework.TestCase") || has(type, "org.junit.runner.RunWith")) {
        return "jvmdebug.runner.JUnit4";
      }
      if (has(type, "org.testng.annotations.")) {
        return "jvmdebug.runner.TestNg";
      }
      for (Method method : type.getDeclaredMethods()) {
        if (has(method, "org.testng.annotations.")) {
          return "jvmdebug.runner.TestNg";
        }
        if (has(method, "org.junit.Test") || isSuite(method)) {
          return "jvmdebug.runner.JUnit4";
        }
      }
    }
    return "jvmdebug.runner.Platform";
  }

  /** JUnit 3's {@code public static Test suite()}. */
  private static boolean isSuite(Method method) {
    return method.getName().equals("suite")
        && method.getParameterCount() == 0
        && Modifier.isStatic(method.getModifiers())
        && method.getReturnType().getName().equals("junit.framework.Test");
  }

  private static boolean has(AnnotatedElement element, String name) {
    for (Annotation each : element.getDeclaredAnnotations()) {
      String found = each.annotationType().getName();
      if (name.endsWith(".") ? found.startsWith(name) : found.equals(name)) {
        return true;
      }
    }
    return false;
  }
}
