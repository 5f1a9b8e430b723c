// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does the work of a small shop again and again, and prints the processor time of each part of a
 * second: "first" of the first so many rounds, "later" of the last ones, in nanoseconds a round.
 */
public class CoverageCost {
  interface Rule {
    int price(Item item, int price);
  }

  static final class Item {
    final String name;
    final int price;
    final int count;

    Item(String name, int price, int count) {
      this.name = name;
      this.price = price;
      this.count = count;
    }

    String getName() {
      return name;
    }

    int getPrice() {
      return price;
    }

    int getCount() {
      return count;
    }
  }

  static final class Discount implements Rule {
    @Override
    public int price(Item item, int price) {
      if (item.getCount() > 5 && price > 100) {
        return price - price / 10;
      }
      return price;
    }
  }

  static final class Tax implements Rule {
    @Override
    public int price(Item item, int price) {
      switch (item.getName().charAt(0)) {
        case 'a':
        case 'b':
          return price + price / 20;
        case 'c':
          return price;
        default:
          return price + price / 5;
      }
    }
  }

  static List<Item> parse(String text) {
    List<Item> items = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf(';', at);
      if (end < 0) {
        end = text.length();
      }
      String line = text.substring(at, end);
      String[] parts = line.split(",");
      if (parts.length == 3) {
        items.add(new Item(parts[0], number(parts[1]), number(parts[2])));
      }
      at = end + 1;
    }
    return items;
  }

  static int number(String text) {
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < '0' || each > '9') {
        return -1;
      }
      value = value * 10 + (each - '0');
    }
    return value;
  }

  static int total(List<Item> items, Rule[] rules, Map<String, Integer> sums) {
    int total = 0;
    for (Item item : items) {
      int price = item.getPrice();
      for (Rule rule : rules) {
        price = rule.price(item, price);
      }
      int sum = price * item.getCount();
      Integer before = sums.get(item.getName());
      sums.put(item.getName(), before == null ? sum : before + sum);
      total += sum;
    }
    return total;
  }

  static int hash(String text) {
    int found = 7;
    for (int i = 0; i < text.length(); i++) {
      found = found * 31 + text.charAt(i);
      if ((found & 1) == 0) {
        found ^= i;
      }
    }
    return found;
  }

  static long round(String text, Rule[] rules) {
    Map<String, Integer> sums = new HashMap<>();
    List<Item> items = parse(text);
    long found = total(items, rules, sums);
    for (Map.Entry<String, Integer> each : sums.entrySet()) {
      found += hash(each.getKey()) ^ each.getValue();
    }
    return found;
  }

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      text.append((char) ('a' + i % 26)).append("item").append(i % 17).append(',');
      text.append(i * 37 % 991).append(',').append(i % 9).append(';');
    }
    Rule[] rules = {new Discount(), new Tax()};
    long found = 0;
    var threads = ManagementFactory.getThreadMXBean();
    for (int part = 0; part < 10; part++) {
      long before = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < rounds; i++) {
        found += round(text.toString(), rules);
      }
      long time = (threads.getCurrentThreadCpuTime() - before) / rounds;
      if (part == 0 || part == 9) {
        System.out.println((part == 0 ? "first " : "later ") + time);
      }
    }
    System.out.println("found " + found);
  }
}
