// SPDX-License-Identifier: Apache-2.0
import harbour.Pier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps its members to itself. */
class Ledger {
    private static int opened = 2;
    private final Map<String, Integer> dues = new LinkedHashMap<>();
    private int rate;

    private Ledger(int rate, String... names) {
        this.rate = rate;
        for (String each : names) {
            dues.put(each, 7 * (dues.size() + 1));
        }
    }

    static Ledger made() {
        return new Ledger(3, "sloop", "barge");
    }

    private static int doubled(int n) {
        return 2 * n;
    }

    private long total(long more, double factor) {
        return Math.round((more + rate) * factor);
    }
}

/** What an expression may use, a lambda in it may use too: private, protected, package-private. */
public class Members extends Pier {
    enum Size { SMALL, LARGE }

    static final Ledger ledger = Ledger.made();
    private int own = 11;
    Long whole = 1L;
    Double real = 1.0;
    Float half = 0.5f;
    Short few = 1;
    char letter = 'a';
    Character boxed = 'a';
    Size size = Size.SMALL;
    List<Long> wholes = new ArrayList<>(List.of(1L, 2L));
    int z = 'y';

    void open(int n) {
        System.out.println(length + n); // @open
    }

    public static void main(String[] arguments) {
        Members members = new Members();
        members.add("kept");
        members.open(3);
    }
}
