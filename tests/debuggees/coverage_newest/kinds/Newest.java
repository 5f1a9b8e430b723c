// SPDX-License-Identifier: Apache-2.0
package kinds;

/** Kinds of code of Java 21 and later: switches over patterns. */
public class Newest {
  sealed interface Node permits Leaf, Pair {}

  record Leaf(int value) implements Node {}

  record Pair(Node left, Node right) implements Node {}

  static int sum(Node node) {
    return switch (node) {
      case Leaf leaf -> leaf.value();
      case Pair(Leaf(int value), Node right) when value > 10 -> value + sum(right);
      case Pair(Node left, Node right) -> sum(left) + sum(right);
    };
  }

  static String kind(Object value) {
    return switch (value) {
      case null -> "null";
      case Integer number when number > 3 -> "large";
      case Integer number -> "small";
      case String text -> text;
      default -> "other";
    };
  }

  static int record(Object value) {
    if (value instanceof Pair(Leaf(int one), Leaf(int two)) && one > two) {
      return one;
    }
    return 0;
  }

  public static void main(String[] args) {
    System.out.println(sum(new Pair(new Leaf(1), new Leaf(2))));
    System.out.println(kind(1) + kind("text") + kind(2.0));
    System.out.println(record(new Pair(new Leaf(2), new Leaf(1))) + record("x"));
  }
}
