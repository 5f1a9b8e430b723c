// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What to run: {@code shop.CartTest}, {@code shop.CartTest#adds}, {@code shop.CartTest#adds[2]}, or
 * a {@link UniqueId}.
 */
final class Selection {
  final String className;

  /** Null for the whole class. */
  final String method;

  /** Which of the calls of a parameterised method, from 1; 0 for all. */
  final int call;

  /** The id of the only test or container that is meant; null if it was named otherwise. */
  final String uniqueId;

  private Selection(String className, String method, int call, String uniqueId) {
    this.className = className;
    this.method = method;
    this.call = call;
    this.uniqueId = uniqueId;
  }

  static Selection parse(String text) {
    if (text.startsWith("[")) {
      String type = UniqueId.value(text, "class");
      return new Selection(type == null ? text : type, null, 0, text);
    }
    int hash = text.indexOf('#');
    if (hash < 0) {
      return new Selection(text, null, 0, null);
    }
    int bracket = text.indexOf('[', hash);
    if (bracket < 0) {
      return new Selection(text.substring(0, hash), text.substring(hash + 1), 0, null);
    }
    int call = Integer.parseInt(text.substring(bracket + 1, text.length() - 1));
    return new Selection(text.substring(0, hash), text.substring(hash + 1, bracket), call, null);
  }

  /** What somebody wrote. */
  @Override
  public String toString() {
    if (uniqueId != null) {
      return uniqueId;
    }
    return className + (method == null ? "" : "#" + method) + (call == 0 ? "" : "[" + call + "]");
  }

  /** Whether a class has one method of that name. */
  static boolean isOnlyOne(String className, String method) {
    try {
      return parse(className + "#" + method).methods().size() < 2;
    } catch (ClassNotFoundException | LinkageError unknown) {
      return false;
    }
  }

  /** Not initialized: its framework does that, and reports what it throws. */
  Class<?> type() throws ClassNotFoundException {
    return Class.forName(className, false, Selection.class.getClassLoader());
  }

  /** All methods of that name, inherited and private ones too; an overridden one once. */
  Collection<Method> methods() throws ClassNotFoundException {
    Map<String, Method> found = new LinkedHashMap<>();
    for (Class<?> type = type(); type != null; type = type.getSuperclass()) {
      for (Method each : type.getDeclaredMethods()) {
        if (each.getName().equals(method) && !each.isSynthetic()) {
          found.putIfAbsent(Arrays.toString(each.getParameterTypes()), each);
        }
      }
      for (Class<?> each : type.getInterfaces()) {
        for (Method inherited : each.getMethods()) {
          if (inherited.getName().equals(method) && inherited.isDefault()) {
            found.putIfAbsent(
                Arrays.toString(inherited.getParameterTypes()), inherited);
          }
        }
      }
    }
    return found.values();
  }
}
