// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Something of each kind that the agent can be asked about: see tools/builds.py. */
public class Builds {
  static class Item {
    int price;
    String name;

    Item(int price) {
      this.price = price; // @make
      this.name = "item " + price;
    }

    int twice() {
      return price * 2; // @twice
    }
  }

  static final List<Item> ITEMS = new ArrayList<>();
  static volatile long total;

  static long sum(int round) {
    long sum = 0;
    for (Item item : ITEMS) {
      sum += item.twice(); // @add
    }
    return sum + round; // @sum
  }

  static int fail(int round) {
    try {
      throw new IllegalStateException("round " + round); // @throw
    } catch (IllegalStateException expected) {
      return expected.getMessage().length();
    }
  }

  public static void main(String[] args) throws Exception {
    for (int price = 0; price < 100; price++) {
      ITEMS.add(new Item(price));
    }
    System.out.println("ready"); // @ready
    for (int round = 0; ; round++) {
      total += sum(round); // @call
      total += fail(round);
      if (round % 1000 == 0) {
        Thread.sleep(1); // @sleep
      }
    }
  }
}
