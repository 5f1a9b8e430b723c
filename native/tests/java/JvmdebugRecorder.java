// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Has the methods that recorded code calls; they do nothing. */
public final class JvmdebugRecorder {

  public static JvmdebugRecorder enter(int site) { return null; }

  public static JvmdebugRecorder enter(int value, int site) { return null; }

  public static JvmdebugRecorder enter(long value, int site) { return null; }

  public static JvmdebugRecorder enter(float value, int site) { return null; }

  public static JvmdebugRecorder enter(double value, int site) { return null; }

  public static JvmdebugRecorder enter(Object value, int site) { return null; }

  public static JvmdebugRecorder enterRoot(int site) { return null; }

  public static JvmdebugRecorder leaf(int site) { return null; }

  public static JvmdebugRecorder leaf(Object value, int site) { return null; }

  public static void leafLeft(JvmdebugRecorder recorder) {}

  public static void acquired() {}

  public static void clock(JvmdebugRecorder recorder) {}

  public static int depth(JvmdebugRecorder recorder) { return 0; }

  public static void line(JvmdebugRecorder recorder, int base, int site) {}

  public static void value(int value, JvmdebugRecorder recorder, int base, int site) {}

  public static void value(long value, JvmdebugRecorder recorder, int base, int site) {}

  public static void value(float value, JvmdebugRecorder recorder, int base, int site) {}

  public static void value(double value, JvmdebugRecorder recorder, int base, int site) {}

  public static void value(Object value, JvmdebugRecorder recorder, int base, int site) {}

  public static void field(Object of, int value, JvmdebugRecorder recorder, int base, int site) {}

  public static void field(Object of, long value, JvmdebugRecorder recorder, int base, int site) {}

  public static void field(Object of, float value, JvmdebugRecorder recorder, int base, int site) {}

  public static void field(Object of, double value, JvmdebugRecorder recorder, int base, int site) {}

  public static void field(Object of, Object value, JvmdebugRecorder recorder, int base, int site) {}

  public static void element(Object of, int index, int value, JvmdebugRecorder recorder, int base, int site) {}

  public static void element(Object of, int index, long value, JvmdebugRecorder recorder, int base, int site) {}

  public static void element(Object of, int index, float value, JvmdebugRecorder recorder, int base, int site) {}

  public static void element(Object of, int index, double value, JvmdebugRecorder recorder, int base, int site) {}

  public static void element(Object of, int index, Object value, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(int value, int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(long value, int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(float value, int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(double value, int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void exit(Object value, int depth, JvmdebugRecorder recorder, int base, int site) {}

  public static void caught(Object value, int depth, JvmdebugRecorder recorder, int base, int site) {}
}
