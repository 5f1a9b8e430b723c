// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
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
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.StepRequest;
import java.util.List;
import java.util.Map;

/**
 * A plain JDI client at a distance: what an editor shows, asked as JDI's own documentation suggests. Arguments: port, the
 * line of the breakpoint, how many entries of the map are read; the time for them is multiplied to that of 1,000, which would
 * take minutes. Prints a line for each row: nanoseconds, and its name.
 */
public final class JdiDistance {
    private static final int ENTRIES = 1000;
    private final int line;
    private final int entries;
    private VirtualMachine vm;
    private EventSet current;
    private ReferenceType type;
    private ThreadReference thread;
    private long begun;
    private int shown;

    private JdiDistance(int line, int entries) {
        this.line = line;
        this.entries = entries;
    }

    public static void main(String[] args) throws Exception {
        JdiDistance client = new JdiDistance(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        client.begun = System.nanoTime();
        client.attach(args[0]);
        client.took("attach to initialized");
        client.run();
    }

    private void took(String row) {
        System.out.println((System.nanoTime() - begun) + " " + row);
    }

    private void attach(String port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
        vm = connector.attach(arguments);
        current = vm.eventQueue().remove();
    }

    private void run() throws Exception {
        EventRequestManager requests = vm.eventRequestManager();
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        prepare.addClassFilter("Distance");
        prepare.enable();
        type = ((ClassPrepareEvent) until(ClassPrepareEvent.class)).referenceType();
        breakAt(line, line);
        thread = ((BreakpointEvent) until(BreakpointEvent.class)).thread();
        begun = System.nanoTime();
        show();
        took("first stop shown");
        begun = System.nanoTime();
        breakAt(line + 1, line + 4);
        took("five breakpoints in one file");
        requests.deleteAllBreakpoints();
        breakAt(line, line);
        until(BreakpointEvent.class);
        begun = System.nanoTime();
        show();
        took("next stop shown");
        for (int i = 0; i < 2; i++) {
            begun = System.nanoTime();
            step();
            show();
        }
        took("step over and show");
        StackFrame frame = thread.frame(0);
        ObjectReference self = frame.thisObject();
        ObjectReference stock = (ObjectReference) self.getValue(type.fieldByName("stock"));
        begun = System.nanoTime();
        map(stock);
        begun = System.nanoTime() - (System.nanoTime() - begun) * ENTRIES / entries;
        took("a map of 1,000 opened");
        for (String row : List.of("first evaluate of a call", "evaluate of a call again")) {
            begun = System.nanoTime();
            Value before = thread.frame(0).getValue(thread.frame(0).visibleVariableByName("before"));
            Method price = ((ClassType) type).concreteMethodByName("price", "(I)I");
            shown += ((IntegerValue) self.invokeMethod(thread, price, List.of(before), 0)).value();
            took(row);
        }
        begun = System.nanoTime();
        breakAt(1, 100);
        took("100 breakpoints");
        begun = System.nanoTime();
        vm.dispose();
        took("disconnect");
    }

    private void breakAt(int first, int last) throws Exception {
        for (int number = first; number <= last; number++) {
            for (Location location : type.locationsOfLine(number)) {
                BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(location);
                request.enable();
            }
        }
    }

    private Event until(Class<? extends Event> wanted) throws Exception {
        for (;;) {
            current.resume();
            current = vm.eventQueue().remove();
            for (Event event : current) {
                if (wanted.isInstance(event)) {
                    return event;
                }
            }
        }
    }

    private void step() throws Exception {
        StepRequest request =
                vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
        request.addCountFilter(1);
        request.enable();
        until(StepEvent.class);
        vm.eventRequestManager().deleteEventRequest(request);
    }

    /** Names of threads, the first 20 frames with their lines, and the variables of the topmost with the fields of objects. */
    private void show() throws Exception {
        for (ThreadReference each : vm.allThreads()) {
            shown += each.name().length();
        }
        for (StackFrame each : thread.frames(0, Math.min(20, thread.frameCount()))) {
            Location at = each.location();
            shown += at.declaringType().name().length() + at.method().name().length() + at.lineNumber();
            shown += at.sourceName().length();
        }
        StackFrame top = thread.frame(0);
        Map<LocalVariable, Value> values = top.getValues(top.visibleVariables());
        for (Value value : values.values()) {
            show(value);
        }
        ObjectReference self = top.thisObject();
        for (Value value : self.getValues(self.referenceType().allFields()).values()) {
            show(value);
        }
    }

    private void show(Value value) {
        if (value instanceof StringReference) {
            shown += ((StringReference) value).value().length();
        } else if (value instanceof ObjectReference) {
            shown += ((ObjectReference) value).referenceType().name().length();
        }
    }

    private void map(ObjectReference stock) {
        ArrayReference table = (ArrayReference) stock.getValue(stock.referenceType().fieldByName("table"));
        Field key = null;
        Field value = null;
        Field next = null;
        int left = entries;
        for (Value slot : table.getValues()) {
            for (ObjectReference node = (ObjectReference) slot; node != null && left > 0; left--) {
                if (key == null) {
                    key = node.referenceType().fieldByName("key");
                    value = node.referenceType().fieldByName("value");
                    next = node.referenceType().fieldByName("next");
                }
                Map<Field, Value> found = node.getValues(List.of(key, value, next));
                show(found.get(key));
                ObjectReference boxed = (ObjectReference) found.get(value);
                show(boxed.getValue(boxed.referenceType().fieldByName("value")));
                node = (ObjectReference) found.get(next);
            }
        }
    }
}
