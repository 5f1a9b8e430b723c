// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Method;

/** Virtual threads, for a compiler that does not know them. */
class Virtual {
  static Thread thread(Runnable body) throws Exception {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Method unstarted =
        Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
    return (Thread) unstarted.invoke(builder, body);
  }
}
