// SPDX-License-Identifier: Apache-2.0
package kinds;

/** Kinds of code of Java 17 and later: records, sealed types, switch expressions. */
public class Newer {
  record Point(int x, int y) {
    Point {
      if (x < 0) {
        throw new IllegalArgumentException("negative");
      }
    }

    int sum() {
      return x + y;
    }
  }

  sealed interface Node permits Leaf, Pair {}

  record Leaf(int value) implements Node {}

  record Pair(Node left, Node right) implements Node {}

  enum Size {
    SMALL,
    LARGE
  }

  static int expression(Size size) {
    return switch (size) {
      case SMALL -> 1;
      case LARGE -> 2;
    };
  }

  static int yielding(String text) {
    return switch (text) {
      case "a", "b" -> 1;
      case "c" -> {
        int found = text.length();
        yield found + 1;
      }
      default -> 3;
    };
  }

  static int instance(Object value) {
    if (value instanceof Point point && point.x() > 1) {
      return point.sum();
    }
    if (!(value instanceof String text)) {
      return 0;
    }
    return text.length();
  }

  static String block() {
    return """
        several
        lines""";
  }

  public static void main(String[] args) {
    Point point = new Point(2, 3);
    System.out.println(point + " " + point.equals(new Point(2, 3)) + point.hashCode());
    System.out.println(expression(Size.SMALL) + yielding("b") + yielding("x"));
    System.out.println(instance(point) + instance("text") + block());
    System.out.println(new Pair(new Leaf(1), new Leaf(2)));
  }
}
