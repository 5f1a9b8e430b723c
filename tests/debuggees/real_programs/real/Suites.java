// SPDX-License-Identifier: Apache-2.0
package real;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import oracle.Workload;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The tests of a library: how many there are, which fail and why. */
abstract class Suites implements Workload {
    private final Launcher launcher = LauncherFactory.create();
    private final List<DiscoverySelector> selected = new ArrayList<>();

    Suites(String prefix, String... names) {
        for (String each : names) {
            selected.add(selectClass(prefix + each));
        }
    }

    @Override
    public void round(PrintStream out) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selected).build(), listener);
        TestExecutionSummary summary = listener.getSummary();
        out.println(summary.getTestsFoundCount() + " found, " + summary.getTestsSucceededCount() + " succeeded");
        for (TestExecutionSummary.Failure each : summary.getFailures()) {
            StackTraceElement[] stack = each.getException().getStackTrace();
            out.println(each.getTestIdentifier().getDisplayName() + ": " + each.getException().getClass());
            out.println(stack.length == 0 ? "no stack" : stack[0].toString());
        }
    }

    /** Of commons-lang. */
    public static final class Lang extends Suites {
        public Lang() {
            super("org.apache.commons.lang3.", "ArrayUtilsTest", "BooleanUtilsTest", "CharUtilsTest", "ClassUtilsTest",
                    "EnumUtilsTest", "StringUtilsTest", "RangeTest", "math.FractionTest", "mutable.MutableIntTest", "reflect.MethodUtilsTest",
                    "reflect.FieldUtilsTest", "exception.ExceptionUtilsTest", "text.StrBuilderTest", "tuple.PairTest");
        }
    }

    /** Of commons-collections. */
    public static final class Collections extends Suites {
        public Collections() {
            super("org.apache.commons.collections4.", "CollectionUtilsTest", "ListUtilsTest", "FluentIterableTest", "IteratorUtilsTest",
                    "iterators.CollatingIteratorTest", "bag.HashBagTest", "bidimap.TreeBidiMapTest", "queue.CircularFifoQueueTest",
                    "multimap.ArrayListValuedHashMapTest");
        }
    }
}
