// SPDX-License-Identifier: Apache-2.0
package dropin.debugger;

import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.ClassUnloadRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.ExceptionRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import com.sun.jdi.request.MonitorContendedEnterRequest;
import com.sun.jdi.request.MonitorContendedEnteredRequest;
import com.sun.jdi.request.MonitorWaitRequest;
import com.sun.jdi.request.MonitorWaitedRequest;
import com.sun.jdi.request.StepRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import com.sun.jdi.request.ThreadStartRequest;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A JDI program that debugs `dropin.Program` and prints all that it sees, so that two runs under two
 * agents can be compared: `Debugger WAY AGENT MARKER=LINE...`, WAY as in Connecting.
 */
public final class Debugger {
    private final VirtualMachine vm;
    private final EventRequestManager requests;
    private final Events events;
    private final Map<String, Integer> lines;
    private ThreadReference main;
    private ClassType type;

    private Debugger(VirtualMachine vm, Map<String, Integer> lines) {
        this.vm = vm;
        this.requests = vm.eventRequestManager();
        this.events = new Events(vm);
        this.lines = lines;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Integer> lines = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=");
            if (parts.length == 2 && parts[1].matches("\\d+")) {
                lines.put(parts[0], Integer.valueOf(parts[1]));
            }
        }
        Connecting connecting = new Connecting(arguments[1]);
        try {
            VirtualMachine vm = connecting.by(arguments[0]);
            new Debugger(vm, lines).debug(!arguments[0].equals("launching"));
            System.out.println(Connecting.outputOf(connecting.process()));
            System.out.println("exit code " + connecting.process().waitFor());
        } finally {
            connecting.end();
        }
    }

    private void debug(boolean brief) throws Exception {
        EventSet start = events.next();
        start.forEach(event -> System.out.println("request: " + event.request()));
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        prepare.addClassFilter("dropin.*");
        prepare.enable();
        EventSet prepared = events.resumed();
        ClassPrepareEvent event = (ClassPrepareEvent) prepared.iterator().next();
        type = (ClassType) event.referenceType();
        main = event.thread();
        System.out.println("prepared before it ran: " + !type.isInitialized());
        BreakpointRequest ready = breakpoint("ready");
        events.resumed();
        ready.disable();
        if (brief) {
            prepare.disable();
            events.toTheEnd();
            return;
        }
        new Looking(vm, main, type).atAll();
        stepping();
        watching();
        throwing();
        redefining();
        monitors();
        returning();
        ClassUnloadRequest unload = requests.createClassUnloadRequest();
        unload.addClassFilter("dropin.*");
        unload.enable();
        breakpoint("unloaded");
        EventSet set = events.resumed();
        while (set.stream().anyMatch(each -> each instanceof ClassPrepareEvent)) {
            set = events.resumed();
        }
        events.toTheEnd();
        System.out.println("unloaded: " + events.unloaded);
    }

    private BreakpointRequest breakpoint(String marker) throws Exception {
        Location location = type.locationsOfLine(lines.get(marker)).get(0);
        BreakpointRequest request = requests.createBreakpointRequest(location);
        request.enable();
        return request;
    }

    private void step(int depth) throws Exception {
        StepRequest step = requests.createStepRequest(main, StepRequest.STEP_LINE, depth);
        step.addCountFilter(1);
        step.enable();
        events.resumed();
        requests.deleteEventRequest(step);
    }

    private void stepping() throws Exception {
        BreakpointRequest chain = breakpoint("chain");
        events.resumed();
        chain.disable();
        MethodEntryRequest entries = requests.createMethodEntryRequest();
        entries.addClassFilter(type);
        entries.enable();
        MethodExitRequest exits = requests.createMethodExitRequest();
        exits.addClassFilter(type);
        exits.addThreadFilter(main);
        exits.enable();
        step(StepRequest.STEP_INTO);
        entries.disable();
        step(StepRequest.STEP_OVER);
        step(StepRequest.STEP_OUT);
        exits.disable();
        step(StepRequest.STEP_OUT);
        step(StepRequest.STEP_OVER);
    }

    private void watching() throws Exception {
        EventRequest access =
                requests.createAccessWatchpointRequest(type.fieldByName("watched"));
        EventRequest change =
                requests.createModificationWatchpointRequest(type.fieldByName("watched"));
        access.enable();
        change.enable();
        events.resumed();
        events.resumed();
        access.disable();
        change.disable();
    }

    private void throwing() throws Exception {
        ExceptionRequest thrown = requests.createExceptionRequest(null, true, true);
        thrown.addClassFilter("dropin.*");
        thrown.enable();
        events.resumed();
        thrown.disable();
        step(StepRequest.STEP_OVER);
    }

    private void redefining() throws Exception {
        BreakpointRequest before = breakpoint("redefinable");
        events.resumed();
        EventSet prepared = events.resumed(); // the class is prepared as it is first used
        ReferenceType redefined = ((ClassPrepareEvent) prepared.iterator().next()).referenceType();
        events.resumed(); // the second call
        byte[] bytes;
        try (InputStream in = Debugger.class.getResourceAsStream("/dropin/Redefined.class")) {
            bytes = in.readAllBytes();
        }
        String changed = new String(bytes, StandardCharsets.ISO_8859_1).replace("OLD1", "NEW1");
        vm.redefineClasses(Map.of(redefined, changed.getBytes(StandardCharsets.ISO_8859_1)));
        System.out.println("obsolete: " + redefined.methodsByName("answer").get(0).isObsolete());
        before.disable();
        try {
            vm.redefineClasses(Map.of(redefined, new byte[] {1, 2, 3}));
        } catch (ClassFormatError refused) {
            System.out.println("refused: ClassFormatError");
        }
    }

    private void monitors() throws Exception {
        BreakpointRequest popped = breakpoint("popped");
        MonitorContendedEnterRequest enter = requests.createMonitorContendedEnterRequest();
        enter.addClassFilter("dropin.*");
        MonitorContendedEnteredRequest entered = requests.createMonitorContendedEnteredRequest();
        entered.addClassFilter("dropin.*");
        MonitorWaitRequest wait = requests.createMonitorWaitRequest();
        wait.addThreadFilter(main);
        MonitorWaitedRequest waited = requests.createMonitorWaitedRequest();
        waited.addThreadFilter(main);
        ThreadStartRequest started = requests.createThreadStartRequest();
        ThreadDeathRequest died = requests.createThreadDeathRequest();
        List<EventRequest> all = List.of(enter, entered, wait, waited, started, died);
        all.forEach(EventRequest::enable);
        events.keep();
        EventSet set = events.resumed();
        while (set.stream().noneMatch(event -> popped.equals(event.request()))) {
            set = events.resumed();
        }
        events.keep();
        all.forEach(EventRequest::disable);
    }

    private void returning() throws Exception {
        main.popFrames(main.frame(0));
        System.out.println("popped to " + Events.text(main.frame(0).location()));
        events.resumed();
        main.forceEarlyReturn(vm.mirrorOf(4242));
    }
}
