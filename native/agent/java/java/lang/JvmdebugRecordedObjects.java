// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * The objects that a recording has met: numbers them in a chunk, and describes them. Used by the
 * agent's thread alone, without running code of the program.
 */
public final class JvmdebugRecordedObjects {
  // Kinds of objects, as on the wire.
  private static final int PLAIN = 0;
  private static final int STRING = 1;
  private static final int BOXED = 2;
  private static final int ENUM = 3;
  private static final int ARRAY = 4;
  private static final int CLASS = 5;
  private static final int COLLECTION = 6;
  private static final int THROWABLE = 7;
  private static final int TEXT = 8;
  private static final int MAP = 9;

  private static final int MOST_TEXT = 10_000;
  private static final int MOST_ELEMENTS = 100;
  // Those that take no lock, and whose iterators cannot loop while the program changes them.
  private static final String COLLECTIONS =
      " java.util.ArrayList java.util.LinkedList java.util.ArrayDeque java.util.HashSet"
          + " java.util.LinkedHashSet java.util.Arrays$ArrayList java.util.PriorityQueue"
          + " java.util.concurrent.CopyOnWriteArrayList ";
  private static final String MAPS =
      " java.util.HashMap java.util.LinkedHashMap java.util.concurrent.ConcurrentHashMap ";
  private static final String IMMUTABLE = "java.util.ImmutableCollections$";
  // Those whose texts are made of values of the JDK alone.
  private static final String TEXTS =
      " java.util.UUID java.net.URI java.util.Locale java.time.Instant java.time.Duration"
          + " java.time.LocalDate java.time.LocalTime java.time.LocalDateTime java.time.Period"
          + " java.time.ZonedDateTime java.time.OffsetDateTime java.time.OffsetTime java.time.Year"
          + " java.time.YearMonth java.time.MonthDay java.time.ZoneOffset java.time.ZoneRegion ";

  /** The objects of the chunk that was numbered last, the first one first. */
  static final Object[] FOUND = new Object[JvmdebugRecorder.SIZE];

  // The same by identity.
  private static final int PLACE_SHIFT = 17;
  private static final Object[] PLACES = new Object[1 << (32 - PLACE_SHIFT)];
  private static final int[] NUMBER = new int[PLACES.length];
  private static final int[] USED = new int[FOUND.length];

  private JvmdebugRecordedObjects() {}

  /**
   * Numbers the objects of some records from 1 on, writes the numbers as their values, and takes
   * the references away. Returns how many objects there are.
   */
  static int number(Object[] references, long[] records, int from, int count) {
    int objects = 0;
    for (int each = from; each < from + count; each++) {
      long record = records[each];
      if (record < 0) {
        each++; // a wide one, and its value
      } else if ((record & JvmdebugRecorder.REFERENCE) != 0) {
        Object found = references[each];
        references[each] = null;
        if (found != null) {
          int place = place(found);
          if (PLACES[place] == null) {
            PLACES[place] = found;
            FOUND[objects] = found;
            USED[objects] = place;
            NUMBER[place] = ++objects;
          }
          records[each] = record | NUMBER[place];
        }
      }
    }
    for (int each = 0; each < objects; each++) {
      PLACES[USED[each]] = null;
    }
    return objects;
  }

  /** Where an object is among those of the chunk, or goes. */
  private static int place(Object of) {
    int place = System.identityHashCode(of) * 0x9E3779B1 >>> PLACE_SHIFT;
    while (PLACES[place] != null && PLACES[place] != of) {
      place = (place + 1) & (PLACES.length - 1);
    }
    return place;
  }

  /** The length of an array of byte, boolean, char, short or int. */
  static int length(Object of) {
    if (of instanceof int[]) {
      return ((int[]) of).length;
    }
    if (of instanceof byte[]) {
      return ((byte[]) of).length;
    }
    if (of instanceof char[]) {
      return ((char[]) of).length;
    }
    if (of instanceof boolean[]) {
      return ((boolean[]) of).length;
    }
    return of instanceof short[] ? ((short[]) of).length : 0;
  }

  static void forget() {
    Arrays.fill(FOUND, null);
  }

