// SPDX-License-Identifier: Apache-2.0
package dropin.debugger;

import com.sun.jdi.Location;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.AccessWatchpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.ClassUnloadEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.ModificationWatchpointEvent;
import com.sun.jdi.event.MonitorContendedEnterEvent;
import com.sun.jdi.event.MonitorContendedEnteredEvent;
import com.sun.jdi.event.MonitorWaitEvent;
import com.sun.jdi.event.MonitorWaitedEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.event.ThreadStartEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Event sets as lines of text, without anything that differs from run to run. */
final class Events {
    private static final long TIMEOUT_MS = 40_000;

    private final VirtualMachine vm;
    private List<String> kept;
    final List<String> unloaded = new ArrayList<>();

    Events(VirtualMachine vm) {
        this.vm = vm;
    }

    /** The next set, printed; class unloads are kept for the end, since they come when they may. */
    EventSet next() throws InterruptedException {
        while (true) {
            EventSet set = vm.eventQueue().remove(TIMEOUT_MS);
            if (set == null) {
                throw new IllegalStateException("no event in time");
            }
            List<String> texts = new ArrayList<>();
            for (Event event : set) {
                if (event instanceof ClassUnloadEvent) {
                    unloaded.add(((ClassUnloadEvent) event).className());
                } else {
                    texts.add(text(event));
                }
            }
            if (texts.isEmpty()) {
                set.resume();
                continue;
            }
            String line = "set of policy " + set.suspendPolicy() + ": " + String.join(" | ", texts);
            if (kept == null) {
                System.out.println(line);
            } else {
                kept.add(line);
            }
            return set;
        }
    }

    /** From now on lines are kept: threads race. The next call prints them in order. */
    void keep() {
        if (kept == null) {
            kept = new ArrayList<>();
        } else {
            kept.stream().sorted().forEach(System.out::println);
            kept = null;
        }
    }

    /** Runs on to the next set. */
    EventSet resumed() throws InterruptedException {
        vm.resume();
        return next();
    }

    /** Runs on to the end of the VM, or the loss of it. */
    void toTheEnd() throws InterruptedException {
        EventSet set = resumed();
        while (set.stream().noneMatch(event -> event instanceof VMDisconnectEvent)) {
            set.resume();
            set = next();
        }
    }

    static String text(Location location) {
        return location.declaringType().name()
                + "."
                + location.method().name()
                + ":"
                + location.lineNumber();
    }

    private static String text(Event event) {
        String kind = event.getClass().getSimpleName().replace("Impl", "");
        String text = kind;
        if (event instanceof LocatableEvent) {
            LocatableEvent located = (LocatableEvent) event;
            text += " " + located.thread().name() + " at " + text(located.location());
        }
        return text + detail(event);
    }

    private static String detail(Event event) {
        if (event instanceof ClassPrepareEvent) {
            // The name of a lambda's class ends with an address.
            return " " + ((ClassPrepareEvent) event).referenceType().name().replaceAll("/.*", "/");
        }
        if (event instanceof ExceptionEvent) {
            ExceptionEvent thrown = (ExceptionEvent) event;
            return " " + thrown.exception().referenceType().name() + " caught "
                    + (thrown.catchLocation() == null ? "nowhere" : text(thrown.catchLocation()));
        }
        if (event instanceof ModificationWatchpointEvent) {
            ModificationWatchpointEvent change = (ModificationWatchpointEvent) event;
            return " " + change.field().name() + " " + change.valueCurrent() + " -> "
                    + change.valueToBe();
        }
        if (event instanceof AccessWatchpointEvent) {
            AccessWatchpointEvent access = (AccessWatchpointEvent) event;
            return " " + access.field().name() + " = " + access.valueCurrent();
        }
        if (event instanceof MethodExitEvent) {
            return " returns " + ((MethodExitEvent) event).returnValue();
        }
        if (event instanceof ThreadStartEvent) {
            return " " + ((ThreadStartEvent) event).thread().name();
        }
        if (event instanceof ThreadDeathEvent) {
            return " " + ((ThreadDeathEvent) event).thread().name();
        }
        return monitorDetail(event);
    }

    private static String monitorDetail(Event event) {
        if (event instanceof MonitorContendedEnterEvent) {
            return " of " + ((MonitorContendedEnterEvent) event).monitor().referenceType().name();
        }
        if (event instanceof MonitorContendedEnteredEvent) {
            return " of " + ((MonitorContendedEnteredEvent) event).monitor().referenceType().name();
        }
        if (event instanceof MonitorWaitEvent) {
            return " for " + ((MonitorWaitEvent) event).timeout() + " ms";
        }
        if (event instanceof MonitorWaitedEvent) {
            return " timed out: " + ((MonitorWaitedEvent) event).timedout();
        }
        return "";
    }

    static String joined(List<?> things) {
        return things.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
