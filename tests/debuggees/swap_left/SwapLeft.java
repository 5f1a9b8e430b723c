// SPDX-License-Identifier: Apache-2.0
/** Stops in a method while another one of the class is edited. */
public class SwapLeft {
  static int edited() {
    return 1;
  }

  static long stays(String text) {
    long sum = text.length() + 70_000; // @before
    sum += "a text".length() + 3L;
    System.out.println("sum " + sum); // @after
    return sum;
  }

  public static void main(String[] args) {
    stays("begin");
  }
}
