// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A deep stack whose frames have large values. */
public final class Far {
    private Far() {}

    static int down(int left) {
        String text = "text ".repeat(50_000);
        Object[] many = new Object[10_000];
        List<String> list = new ArrayList<>();
        Map<String, Object> map = new HashMap<>();
        if (left > 0) {
            return down(left - 1);
        }
        for (int i = 0; i < 10_000; i++) {
            many[i] = "element " + i;
            list.add(text);
            map.put("key " + i, many);
        }
        return map.size(); // @bottom
    }

    public static void main(String[] args) {
        System.out.println(down(800));
    }
}
