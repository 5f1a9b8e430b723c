// SPDX-License-Identifier: Apache-2.0
package accessors;

/** Calls accessors, and says what they have returned: each line is a method and its result. */
public class Main {
  private static void log(String method, Object result) {
    System.out.println(method + " " + result);
  }

  private static void rounds(Thing thing, int round) {
    thing.setNumber(round);
    log("setNumber", "");
    log("getNumber", thing.getNumber());
    thing.setLarge((long) round << 35);
    log("setLarge", "");
    log("getLarge", thing.getLarge());
    thing.setHalf(round / 2.0);
    log("setHalf", "");
    log("getHalf", thing.getHalf());
    thing.setQuarter(round / 4f);
    log("setQuarter", "");
    log("getQuarter", thing.getQuarter());
    log("getLetter", thing.getLetter());
    log("isSet", thing.isSet());
    thing.set();
    log("set", "");
    thing.setName("name " + round);
    log("setName", "");
    log("value", thing.value());
    Holder<String> holder = thing;
    String name = holder.value();
    log("value", name);
    log("value", name);
    log("getCounts", "int[2]" + (thing.getCounts().length == 2 ? "" : "?"));
    thing.setShared(round * 3);
    log("setShared", "");
    log("getShared", thing.getShared());
    thing.clear();
    log("clear", "");
    log("value", thing.value());
    log("itself", thing.itself() == thing ? "Thing" : "?");
    log("computed", thing.computed(7));
    log("largest", Thing.largest());
    log("title", Thing.title());
    Thing.nothing();
    log("nothing", "");
    log("getMade", Thing.getMade());
    log("divided", thing.divided(round + 1));
    try {
      log("divided", thing.divided(0));
    } catch (ArithmeticException expected) {
      log("divided", "thrown");
    }
    log("guarded", thing.guarded());
    log("first", thing.first());
  }

  public static void main(String[] args) throws InterruptedException {
    Thing thing = new Thing();
    for (int round = 0; round < 3; round++) {
      int now = round;
      Thread other = new Thread(() -> rounds(thing, now));
      other.start();
      other.join();
    }
  }
}
