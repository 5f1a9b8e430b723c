// SPDX-License-Identifier: Apache-2.0
package checked;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import oracle.Oracle;
import oracle.Workload;

/** Hot threads that check each value that they compute, while others fill the heap. */
public class Checked implements Workload {
    private static final int THREADS = 3;
    private static final int TIMES = 40;
    private static final int INNER = 10;
    private int rounds;
    private final Map<String, Part> parts = new LinkedHashMap<>();

    public Checked() {
        add("fields", n -> new Fields().pass(n));
        add("statics", Statics::pass);
        add("arrays", Arrays::pass);
        add("getter", n -> new Getter(n).get());
        add("pair", n -> new Pair(n, ~n).first());
        add("enums", n -> Op.pass(n));
        add("lambdas", Lambdas::pass);
        add("finally", Finally::pass);
        add("text", Text::pass);
        add("loop", Loop::pass);
        add("switches", Switches::pass);
        add("calls", new Calls.Deeper()::pass);
        add("headers", Headers::pass);
        add("late", Late::pass);
    }

    final void add(String name, Part part) {
        parts.put(name, part);
    }

    @Override
    public void round(PrintStream out) throws Exception {
        if (++rounds % 20 == 0) {
            System.gc(); // classes that were loaded by Late go
        }
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < THREADS; ++number) {
            int seed = number * 100_003;
            threads.add(new Thread(() -> work(seed), "checks-" + number));
        }
        threads.add(new Thread(Checked::fill, "fills"));
        for (Thread each : threads) {
            each.start();
        }
        for (Thread each : threads) {
            each.join();
        }
        Traces.print(out);
        out.println(parts.keySet());
    }

    private void work(int seed) {
        for (int time = 0; time < TIMES; ++time) {
            for (Map.Entry<String, Part> each : parts.entrySet()) {
                int inner = each.getKey().equals("late") ? time == 7 && seed == 0 ? 1 : 0 : INNER;
                for (int again = 0; again < inner; ++again) {
                    check(each.getKey(), each.getValue(), seed + time * 31 + again);
                }
            }
        }
    }

    private static void check(String name, Part part, int n) {
        try {
            int found = part.pass(n);
            if (found != n) {
                Oracle.wrong(name + " gives " + found + " for " + n);
            }
        } catch (Thrown thrown) {
            if (thrown.n != n) {
                Oracle.wrong(name + " throws " + thrown.n + " for " + n);
            }
        } catch (Throwable error) {
            error.printStackTrace(System.out);
            Oracle.wrong(name + " throws " + error + " for " + n);
        }
    }

    /** Objects that live for a while: collections of every kind. */
    private static void fill() {
        List<long[]> kept = new ArrayList<>();
        for (int time = 0; time < 60; ++time) {
            long[] some = new long[2_000];
            java.util.Arrays.fill(some, time);
            kept.add(some);
            if (kept.size() > 20) {
                long[] old = kept.remove(time % 20);
                for (long each : old) {
                    if (each != old[0]) {
                        Oracle.wrong("the heap has " + each + " and not " + old[0]);
                    }
                }
            }
        }
    }
}
