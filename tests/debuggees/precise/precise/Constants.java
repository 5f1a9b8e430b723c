// SPDX-License-Identifier: Apache-2.0
package precise;

import static expect.Expect.is;
import static expect.Expect.runs;
import static expect.Expect.stop;

import java.util.IdentityHashMap;
import java.util.Map;

/** Strings that are constants are one object, others are not. */
final class Constants {
    private static final String NAMED = "id";
    private static String changed = "id";

    private Constants() {}

    static boolean isSame(Object first, Object second) {
        return first == second;
    }

    static void visit() {
        String s = "id";
        String made = new String("id");
        Object object = "id";
        Map<String, Integer> byIdentity = new IdentityHashMap<>();
        byIdentity.put("id", 1);
        byIdentity.put("key", 2);
        String[] kept = {"id"};
        is(s == "id");
        is(made == "id");
        is(object == "id");
        is("id" == NAMED);
        is("i" + "d" == s);
        is(changed == "id");
        is(isSame(s, "id"));
        is(isSame("i" + "d", s));
        is(isSame(made, "id"));
        is(isSame(made.intern(), "id"));
        is(isSame("never seen before", "never seen before"));
        is(isSame("a" + s, "a" + s));
        is(byIdentity.get("id"));
        is(byIdentity.get("key") + 1);
        is(byIdentity.containsKey("k" + "ey"));
        is(byIdentity.get(NAMED));
        is(byIdentity.containsKey(made));
        is(isSame(kept[0], "id"));
        is(isSame(true ? "id" : "no", s));
        is(isSame((Object) "id", s));
        is(isSame((String) "id", s));
        runs("boolean", () -> { String t = "id"; return t == s; });
        runs("boolean", () -> { String t = "id"; return isSame(t, s); });
        runs("boolean", () -> { String t = new String("id"); return t == s; });
        runs("boolean", () -> { final String t = "i"; return (t + "d") == s; });
        runs("boolean", () -> { String t = "i"; return (t + "d") == s; });
        runs("boolean", () -> { String[] many = {"id", "no"}; return many[0] == s; });
        runs("boolean", () -> { Object[] many = {"id", 1}; return isSame(many[0], s); });
        is((changed = "key") == "key");
        is(byIdentity.get(changed));
        changed = "id";
        stop(); // @constants
    }
}
