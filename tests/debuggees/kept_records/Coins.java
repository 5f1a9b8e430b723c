// SPDX-License-Identifier: Apache-2.0
/** The same for records, whose methods are all on one line. */
public class Coins {
  record Coin(int cents, long serial) {} // @coin

  record Purse(Coin coin, String owner) {
    Purse {
      if (owner.isEmpty()) {
        throw new IllegalArgumentException(); // @owner
      }
    }
  } // @purse

  static void run(int first) {
    for (int n = first; !Kept.over; n += 3) {
      Coin coin = new Coin(n, (long) n << 32 | first); // @strike
      Kept.same("cents", n, coin.cents());
      Kept.same("serial", (long) n << 32 | first, coin.serial());
      Kept.same("coin", n, new Purse(coin, "one").coin().cents());
      Kept.passes++;
    }
  }

  public static void main(String[] args) throws Exception {
    for (int n = 0; n < 2; n++) {
      int first = n;
      new Thread(() -> run(first), "coins-" + n).start();
    }
    Kept.main(args);
  }
}