  /**
   * Describes an object without running code of the program: {name of the class, text, elements,
   * bits of elements, {kind, length}}; kinds as on the wire.
   */
  public static Object[] describe(Object of) {
    Class<?> type = of.getClass();
    Object[] made = {type.getName(), null, null, null, null};
    int[] kind = {PLAIN, 0};
    made[4] = kind;
    try {
      if (type.isArray()) {
        kind[0] = ARRAY;
        kind[1] = array(of, made);
      } else if (type == String.class) {
        String text = (String) of;
        kind[0] = STRING;
        kind[1] = text.length();
        made[1] = text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
      } else if (of instanceof Enum) {
        kind[0] = ENUM;
        made[1] = ((Enum<?>) of).name();
      } else if (of instanceof Class) {
        kind[0] = CLASS;
        made[1] = ((Class<?>) of).getName();
      } else if (of instanceof Throwable) {
        kind[0] = THROWABLE;
      } else if (type.getClassLoader() == null) {
        known(of, type.getName(), made, kind);
      }
    } catch (Throwable error) {
      kind[0] = PLAIN; // changed meanwhile by the program
      made[2] = null;
    }
    return made;
  }

  private static int array(Object of, Object[] made) {
    if (of instanceof Object[]) {
      Object[] all = (Object[]) of;
      made[2] = Arrays.copyOf(all, Math.min(all.length, MOST_ELEMENTS), Object[].class);
      return all.length;
    }
    int length = java.lang.reflect.Array.getLength(of);
    long[] bits = new long[Math.min(length, MOST_ELEMENTS)];
    for (int each = 0; each < bits.length; each++) {
      if (of instanceof float[]) {
        bits[each] = Float.floatToRawIntBits(((float[]) of)[each]) & 0xFFFFFFFFL;
      } else if (of instanceof double[]) {
        bits[each] = Double.doubleToRawLongBits(((double[]) of)[each]);
      } else if (of instanceof boolean[]) {
        bits[each] = ((boolean[]) of)[each] ? 1 : 0;
      } else if (of instanceof char[]) {
        bits[each] = ((char[]) of)[each];
      } else {
        bits[each] = java.lang.reflect.Array.getLong(of, each);
      }
    }
    made[3] = bits;
    return length;
  }

  /** Describes an object of the JDK whose methods lead to no code of the program. */
  private static void known(Object of, String name, Object[] made, int[] kind) {
    String in = " " + name + " ";
    if (of instanceof Number || of instanceof Boolean || of instanceof Character) {
      if (!isLong(of)) {
        kind[0] = name.startsWith("java.lang.") ? BOXED : TEXT;
        made[1] = String.valueOf(of);
      }
    } else if (of instanceof StringBuilder) {
      StringBuilder text = (StringBuilder) of;
      kind[0] = TEXT;
      kind[1] = text.length();
      made[1] = text.substring(0, Math.min(text.length(), MOST_TEXT));
    } else if (TEXTS.contains(in)) {
      kind[0] = TEXT;
      String text = String.valueOf(of);
      made[1] = text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
    } else if (COLLECTIONS.contains(in)
        || name.startsWith(IMMUTABLE + "List")
        || name.startsWith(IMMUTABLE + "Set")) {
      Collection<?> all = (Collection<?>) of;
      kind[0] = COLLECTION;
      kind[1] = all.size();
      Object[] first = new Object[Math.min(kind[1], MOST_ELEMENTS)];
      Iterator<?> each = all.iterator();
      for (int index = 0; index < first.length && each.hasNext(); index++) {
        first[index] = each.next();
      }
      made[2] = first;
    } else if (MAPS.contains(in) || name.startsWith(IMMUTABLE + "Map")) {
      Map<?, ?> all = (Map<?, ?>) of;
      kind[0] = MAP;
      kind[1] = all.size();
      Object[] first = new Object[2 * Math.min(kind[1], MOST_ELEMENTS)];
      Iterator<? extends Map.Entry<?, ?>> each = all.entrySet().iterator();
      for (int index = 0; index < first.length && each.hasNext(); index += 2) {
        Map.Entry<?, ?> entry = each.next();
        first[index] = entry.getKey();
        first[index + 1] = entry.getValue();
      }
      made[2] = first;
    }
  }

  /** Whether the text of a number would be longer than a text may be, and take long to make. */
  private static boolean isLong(Object number) {
    BigInteger digits = number instanceof BigInteger ? (BigInteger) number : null;
    if (number instanceof BigDecimal) {
      digits = ((BigDecimal) number).unscaledValue();
    }
    return digits != null && digits.bitLength() > 3 * MOST_TEXT;
  }
}
