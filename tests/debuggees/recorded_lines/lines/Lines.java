// SPDX-License-Identifier: Apache-2.0
package lines;

/** Lines that end in the middle, right behind code that does nothing else, and lines that do not. */
public class Lines {
  static int made;

  int total;
  int[] counts = new int[2];
  Lines next;

  static class Late {
    static int late = 7 / made;
  }

  int getTotal() {
    return total;
  }

  void setTotal(int total) {
    int doubled = total * 2;
    this.total = doubled - total;
  }

  static int straight(int value) {
    int first = value + 1;
    int second = first * 3;
    long third = second - value;
    third += first;
    return (int) third ^ second;
  }

  static int divided(int by) {
    int before = by + 1;
    int result = before / by;
    return result;
  }

  static void stored(Lines into, int value) {
    int kept = value;
    into.total = kept;
    into.counts[kept] = kept;
  }

  static int read(Lines from) {
    int kept = 5;
    kept += from.total;
    return kept + from.next.total;
  }

  static String cast(Object value) {
    Object same = value;
    String text = (String) same;
    return text;
  }

  static int initialized() {
    int one = 1;
    int late = Late.late;
    return one + late;
  }

  static int looped(int most) {
    int sum = 0;
    int at = 0;
    while (at < most) {
      at++;
      if (at == 3) {
        continue;
      }
      sum += at;
    }
    return sum;
  }

  static int chosen(int value) {
    int found;
    switch (value) {
      case 0:
        found = 10;
        break;
      case 1:
        found = 20;
      default:
        found = 30;
    }
    return found;
  }

  static int cleaned(int by) {
    int found = 1;
    try {
      found = 2;
      found = divided(by);
    } catch (ArithmeticException problem) {
      found = -1;
      made++;
    } finally {
      found += 100;
      made++;
    }
    return found;
  }

  static void caught(Runnable task) {
    int before = made;
    try {
      task.run();
    } catch (RuntimeException | LinkageError problem) {
      made = before + 1;
    }
    made += 1;
  }

  public static void main(String[] args) {
    Lines one = new Lines();
    one.setTotal(4);
    made += one.getTotal();
    made += straight(made);
    made = 0;
    cleaned(0);
    cleaned(2);
    caught(
        () -> {
          stored(one, 1);
        });
    caught(
        () -> {
          stored(one, 2);
        });
    caught(
        () -> {
          stored(null, 1);
        });
    caught(
        () -> {
          read(one);
        });
    caught(
        () -> {
          cast("text");
        });
    caught(
        () -> {
          cast(1);
        });
    made = 0;
    caught(
        () -> {
          initialized();
        });
    caught(
        () -> {
          initialized();
        });
    made += looped(5);
    made += chosen(0) + chosen(1) + chosen(2);
    System.out.println("made " + made);
  }
}
