// SPDX-License-Identifier: Apache-2.0
package thinned;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Does much in small methods and little in others, until a file is there, or for so many rounds. */
public class Shop {
  static final int IN_ROUND = 200;

  private int served;

  static int mixed(int value) {
    int shifted = value >>> 3;
    return value * 31 ^ shifted;
  }

  static long priced(int seed) {
    long sum = seed;
    for (int i = 0; i < 20; i++) {
      sum += mixed(i + seed);
    }
    return sum;
  }

  String serve(int number) {
    String name = "order " + number;
    served = number; // served
    return name;
  }

  public static void main(String[] args) throws Exception {
    Path end = Paths.get(args[0]);
    int most = args.length > 1 ? Integer.parseInt(args[1]) : Integer.MAX_VALUE;
    Shop shop = new Shop();
    long sum = 0;
    int round = 0;
    while (round < most && !Files.exists(end)) {
      round++;
      for (int i = 0; i < IN_ROUND / 20; i++) {
        sum += priced(i);
      }
      shop.serve(round);
      Thread.sleep(1);
    }
    System.out.println(round + " " + sum + " " + shop.served);
  }
}
