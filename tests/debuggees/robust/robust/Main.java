// SPDX-License-Identifier: Apache-2.0
package robust;

import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;

/** Something of every kind and type, for a debugger that asks with all of it in the wrong places. */
public class Main {
    static boolean aBoolean = true;
    static byte aByte = 1;
    static char aChar = 'c';
    static short aShort = 2;
    static int anInt = 3;
    static long aLong = 4;
    static float aFloat = 5;
    static double aDouble = 6;
    static final int CONSTANT = 7;

    static Object plain = new Object();
    static String text = "text";
    static Dog dog = new Dog();
    static Cat cat = new Cat();
    static Animal animal = new Dog();
    static Speaker speaker = new Dog();
    static Runnable runnable = new Dog();
    static int[] ints = {1, 2, 3};
    static long[] longs = {1};
    static Object[] objects = {"text", null};
    static String[] strings = {"one"};
    static Dog[] dogs = {new Dog()};
    static Animal[] animals = {new Cat()};
    static Animal[] dogsAsAnimals = new Dog[] {new Dog()};
    static Dog[][] packs = {{new Dog()}};
    static int[][] grid = {{1}};
    static Throwable throwable = new IllegalStateException();
    static Thread dead = new Thread(() -> {}, "dead");
    static Thread unstarted = new Thread(() -> {}, "unstarted");
    static Thread main = Thread.currentThread();
    static Thread sleeper = new Thread(Main::sleep, "sleeper");
    static ThreadGroup group = main.getThreadGroup();
    static ClassLoader loader = Main.class.getClassLoader();
    static Object module = String.class.getModule();
    static Class<?> type = Dog.class;
    static Class<?> primitive = int.class;
    static Class<?> arrayType = int[].class;
    static Class<?> unprepared;
    static ClassLoader otherLoader;
    static Class<?> otherDogType;
    static Object otherDog;
    static Object otherDogs;
    static Object otherCat;
    static Object garbage = new Object();
    static Class<?> unloaded;

    /** Classes of its own with the names of these. */
    static class Isolated extends ClassLoader {
        Isolated() {
            super(Main.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("robust.Main$") || name.endsWith("$Speaker")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            String file = name.substring(name.indexOf('.') + 1) + ".class";
            try (InputStream stream = Main.class.getResourceAsStream(file)) {
                byte[] code = stream.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (java.io.IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    public interface Speaker {
        int LEGS = 4;

        String speak();

        default int loudness(int more) {
            return more + 1;
        }

        static Object same(Object any) {
            return any;
        }
    }

    abstract static class Animal implements Speaker {
        protected long weight = 12;
        private int age = 1;
        Animal friend;

        abstract int legs();

        Animal befriend(Animal other) {
            friend = other;
            return this;
        }
    }

    static class Dog extends Animal implements Runnable {
        int age = 2;
        Dog self = this;
        Object any;
        Dog[] pack;

        Dog() {}

        Dog(int age, Dog parent) {
            this.age = age;
            friend = parent;
        }

        @Override
        public String speak() {
            return "woof";
        }

        @Override
        int legs() {
            return 4;
        }

        @Override
        public void run() {
            age++;
        }

        int bark(int times) {
            return times;
        }
    }

    static class Cat extends Animal {
        @Override
        public String speak() {
            return "meow";
        }

        @Override
        int legs() {
            return 3;
        }

        static void purr() {}
    }

    static class Unprepared {
        static int number = 1;

        int field;

        static int twice(int number) {
            return 2 * number;
        }
    }

    /** Redefined by the test: its text is another one then. */
    static class Changing {
        static String version() {
            return "version-1";
        }

        static int constant() {
            return 1;
        }
    }

    static class Goner {
        static int number;

        Goner() {}

        static int work() {
            return number;
        }
    }

    static native void help();

    static int answer(boolean z, byte b, char c, short s, int i, long j, float f, double d) {
        return 42;
    }

    static int give(Object any, String text, Animal animal, Dog dog, Speaker speaker, int[] ints, Dog[] dogs) {
        return 43;
    }

    static Dog same(Dog dog) {
        return dog; // @same
    }

    static long half(long number) {
        return number / 2; // @half
    }

    /** Locals of every kind; `text` and `late` are not alive at the stop. */
    static long stop(int number, long big, Dog dog, Animal animal, Object any, int[] ints) {
        boolean flag = number > 0;
        byte small = 1;
        char letter = 'c';
        short shorter = 2;
        float ratio = 0.5f;
        double exact = 0.25;
        Object[] objects = Main.objects;
        Speaker speaker = dog;
        if (flag) {
            String text = Main.text;
            anInt += text.length();
        }
        long sum = number + big + small + letter + shorter + (long) (ratio + exact) + objects.length; // @stop
        long late = speaker.loudness(1) + ints.length;
        return sum + late + dog.legs() + animal.legs() + (any == null ? 0 : 1);
    }

    static void sleep() {
        while (true) {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    static void prepare() throws Exception {
        dead.start();
        dead.join();
        sleeper.setDaemon(true);
        sleeper.start();
        unprepared = Class.forName("robust.Main$Unprepared", false, loader);
        otherLoader = new Isolated();
        otherDogType = otherLoader.loadClass("robust.Main$Dog");
        otherDog = make(otherDogType);
        otherCat = make(otherLoader.loadClass("robust.Main$Cat"));
        otherDogs = Array.newInstance(otherDogType, 1);
        Class.forName("robust.Main$Changing");
        unloaded = Class.forName("robust.Main$Goner", true, new Isolated());
    }

    static Object make(Class<?> type) throws Exception {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    static void collect() throws InterruptedException {
        WeakReference<Object> object = new WeakReference<>(garbage);
        WeakReference<Object> goner = new WeakReference<>(unloaded);
        garbage = null;
        unloaded = null;
        while (object.get() != null || goner.get() != null) {
            System.gc();
            Thread.sleep(1);
        }
    }

    static long count() {
        return half(stop(1, 2L, dog, animal, plain, ints)) + same(dog).legs();
    }

    public static void main(String[] args) throws Exception {
        prepare();
        long first = count();
        collect();
        long second = count();
        System.out.println("counted " + (second - first) + " " + anInt + " " + count());
    }
}
