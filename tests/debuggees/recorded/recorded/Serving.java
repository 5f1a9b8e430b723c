// SPDX-License-Identifier: Apache-2.0
package recorded;

/** Calls a case again and again, from a class that is not recorded. */
public class Serving {
  public static void main(String[] args) throws Exception {
    System.out.println("serving");
    while (true) {
      Cases.recursion();
      Thread.sleep(20);
    }
  }
}
