// SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Kinds of code that javac emits, each run in part. */
public class Kinds {
  enum Color {
    RED,
    GREEN,
    BLUE
  }

  enum Named {
    ONE("one"),
    TWO("two");

    private final String text;

    Named(String text) {
      this.text = text;
    }
  }

  static class Resource implements AutoCloseable {
    private final boolean fails;

    Resource(boolean fails) {
      this.fails = fails;
    }

    @Override
    public void close() {
      if (fails) {
        throw new IllegalStateException("close");
      }
    }
  }

  static final class Utility {
    private Utility() {}

    static int once() {
      return 1;
    }
  }

  interface Shape {
    default int area() {
      return sides() * 2;
    }

    int sides();

    static Shape of(int sides) {
      return () -> sides;
    }
  }

  private static int counter;

  static int conditions(int a, int b) {
    int found = 0;
    if (a > 0 && b > 0) {
      found = 1;
    }
    if (a > 5 || b > 5) {
      found += 2;
    } else {
      found += 3;
    }
    found += a == b ? 10 : 20;
    boolean both = a < b & b < 100;
    while (found > 30) {
      found -= a > 3 ? 2 : 1;
    }
    do {
      found++;
    } while (found < 12);
    return both ? found : -found;
  }

  static String strings(String text) {
    switch (text) {
      case "one":
        return "1";
      case "two":
      case "zwei":
        return "2";
      case "Aa":
        return "a";
      case "BB":
        return "b";
      default:
        return "?";
    }
  }

  static int manyStrings(String text) {
    switch (text) {
      case "word0":
        return 0;
      case "word1":
        return 1;
      case "word2":
        return 2;
      case "word3":
        return 3;
      case "word4":
        return 4;
      case "word5":
        return 5;
      case "word6":
        return 6;
      case "word7":
        return 7;
      case "word8":
        return 8;
      case "word9":
        return 9;
      case "word10":
        return 10;
      case "word11":
        return 11;
      case "word12":
        return 12;
      case "word13":
        return 13;
      case "word14":
        return 14;
      case "word15":
        return 15;
      case "word16":
        return 16;
      case "word17":
        return 17;
      case "word18":
        return 18;
      case "word19":
        return 19;
      case "word20":
        return 20;
      case "word21":
        return 21;
      case "word22":
        return 22;
      case "word23":
        return 23;
      case "word24":
        return 24;
      case "word25":
        return 25;
      case "word26":
        return 26;
      case "word27":
        return 27;
      case "word28":
        return 28;
      case "word29":
        return 29;
      case "word30":
        return 30;
      case "word31":
        return 31;
      case "word32":
        return 32;
      case "word33":
        return 33;
      case "word34":
        return 34;
      case "word35":
        return 35;
      case "word36":
        return 36;
      case "word37":
        return 37;
      case "word38":
        return 38;
      case "word39":
        return 39;
      case "word40":
        return 40;
      case "word41":
        return 41;
      case "word42":
        return 42;
      case "word43":
        return 43;
      case "word44":
        return 44;
      case "word45":
        return 45;
      case "word46":
        return 46;
      case "word47":
        return 47;
      case "word48":
        return 48;
      case "word49":
        return 49;
      case "word50":
        return 50;
      case "word51":
        return 51;
      case "word52":
        return 52;
      case "word53":
        return 53;
      case "word54":
        return 54;
      case "word55":
        return 55;
      case "word56":
        return 56;
      case "word57":
        return 57;
      case "word58":
        return 58;
      case "word59":
        return 59;
      default:
        return -1;
    }
  }

  static int manyNumbers(int number) {
    switch (number) {
      case 1001:
        return 1;
      case 4002:
        return 2;
      case 9003:
        return 3;
      case 16004:
        return 4;
      case 25005:
        return 5;
      case 36006:
        return 6;
      case 49007:
        return 7;
      case 64008:
        return 8;
      case 81009:
        return 9;
      case 100010:
        return 10;
      case 121011:
        return 11;
      case 144012:
        return 12;
      case 169013:
        return 13;
      case 196014:
        return 14;
      case 225015:
        return 15;
      case 256016:
        return 16;
      case 289017:
        return 17;
      case 324018:
        return 18;
      case 361019:
        return 19;
      case 400020:
        return 20;
      case 441021:
        return 21;
      case 484022:
        return 22;
      case 529023:
        return 23;
      case 576024:
        return 24;
      case 625025:
        return 25;
      case 676026:
        return 26;
      case 729027:
        return 27;
      case 784028:
        return 28;
      case 841029:
        return 29;
      case 900030:
        return 30;
      case 961031:
        return 31;
      case 1024032:
        return 32;
      case 1089033:
        return 33;
      case 1156034:
        return 34;
      case 1225035:
        return 35;
      case 1296036:
        return 36;
      case 1369037:
        return 37;
      case 1444038:
        return 38;
      case 1521039:
        return 39;
      case 1600040:
        return 40;
      case 1681041:
        return 41;
      case 1764042:
        return 42;
      case 1849043:
        return 43;
      case 1936044:
        return 44;
      case 2025045:
        return 45;
      default:
        return -1;
    }
  }

  static int strings2(String text) {
    int found = 0;
    switch (text) {
      case "a":
        found = 1;
        break;
      case "b":
        found = 2;
      case "c":
        found += 3;
    }
    return found;
  }

  static int enums(Color color) {
    switch (color) {
      case RED:
        return 1;
      case GREEN:
        return 2;
      default:
        return 3;
    }
  }

  static int falling(int kind) {
    int found = 0;
    switch (kind) {
      case 1:
        found += 1;
      case 2:
        found += 2;
        break;
      case 3:
      case 1000:
        found += 3;
        break;
    }
    return found;
  }

