// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The id of a test in the form of JUnit's platform: {@code [engine:testng]/[class:shop.CartTest]/…}.
 * We make ids for the frameworks that have none of their own, with engines of these names.
 */
final class UniqueId {
  static final String JUNIT4 = "junit4";
  static final String TESTNG = "testng";

  private UniqueId() {}

  static String of(String engine, String className) {
    return "[engine:" + engine + "]" + "/" + segment("class", className);
  }

  /** Escapes what has a meaning in an id. */
  static String segment(String type, String value) {
    StringBuilder text = new StringBuilder("[").append(type).append(':');
    for (char each : value.toCharArray()) {
      boolean isSpecial = "%+:/[]".indexOf(each) >= 0;
      text.append(isSpecial ? URLEncoder.encode(String.valueOf(each), StandardCharsets.UTF_8) : each);
    }
    return text.append(']').toString();
  }

  /** The segments, each `type:value`. */
  static List<String> segments(String id) {
    List<String> found = new ArrayList<>();
    for (String each : id.split("/")) {
      String inner = each.substring(1, each.length() - 1);
      found.add(URLDecoder.decode(inner, StandardCharsets.UTF_8));
    }
    return found;
  }

  /** The value of the first segment of that type; null if there is none. */
  static String value(String id, String type) {
    for (String each : segments(id)) {
      if (each.startsWith(type + ":")) {
        return each.substring(type.length() + 1);
      }
    }
    return null;
  }

  /**
   * Whether a class, a method and the number of a call name just this test of JUnit Jupiter. Not so
   * for overloaded methods, for tests in dynamic containers, and for nested classes that are
   * inherited.
   */
  static boolean isNamed(String id, String className, String method, int call) {
    List<String> segments = segments(id);
    String type = null;
    int at = 1;
    for (; at < segments.size(); at++) {
      String each = segments.get(at);
      if (each.startsWith("class:")) {
        type = each.substring("class:".length());
      } else if (each.startsWith("nested-class:")) {
        type += "$" + each.substring("nested-class:".length());
      } else {
        break;
      }
    }
    if (type == null || !type.equals(className)) {
      return false;
    }
    int below = segments.size() - at;
    boolean isOfMethod = below > 0 && segments.get(at).contains(":" + method + "(");
    return method == null
        ? below == 0
        : isOfMethod && below == (call == 0 ? 1 : 2) && Selection.isOnlyOne(className, method);
  }
}
