// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.elements;
import static known.Said.inside;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Stack;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lists, queues, and what is like them. */
final class Lists {
    private Lists() {}

    /** Has fields with the names of those that it inherits. */
    static final class Own extends ArrayList<Integer> {
        int size = 99;
        Object[] elementData = {"mine"};

        Own(List<Integer> source) {
            super(source);
        }
    }

    static void make() {
        List<Integer> some = List.of(1, 2, 3);
        List<Integer> many = IntStream.range(0, 50).boxed().collect(Collectors.toList());
        elements(new ArrayList<>(some));
        elements(new ArrayList<>(many).subList(10, 20));
        elements(new LinkedList<>(many));
        elements(new Vector<>(some));
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        elements(stack);
        ArrayDeque<Integer> deque = new ArrayDeque<>(some);
        deque.addFirst(0);
        deque.removeLast();
        elements(deque);
        elements(new PriorityQueue<>(List.of(3, 1, 2)));
        elements(List.of());
        elements(List.of(1));
        elements(List.of(1, 2));
        elements(some);
        elements(many.subList(3, 9));
        elements(List.of(9, 8, 7, 6).subList(1, 3));
        elements(Arrays.asList(1, null, 3));
        elements(Collections.unmodifiableList(new ArrayList<>(some)));
        elements(Collections.synchronizedList(new LinkedList<>(some)));
        elements(Collections.unmodifiableCollection(new TreeSet<>(some)));
        elements(Collections.checkedList(new ArrayList<>(some), Integer.class));
        elements(Collections.emptyList());
        elements(Collections.singletonList(5));
        elements(new CopyOnWriteArrayList<>(some));
        ArrayBlockingQueue<Integer> ring = new ArrayBlockingQueue<>(3, false, some);
        ring.remove();
        ring.add(4);
        elements(ring);
        elements(new LinkedBlockingQueue<>(some));
        elements(new LinkedBlockingDeque<>(some));
        elements(new PriorityBlockingQueue<>(some));
        inside(List.of("a", new Object()), "a", "Object@");
        elements(Collections.nCopies(1_000_000, 'x').subList(0, 3));
        elements(Collections.nCopies(4, null));
        elements(Arrays.asList(1, 2, 3, 4).subList(1, 3));
        elements(new LinkedList<>(many).subList(5, 8));
        elements(new ArrayList<>(many).subList(5, 20).subList(2, 6));
        elements(new CopyOnWriteArrayList<>(many).subList(40, 44));
        elements(new Vector<>(many).subList(7, 9));
        elements(new Own(many));
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>(many);
        queue.remove();
        queue.remove(7);
        elements(queue);
        ConcurrentLinkedDeque<Integer> ends = new ConcurrentLinkedDeque<>(some);
        ends.addFirst(0);
        ends.removeLast();
        elements(ends);
        elements(new ConcurrentLinkedQueue<>());
        elements(new ConcurrentLinkedDeque<>());
        elements(new LinkedTransferQueue<>(some));
        elements(new LinkedTransferQueue<>());
        elements(new DelayQueue<>());
        elements(new SynchronousQueue<>());
        elements(Collections.asLifoQueue(new ArrayDeque<>(some)));
        elements(Collections.checkedQueue(new PriorityQueue<>(some), Integer.class));
        inside(new AtomicIntegerArray(new int[] {4, 5}), 4, 5);
        inside(new AtomicLongArray(new long[] {6}), 6);
        inside(new AtomicReferenceArray<>(new String[] {"a", null}), "a", "null");
        inside(Optional.of("here"), "here");
        inside(Optional.empty());
        inside(OptionalInt.of(0), 0);
        inside(OptionalLong.of(7), 7);
        inside(OptionalDouble.of(0.5), 0.5);
    }
}
