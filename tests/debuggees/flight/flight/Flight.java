// SPDX-License-Identifier: Apache-2.0
package flight;

import java.io.File;

/** Runs long: one object from the beginning on, another one each leg. Fails when a file is there. */
public class Flight {
  final String name = "the flight";
  int total;
  Leg last;

  static class Leg {
    final int number;
    final String from;

    Leg(int number) {
      this.number = number;
      this.from = "port " + number % 10;
    }
  }

  void fly(int number) {
    Leg leg = new Leg(number); // @leg
    total += leg.number & 7;
    last = leg; // @flown
  }

  public static void main(String[] args) throws Exception {
    Flight flight = new Flight();
    File end = new File(args[0]);
    int most = args.length < 2 ? Integer.MAX_VALUE : Integer.parseInt(args[1]);
    int atOnce = args.length < 3 ? 20 : Integer.parseInt(args[2]);
    int number = 0;
    while (!end.exists() && number < most) {
      for (int i = 0; i < atOnce; i++) {
        flight.fly(number++);
      }
      Thread.sleep(1);
    }
    System.out.println("legs " + number);
    throw new IllegalStateException(flight.name + " ends"); // @ends
  }
}
