// SPDX-License-Identifier: Apache-2.0
package collected;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Collections that change between two rounds, by code of the JDK; says what is in them. */
public class Collected {
  private static String quoted(Object each) {
    return each instanceof String ? "\"" + each + "\"" : String.valueOf(each);
  }

  private static String text(Collection<?> all) {
    String inside = all.stream().map(Collected::quoted).collect(Collectors.joining(", "));
    return all.getClass().getSimpleName() + "(" + all.size() + ")" + braces(inside);
  }

  private static String text(Map<?, ?> all) {
    String inside =
        all.entrySet().stream()
            .map(each -> quoted(each.getKey()) + "=" + quoted(each.getValue()))
            .collect(Collectors.joining(", "));
    return all.getClass().getSimpleName() + "(" + all.size() + ")" + braces(inside);
  }

  private static String braces(String inside) {
    return " {" + inside + "}";
  }

  static void shown(
      List<Integer> list,
      LinkedList<String> linked,
      ArrayDeque<Integer> deque,
      HashSet<String> set,
      Map<String, Integer> map,
      PriorityQueue<Integer> queue,
      Map<Integer, Integer> shared,
      List<Integer> copied,
      List<List<Integer>> nested,
      StringBuilder text,
      AtomicInteger number) {
    System.out.println("list " + text(list)); // @shown
    System.out.println("linked " + text(linked));
    System.out.println("deque " + text(deque));
    System.out.println("set " + text(set));
    System.out.println("map " + text(map));
    System.out.println("queue " + text(queue));
    System.out.println("shared " + text(shared));
    System.out.println("copied " + text(copied));
    System.out.println("nested " + nested.size());
    System.out.println("text " + text);
    System.out.println("number " + number);
    stopped();
  }

  static void stopped() {
    made++; // @stopped
  }

  static int made;

  public static void main(String[] args) {
    List<Integer> list = new ArrayList<>();
    LinkedList<String> linked = new LinkedList<>();
    ArrayDeque<Integer> deque = new ArrayDeque<>();
    HashSet<String> set = new HashSet<>();
    Map<String, Integer> map = new LinkedHashMap<>();
    PriorityQueue<Integer> queue = new PriorityQueue<>();
    Map<Integer, Integer> shared = new ConcurrentHashMap<>();
    List<Integer> copied = new CopyOnWriteArrayList<>();
    List<List<Integer>> nested = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    AtomicInteger number = new AtomicInteger();
    for (int round = 0; round < 6; round++) {
      shown(list, linked, deque, set, map, queue, shared, copied, nested, text, number);
      list.add(round);
      linked.addFirst("name " + round);
      deque.add(round * 2);
      if (round % 2 == 0) {
        set.add("in " + round);
      } else {
        set.clear();
      }
      map.merge("sum", round, Integer::sum);
      queue.add(-round);
      shared.put(round / 2, round);
      copied.add(0, round);
      nested.add(List.of(round));
      text.append(round);
      number.addAndGet(round);
    }
  }
}
