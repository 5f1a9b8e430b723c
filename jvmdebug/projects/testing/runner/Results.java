// SPDX-License-Identifier: Apache-2.0
package jvmdebug.runner;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes what happens, one JSON object a line. `started` and `finished` have the id of a node of the
 * tree; a node has a `kind`: class, method (a test, or all calls of one), call (one of several).
 * Frameworks call it from any thread.
 */
final class Results implements AutoCloseable {
  private static final int MOST_CHARACTERS = 20_000;
  private static final int MOST_FRAMES = 200;

  private final Writer out;
  private final Map<String, Long> started = new LinkedHashMap<>();
  private final Map<String, String> opened = new LinkedHashMap<>();
  private final Map<String, Throwable> classFailures = new HashMap<>();
  private final Set<String> failed = new HashSet<>();
  private int tests;

  Results(String path) throws IOException {
    out =
        new BufferedWriter(
            new OutputStreamWriter(new FileOutputStream(path, true), StandardCharsets.US_ASCII));
    line(new Line("begin"));
  }

  /** Something begins that its class, method and number of the call name. */
  void start(
      String id, String parent, String kind, String name, String type, String method, int call) {
    start(id, parent, kind, name, type, method, call, true);
  }

  /** Something begins; `parent` null for what is at the top. `isNamed`: see {@link UniqueId}. */
  synchronized void start(
      String id,
      String parent,
      String kind,
      String name,
      String type,
      String method,
      int call,
      boolean isNamed) {
    started.put(id, System.nanoTime());
    line(
        new Line("started")
            .text("id", id)
            .text("parent", parent)
            .text("kind", kind)
            .text("name", name)
            .text("class", type)
            .text("method", method)
            .number("call", call == 0 ? null : call)
            .flag("ambiguous", !isNamed));
  }

  /** Something has ended: `passed`, `failed`, `skipped`, with the reason of the latter two. */
  synchronized void finish(String id, String kind, String status, Throwable failure, String why) {
    Long since = started.remove(id);
    if (since == null) {
      return;
    }
    boolean isTest = !kind.equals("class") && !kind.equals("calls");
    tests += isTest ? 1 : 0;
    if (status.equals("failed")) {
      failed.add(id);
    }
    Line line =
        new Line("finished")
            .text("id", id)
            .text("status", status)
            .number("seconds", (System.nanoTime() - since) / 1e9)
            .text("reason", cut(why));
    if (failure != null) {
      line.failure(failure);
    }
    line(line);
  }

  // For frameworks that tell of tests only: the nodes above them are made here.

  /** The node of a class, begun if it is not. */
  synchronized String openClass(String engine, String type) {
    String id = UniqueId.of(engine, type);
    if (opened.putIfAbsent(id, "class") == null) {
      start(id, null, "class", simpleName(type), type, null, 0);
    }
    return id;
  }

  /** The node of a method that is called several times, begun if it is not. */
  synchronized void openCalls(
      String id, String parent, String name, String type, String method, boolean isNamed) {
    if (opened.putIfAbsent(id, "calls") == null) {
      start(id, parent, "calls", name, type, method, 0, isNamed);
    }
  }

  /** Something outside a test failed: what a class sets up. Told when the class ends. */
  synchronized void failClass(String engine, String type, Throwable failure) {
    classFailures.putIfAbsent(openClass(engine, type), failure);
  }

  /** End the nodes that were opened here, the innermost first. */
  synchronized void closeAll() {
    for (String kind : new String[] {"calls", "class"}) {
      for (Map.Entry<String, String> each : opened.entrySet()) {
        if (each.getValue().equals(kind)) {
          Throwable failure = classFailures.get(each.getKey());
          String status = failure == null ? "passed" : "failed";
          finish(each.getKey(), kind, status, failure, null);
        }
      }
    }
    opened.clear();
    classFailures.clear();
  }

  /** What is meant is not there, cannot be loaded, or a framework gave up. */
  synchronized void brokenOff(Selection selection, Throwable failure) {
    closeAll();
    String kind = selection.method == null && selection.uniqueId == null ? "class" : "method";
    String id = selection.toString();
    String name = selection.method == null ? simpleName(id) : selection.method;
    boolean isNamed = selection.uniqueId == null;
    start(id, null, kind, name, selection.className, selection.method, selection.call, isNamed);
    finish(id, kind, "failed", failure, null);
  }

  /** All is done; the number of what failed. */
  synchronized int end() {
    closeAll();
    line(new Line("end").number("tests", tests));
    return failed.size();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void line(Line line) {
    try {
      out.write(line.end());
      out.flush();
    } catch (IOException error) {
      throw new UncheckedIOException("the debugger does not read the results", error);
    }
  }

  static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }

  private static String cut(String text) {
    boolean isLong = text != null && text.length() > MOST_CHARACTERS;
    return isLong ? text.substring(0, MOST_CHARACTERS) + "…" : text;
  }

  /** One JSON object. */
  private static final class Line {
    private final StringBuilder text = new StringBuilder();

    Line(String event) {
      text.append("{\"event\":");
      quote(event);
    }

    Line text(String name, String value) {
      if (value != null) {
        name(name);
        quote(value);
      }
      return this;
    }

    Line number(String name, Number value) {
      if (value != null) {
        name(name);
        text.append(value);
      }
      return this;
    }

    Line flag(String name, boolean value) {
      if (value) {
        name(name);
        text.append("true");
      }
      return this;
    }

    Line failure(Throwable failure) {
      StringWriter trace = new StringWriter();
      String message;
      try {
        failure.printStackTrace(new PrintWriter(trace, true));
        message = failure.getMessage();
      } catch (RuntimeException | StackOverflowError broken) {
        message = "its message cannot be had: " + broken.getClass().getName();
      }
      name("failure");
      text.append("{\"type\":");
      quote(failure.getClass().getName());
      text("message", cut(message));
      text("expected", cut(shown(failure, "getExpected")));
      text("actual", cut(shown(failure, "getActual")));
      text("trace", cut(trace.toString()));
      name("frames");
      text.append('[');
      StackTraceElement[] frames = failure.getStackTrace();
      for (int i = 0; i < frames.length && i < MOST_FRAMES; i++) {
        text.append(i == 0 ? "{\"class\":" : ",{\"class\":");
        quote(frames[i].getClassName());
        text("method", frames[i].getMethodName());
        text("file", frames[i].getFileName());
        number("line", frames[i].getLineNumber());
        text.append('}');
      }
      text.append("]}");
      return this;
    }

    /** What assertions of JUnit 4, 5 and TestNG have beside the message. */
    private static String shown(Throwable failure, String getter) {
      try {
        Method method = failure.getClass().getMethod(getter);
        Object value = method.invoke(failure);
        if (value == null) {
          return null;
        }
        if (value.getClass().getName().equals("org.opentest4j.ValueWrapper")) {
          value = value.getClass().getMethod("getStringRepresentation").invoke(value);
        }
        return String.valueOf(value);
      } catch (ReflectiveOperationException | RuntimeException none) {
        return null;
      }
    }

    private void name(String name) {
      char last = text.charAt(text.length() - 1);
      if (last != '{' && last != '[') {
        text.append(',');
      }
      quote(name);
      text.append(':');
    }

    private void quote(String value) {
      text.append('"');
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '"' || c == '\\') {
          text.append('\\').append(c);
        } else if (c >= ' ' && c < 127) {
          text.append(c);
        } else {
          text.append(String.format("\\u%04x", (int) c));
        }
      }
      text.append('"');
    }

    String end() {
      return text.append("}\n").toString();
    }
  }
}
