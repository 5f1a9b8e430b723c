// SPDX-License-Identifier: Apache-2.0
package seen;

import java.io.File;

/** Does the same until a file is there, then something else once. */
public class Seen {
  static int step(int value, boolean last) {
    if (last) {
      return last(value);
    }
    int sum = 0; // @begins
    for (int i = 0; i < 10; i++) {
      switch (i % 3) {
        case 0:
          sum += value;
          break;
        case 1:
          sum += i;
          break;
        default:
          sum ^= i;
      }
    }
    return sum;
  }

  static int last(int value) {
    return value < 0 ? -value : value;
  }

  public static void main(String[] args) throws Exception {
    File end = new File(args[0]);
    int value = 0;
    while (!end.exists()) {
      value = step(value & 1023, false);
    }
    System.out.println("last " + (step(-7, true) == 7));
  }
}
