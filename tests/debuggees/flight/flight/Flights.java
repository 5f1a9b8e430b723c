// SPDX-License-Identifier: Apache-2.0
package flight;

/** Threads that begin and end, each with an object of its own, and pass parameters of two sizes. */
public class Flights {
  private long sum;

  private void fly(int number, long wide, String name) {
    sum += number ^ wide;
    if (name.length() > 100) {
      sum = 0;
    }
  }

  private static void go(int thread, int legs) {
    Flights flights = new Flights();
    String name = "thread " + thread;
    for (int number = 0; number < legs; number++) {
      flights.fly(number, (long) number << 32 | thread, name);
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int legs = Integer.parseInt(args[1]);
    for (int round = 0; round < 3; round++) {
      Thread[] started = new Thread[threads];
      for (int each = 0; each < threads; each++) {
        int number = round * threads + each;
        started[each] = new Thread(() -> go(number, legs * (1 + number % 3)), "flight " + number);
        started[each].start();
      }
      for (Thread each : started) {
        each.join();
      }
    }
  }
}
