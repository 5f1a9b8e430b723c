// SPDX-License-Identifier: Apache-2.0

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;

/** Memory to read and write, code in values, a loader that comes later, a thread to end, a chain of exceptions. */
public final class Tour {
    static final Object GATE = new Object();
    final int[] numbers = {1, -2, 0x12345678}; // @field

    static int length(String text) {
        return text.length(); // @reference
    }

    int sum() {
        int total = 0; // @total
        for (int number : numbers) {
            total += number;
        }
        return total;
    }

    public static void main(String[] args) throws Exception { // @arguments
        Tour tour = new Tour();
        byte[] bytes = {10, 20, 30, 40};
        ByteBuffer direct = ByteBuffer.allocateDirect(16).order(ByteOrder.BIG_ENDIAN);
        direct.putInt(0, 0x01020304);
        ByteBuffer heap = ByteBuffer.wrap(bytes);
        IntUnaryOperator doubled = number -> number * 2; // @lambda
        ToIntFunction<String> measured = Tour::length;
        Class<?> nested = Stop.class;
        Thread worker = new Thread(Tour::loopForEver, "worker");
        worker.start();
        System.out.println(tour.sum() + doubled.applyAsInt(2) + measured.applyAsInt("abc")); // @first
        URL[] here = {Tour.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader())) {
            Class.forName("Later", true, loader).getMethod("call").invoke(null);
            System.out.println(bytes[0] + " " + direct.getInt(0) + " " + heap + nested); // @second
        }
        worker.join();
        System.out.println("the worker has ended"); // @ended
        fail();
    }

    static void fail() {
        IllegalStateException failure = new IllegalStateException("outer", new Stop("inner"));
        failure.addSuppressed(new RuntimeException("beside"));
        throw failure; // @thrown
    }

    static void loopForEver() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    static final class Stop extends Exception { // @nested
        private static final long serialVersionUID = 1L;

        Stop(String message) {
            super(message); // @inner
        }
    }
}
