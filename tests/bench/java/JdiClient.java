// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The baseline of the benchmarks: a plain JDI client, written as JDI's own documentation suggests.
 *
 * <p>Reads one line per run from standard input: {@code PORT STEPS HITS SHOW_LINE STEP_LINE HOT_LINE}. After each phase
 * it prints {@code phase NAME NANOSECONDS} (System.nanoTime at its end for the first, the duration for the others) and
 * waits for an empty line, so that the harness can read its packet counters between two phases.
 */
public final class JdiClient {
    private final BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private VirtualMachine vm;
    private EventSet current;

    public static void main(String[] args) throws Exception {
        new JdiClient().serve();
    }

    private void serve() throws Exception {
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ");
            int[] numbers = new int[words.length];
            for (int i = 0; i < words.length; i++) {
                numbers[i] = Integer.parseInt(words[i]);
            }
            run(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
        }
    }

    private void phase(String name, long nanoseconds) throws Exception {
        System.out.println("phase " + name + " " + nanoseconds);
        input.readLine();
    }

    private void run(int port, int steps, int hits, int showLine, int stepLine, int hotLine) throws Exception {
        attach(port);
        ReferenceType target = firstStop(showLine);
        phase("first_stop", System.nanoTime());
        ThreadReference thread = ((BreakpointEvent) current.iterator().next()).thread();

        long start = System.nanoTime();
        show(thread);
        phase("show", System.nanoTime() - start);

        breakAt(target, stepLine);
        resumeUntil(BreakpointEvent.class);
        vm.eventRequestManager().deleteAllBreakpoints();
        start = System.nanoTime();
        for (int i = 0; i < steps; i++) {
            stepOver(thread);
        }
        phase("step_over", System.nanoTime() - start);

        breakAt(target, hotLine);
        start = System.nanoTime();
        conditionalHits(hits);
        phase("condition", System.nanoTime() - start);
        vm.eventRequestManager().deleteAllBreakpoints();
        finish();
        System.out.println("finished");
    }

    private void attach(int port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        vm = connector.attach(arguments);
        current = vm.eventQueue().remove();
    }

    private ReferenceType firstStop(int line) throws Exception {
        ClassPrepareRequest prepare = vm.eventRequestManager().createClassPrepareRequest();
        prepare.addClassFilter("BenchTarget");
        prepare.enable();
        Event event = resumeUntil(ClassPrepareEvent.class);
        ReferenceType target = ((ClassPrepareEvent) event).referenceType();
        breakAt(target, line);
        resumeUntil(BreakpointEvent.class);
        return target;
    }

    private void breakAt(ReferenceType type, int line) throws Exception {
        for (Location location : type.locationsOfLine(line)) {
            BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(location);
            request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            request.enable();
        }
    }

    /** Resumes until an event of that kind comes, and leaves the VM stopped there. */
    private Event resumeUntil(Class<? extends Event> kind) throws Exception {
        while (true) {
            current.resume();
            current = vm.eventQueue().remove();
            for (Event event : current) {
                if (kind.isInstance(event)) {
                    return event;
                }
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    throw new IllegalStateException("the debuggee ended before " + kind.getSimpleName());
                }
            }
        }
    }

    /** What an editor shows at a stop: the frames with their lines, and the variables of the topmost one as text. */
    private void show(ThreadReference thread) throws Exception {
        List<StackFrame> frames = thread.frames(0, Math.min(20, thread.frameCount()));
        StringBuilder text = new StringBuilder();
        for (StackFrame frame : frames) {
            Location location = frame.location();
            text.append(location.declaringType().name()).append('.').append(location.method().name());
            text.append('(').append(location.sourceName()).append(':').append(location.lineNumber()).append(")\n");
        }
        StackFrame top = frames.get(0);
        text.append(shown(top.thisObject()));
        Map<LocalVariable, Value> values = top.getValues(top.visibleVariables());
        for (Map.Entry<LocalVariable, Value> entry : values.entrySet()) {
            text.append(entry.getKey().name()).append(" = ").append(shown(entry.getValue())).append('\n');
        }
        if (text.length() == 0) {
            throw new IllegalStateException("nothing to show");
        }
    }

    private static String shown(Value value) {
        if (value instanceof StringReference) {
            return ((StringReference) value).value();
        }
        if (value instanceof ObjectReference) {
            ObjectReference object = (ObjectReference) value;
            return object.referenceType().name() + "@" + object.uniqueID();
        }
        return String.valueOf(value);
    }

    private void stepOver(ThreadReference thread) throws Exception {
        StepRequest request = vm.eventRequestManager()
                .createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
        request.addCountFilter(1);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
        resumeUntil(StepEvent.class);
        vm.eventRequestManager().deleteEventRequest(request);
    }

    /** Hits the breakpoint in the loop; the condition `i == hits - 1` holds the last time. */
    private void conditionalHits(int hits) throws Exception {
        while (true) {
            BreakpointEvent event = (BreakpointEvent) resumeUntil(BreakpointEvent.class);
            StackFrame frame = event.thread().frame(0);
            IntegerValue i = (IntegerValue) frame.getValue(frame.visibleVariableByName("i"));
            if (i.value() == hits - 1) {
                return;
            }
        }
    }

    private void finish() throws Exception {
        try {
            while (true) {
                current.resume();
                current = vm.eventQueue().remove();
            }
        } catch (com.sun.jdi.VMDisconnectedException ended) {
            vm = null;
        }
    }
}