  static int sparse(int kind) {
    int found = 0;
    switch (kind) {
      case -100000:
        found = 1;
        break;
      case 7:
        found = 2;
      case 100000:
        found += 3;
        break;
    }
    return found;
  }

  static int finallyCopies(int kind) {
    int found = 0;
    try {
      if (kind == 1) {
        return 1;
      }
      if (kind == 2) {
        throw new IllegalStateException("two");
      }
      found = 2;
    } catch (IllegalArgumentException caught) {
      found = 3;
    } finally {
      counter++;
      if (kind > 10) {
        counter += 10;
      }
    }
    return found;
  }

  static int nestedFinally(int kind) {
    try {
      try {
        return kind / (kind - 1);
      } finally {
        counter += 2;
      }
    } catch (ArithmeticException caught) {
      return -1;
    } finally {
      counter += 3;
    }
  }

  static int loopFinally(int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) {
      try {
        if (i == 3) {
          break;
        }
        if (i == 1) {
          continue;
        }
        sum += i;
      } finally {
        sum += 100;
      }
    }
    return sum;
  }

  static int resources(boolean fails) {
    int found = 0;
    try (Resource one = new Resource(false);
        Resource two = new Resource(fails)) {
      found = 1;
    } catch (IllegalStateException caught) {
      found = 2;
    }
    return found;
  }

  static int resourceReturned() {
    try (Resource one = new Resource(false)) {
      return counter;
    }
  }

  static int resourceFinally(boolean fails) {
    try (Resource one = new Resource(fails)) {
      counter++;
    } catch (IllegalStateException caught) {
      counter--;
    } finally {
      counter += 5;
    }
    return counter;
  }

  static int lambdas(List<Integer> numbers) {
    IntFunction<Integer> never = each -> each * 3;
    Supplier<Kinds> maker = Kinds::new;
    AtomicInteger sum = new AtomicInteger();
    numbers.forEach(each -> sum.addAndGet(each > 1 ? each : 0));
    numbers.stream().map(each -> {
      if (each == 2) {
        return "two";
      }
      return "other";
    }).forEach(each -> sum.addAndGet(each.length()));
    return never == null || maker == null ? 0 : sum.get();
  }

  static int asserted(int value) {
    assert value > 0 : "not positive: " + value;
    return value;
  }

  static synchronized int locked(Object lock) {
    synchronized (lock) {
      counter++;
    }
    synchronized (Kinds.class) {
      if (counter > 1000) {
        return 1;
      }
      return counter;
    }
  }

  static int thrown(int kind) {
    try {
      Integer.parseInt(kind > 0 ? "1" : "x");
      counter++;
    } catch (NumberFormatException caught) {
      counter--;
      return 0;
    }
    return 1;
  }

  static int caughtSeveral(String text) {
    try {
      return Integer.parseInt(text) + text.charAt(5);
    } catch (NumberFormatException | IndexOutOfBoundsException caught) {
      return -1;
    }
  }

  static long ternaries(int a) {
    long one = a > 1 ? a > 2 ? 3 : 2 : 1;
    Object boxed = a == 1 ? "one" : null;
    return one + (boxed == null ? 0 : boxed.hashCode() == 0 ? 1 : 2);
  }

  static int references(Object one, Object other) {
    int found = 0;
    if (one == other) {
      found++;
    }
    if (one != null && other == null) {
      found += 2;
    }
    for (Object each : new Object[] {one, other}) {
      if (each instanceof String) {
        found += 4;
      }
    }
    return found;
  }

  static void never() {
    counter = 0;
    if (counter > 0) {
      counter++;
    }
  }

  class Inner {
    int outer() {
      return counter + (Kinds.this == null ? 1 : 2);
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(conditions(1, 2) + conditions(9, 9) + conditions(1, 0));
    System.out.println(strings("one") + strings("zwei") + strings("BB") + strings("x"));
    System.out.println(manyStrings("word7") + manyStrings("word59") + manyStrings("nothing"));
    System.out.println(manyNumbers(1001) + manyNumbers(2025045) + manyNumbers(2));
    System.out.println(strings2("a") + strings2("c") + strings2("x"));
    System.out.println(enums(Color.RED) + enums(Color.BLUE) + Named.ONE.text);
    System.out.println(falling(1) + falling(1000) + sparse(7) + sparse(100000) + sparse(8));
    System.out.println(finallyCopies(1) + finallyCopies(3));
    try {
      finallyCopies(2);
    } catch (IllegalStateException expected) {
      System.out.println("caught");
    }
    System.out.println(nestedFinally(1) + nestedFinally(3) + loopFinally(5));
    System.out.println(resources(true) + resources(false) + resourceReturned());
    System.out.println(resourceFinally(false));
    System.out.println(lambdas(List.of(1, 2)) + Utility.once() + Shape.of(3).area());
    System.out.println(asserted(1) + locked("lock") + thrown(1) + thrown(0));
    System.out.println(caughtSeveral("x") + caughtSeveral("123456") + ternaries(2) + ternaries(1));
    System.out.println(references("a", "a") + references("a", null));
    System.out.println(new Kinds().new Inner().outer());
    for (String newer : List.of("kinds.Newer", "kinds.Newest")) {
      Class<?> type = null;
      try {
        type = Class.forName(newer);
      } catch (ClassNotFoundException missing) {
        continue;
      }
      type.getMethod("main", String[].class).invoke(null, (Object) args);
    }
    if (args.length > 0) {
      end(args[0]);
    }
  }

  static void end(String how) {
    switch (how) {
      case "exit":
        System.exit(7);
        return;
      case "halt":
        Runtime.getRuntime().halt(8);
        return;
      default:
        throw new IllegalStateException(how);
    }
  }
}
