// SPDX-License-Identifier: Apache-2.0
package display;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One value of each kind that a debugger shows in a special way. */
public final class Main {
    enum Color {
        RED,
        GREEN {}
    }

    static class Base {
        private int total = 1;
        protected String name = "base";
        static int made;
    }

    static class Cart extends Base {
        private final long total = 3L;
        Object next;
    }

    /** Its toString must never run. */
    static final class Loud {
        static int called;

        @Override
        public String toString() {
            called++;
            return "loud";
        }
    }

    private Main() {}

    public static void main(String[] args) throws Exception {
        boolean flag = true;
        char letter = 'c';
        char quote = '\'';
        char nul = 0;
        byte small = -3;
        long big = 1L << 40;
        float third = 1f / 3;
        double tiny = 1e-5;
        Integer box = 5;
        Character charBox = '\n';
        String text = "a \"quoted\"\tline\n\u00e9\ud83d\ude00\u0001";
        String longText = "x".repeat(5000);
        String nothing = null;
        int[] numbers = {1, 2, 3};
        int[] empty = {};
        String[][] grid = {{"a"}, null};
        Object[] mixed = {1, "b", 'c', null, new Cart()};
        int[] large = new int[10_000_000];
        large[9_999_999] = 7;
        Color color = Color.RED;
        Color special = Color.GREEN;
        Cart cart = new Cart();
        Loud loud = new Loud();
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        List<Integer> longList = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            longList.add(i);
        }
        List<String> none = new ArrayList<>();
        List<String> asList = Arrays.asList("p", "q");
        List<Integer> listOf = List.of(1);
        List<Integer> listOf2 = List.of(1, 2);
        List<Integer> listOf4 = List.of(1, 2, 3, 4);
        List<Integer> linked = new LinkedList<>(List.of(7, 8, 9));
        List<Integer> copyOnWrite = new CopyOnWriteArrayList<>(List.of(1, 2));
        List<Integer> unmodifiable = Collections.unmodifiableList(list);
        List<Integer> synchronized_ = Collections.synchronizedList(list);
        List<String> emptyList = Collections.emptyList();
        List<String> single = Collections.singletonList("only");
        Deque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < 12; i++) {
            deque.addLast(i);
        }
        for (int i = 0; i < 6; i++) {
            deque.removeFirst();
            deque.addLast(100 + i);
        }
        PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(3, 1, 2));
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
        Map<Integer, Integer> largeMap = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            largeMap.put(i, -i);
        }
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put("z", 1);
        ordered.put("y", "two");
        ordered.put("x", null);
        Map<Cart, Integer> byCart = new HashMap<>();
        byCart.put(cart, 1);
        Map<String, Integer> tree = new TreeMap<>(Map.of("m", 1, "c", 2, "x", 3));
        Map<String, Integer> mapOf1 = Map.of("k", 1);
        Map<Color, Integer> mapOf2 = Map.of(Color.RED, 1, Color.GREEN, 2);
        Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("c", 1));
        Map<String, Integer> table = new Hashtable<>(Map.of("t", 1));
        Set<String> set = new HashSet<>(Set.of("s"));
        Set<Integer> linkedSet = new LinkedHashSet<>(List.of(3, 1, 2));
        Set<Integer> treeSet = new TreeSet<>(List.of(3, 1, 2));
        Set<Integer> setOf = Set.of(1);
        Set<Integer> setOf3 = Set.of(1, 2, 3);
        Optional<String> some = Optional.of("here");
        Optional<String> absent = Optional.empty();
        OptionalInt someInt = OptionalInt.of(0);
        StringBuilder builder = new StringBuilder("built ").append(1);
        StringBuffer wide = new StringBuffer("\u20ac");
        Throwable error = new IllegalStateException("went wrong", new RuntimeException("cause"));
        Class<?> type = Map.Entry.class;
        Thread thread = Thread.currentThread();
        Runnable lambda = () -> System.out.println("never");
        cart.next = cart;
        int before = Loud.called;
        System.out.println(before); // @shown
        System.out.println(Loud.called == before ? "quiet" : "loud");
    }
}
