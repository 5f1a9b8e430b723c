// SPDX-License-Identifier: Apache-2.0
// Writes fields in every way that code of a program has.
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

public class Writes {
    static class Base {
        protected int count;
        private long total = 5; // @initialized
        double share;
        float part;
        boolean flag;
        byte small;
        char letter;
        short few;
        String name;
        Object any;
        int[] numbers;
        static int all;
        static long sum;
        int hidden;
        int racing;

        void own(int to) {
            count = to; // @own
            this.total += to; // @wide
        }

        class Inner {
            Inner() {
                total = 70; // @inner
            }
        }
    }

    static class Derived extends Base {
        int hidden; // another field
        final int seed;

        Derived(int seed) {
            this.seed = seed;
            count = seed; // @derived
        }

        void derived(Derived other) {
            other.count++; // @through-subclass
            hidden = 3;
            super.hidden = 4; // @super
            all = 12; // @static-through-subclass
        }
    }

    static class Unrelated {
        int count;
        static int all;
    }

    static class Outer {
        int id = 3;

        Runnable counter(int captured) {
            return new Runnable() { // captured before the constructor of the superclass
                public void run() {
                    id += captured; // @anonymous
                }
            };
        }
    }

    static void types(Base it) {
        it.share = 2.5;
        it.part = 1.5f;
        it.flag = true;
        it.small = (byte) 200;
        it.letter = 'x';
        it.few = -3;
        it.name = "Ann";
        it.name = null;
        it.any = it;
        it.any = "text";
        it.numbers = new int[] {1, 2};
        it.count = it.few = 9; // @chained
        Base.sum = 1L << 40;
        Base.all = Base.all + 1; // @static
        Runnable later = () -> it.count = 44; // @lambda
        later.run();
    }

    static void none() {
        Base nothing = Math.random() < 2 ? null : new Base();
        try {
            nothing.count = 6;
        } catch (NullPointerException expected) {
            System.out.println("no object");
        }
    }

    static void reflect(Base it) throws Throwable {
        Base.class.getDeclaredField("count").setInt(it, 101);
        MethodHandles.lookup().findVarHandle(Base.class, "count", int.class).set(it, 102);
        MethodHandles.lookup().findSetter(Base.class, "count", int.class).invoke(it, 103);
    }

    static void race(Base it) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Thread thread = new Thread(() -> spin(it), "racer-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void spin(Base it) {
        for (int i = 0; i < 200_000; i++) {
            it.racing = i % 1_000; // @race
        }
    }

    static void running(Base it) {
        int passes = 0;
        for (int i = 0; i < 5; i++) {
            passes++; // @running
            it.hidden = 10 + i; // @in-the-way
        }
        System.out.println(passes);
    }

    public static void main(String[] arguments) throws Throwable {
        Base first = new Base(); // @ready
        Derived second = new Derived(7);
        new Unrelated().count = 8;
        Unrelated.all = 8;
        first.own(2);
        first.new Inner();
        second.derived(new Derived(20));
        types(first);
        none();
        new Outer().counter(4).run();
        Later.write(first);
        reflect(first);
        running(first);
        race(first);
        System.out.println("end"); // @end
    }
}

class Later {
    static void write(Writes.Base it) {
        it.count = 1_000; // @later
    }
}
