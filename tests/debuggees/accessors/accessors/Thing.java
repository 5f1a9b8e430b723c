// SPDX-License-Identifier: Apache-2.0
package accessors;

/** Methods that can only run to their end, and some that look as if they could. */
public class Thing extends Holder<String> {
  private static final long LARGEST = 1L << 40;
  private static int made;

  private int number;
  private long large;
  private double half;
  private float quarter;
  private char letter = 'a';
  private boolean isSet;
  private String name;
  private int[] counts = {1, 2};
  private volatile int shared;

  int getNumber() {
    return number;
  }

  void setNumber(int number) {
    this.number = number;
  }

  long getLarge() {
    return large;
  }

  void setLarge(long large) {
    this.large = large;
  }

  double getHalf() {
    return half;
  }

  void setHalf(double half) {
    this.half = half;
  }

  float getQuarter() {
    return quarter;
  }

  void setQuarter(float quarter) {
    this.quarter = quarter;
  }

  char getLetter() {
    return letter;
  }

  boolean isSet() {
    return isSet;
  }

  void set() {
    isSet = true;
  }

  @Override
  String value() {
    return name;
  }

  void setName(String name) {
    this.name = name;
  }

  int[] getCounts() {
    return counts;
  }

  int getShared() {
    return shared;
  }

  void setShared(int shared) {
    this.shared = shared;
  }

  void clear() {
    name = null;
  }

  Thing itself() {
    return this;
  }

  int computed(int factor) {
    int product = number * factor; // @product
    product += 1;
    return product ^ (int) large;
  }

  static long largest() {
    return LARGEST;
  }

  static String title() {
    return "title";
  }

  static void nothing() {}

  static int getMade() {
    return made;
  }

  int divided(int by) {
    return number / by;
  }

  synchronized int guarded() {
    return number;
  }

  int first() {
    return counts[0];
  }
}
