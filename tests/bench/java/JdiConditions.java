// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.util.List;
import java.util.Map;

/**
 * What a plain JDI client does at a line of {@code Conditions}: arguments {@code CASE CLASSES LINE ARGUMENT...}, with the
 * arguments of that program. The case {@code exception} has no line: it wants exceptions of another class.
 *
 * <p>It suspends the one thread only, reads what the condition names, nothing else, and resumes. The program prints the
 * nanoseconds of a pass, which go to standard output.
 */
public final class JdiConditions {
    private JdiConditions() {}

    public static void main(String[] args) throws Exception {
        String main = "Conditions " + String.join(" ", List.of(args).subList(3, args.length));
        VirtualMachine vm = launch(args[1], main);
        ClassPrepareRequest prepare = vm.eventRequestManager().createClassPrepareRequest();
        prepare.addClassFilter("Conditions");
        prepare.enable();
        try {
            while (true) {
                EventSet set = vm.eventQueue().remove();
                for (Event event : set) {
                    if (event instanceof ClassPrepareEvent) {
                        arm(vm, ((ClassPrepareEvent) event).referenceType(), Integer.parseInt(args[2]), args[0]);
                    } else if (event instanceof BreakpointEvent) {
                        look(((BreakpointEvent) event).thread(), args[0]);
                    }
                }
                set.resume();
            }
        } catch (com.sun.jdi.VMDisconnectedException ended) {
            vm.process().getInputStream().transferTo(System.out);
        }
    }

    private static VirtualMachine launch(String classes, String main) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("home").setValue(System.getProperty("java.home"));
        arguments.get("options").setValue("-cp " + classes);
        arguments.get("main").setValue(main);
        return connector.launch(arguments);
    }

    private static void arm(VirtualMachine vm, ReferenceType type, int line, String name) throws Exception {
        if (name.equals("exception")) {
            ReferenceType other = vm.classesByName("java.lang.ArithmeticException").get(0);
            vm.eventRequestManager().createExceptionRequest(other, true, true).enable();
            return;
        }
        BreakpointRequest request =
                vm.eventRequestManager().createBreakpointRequest(type.locationsOfLine(line).get(0));
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        if (name.equals("hit count")) {
            request.addCountFilter(2_000_000_000);
        }
        request.enable();
    }

    private static void look(ThreadReference thread, String name) throws Exception {
        boolean holds;
        switch (name) {
            case "int":
                holds = local(thread.frame(0)) < 0;
                break;
            case "private field":
                StackFrame frame = thread.frame(0);
                holds = local(frame) < number(frame, "limit");
                break;
            case "object's field":
            case "object's, counted":
                StackFrame of = thread.frame(0);
                holds = price(of) > number(of, "most");
                break;
            case "private method":
                holds = isOver(thread);
                break;
            case "three parts":
                StackFrame top = thread.frame(0);
                int i = local(top);
                holds = i < 0 && number(top, "sum") > 3 || number(top, "limit") == i;
                break;
            case "string equals":
                holds = "x".equals(className(thread));
                break;
            default: // a log point with two values
                StackFrame at = thread.frame(0);
                holds = ("i " + local(at) + " limit " + number(at, "limit")).isEmpty();
                break;
        }
        if (holds) {
            throw new IllegalStateException(name + " holds");
        }
    }

    private static int local(StackFrame frame) throws Exception {
        return ((IntegerValue) frame.getValue(frame.visibleVariableByName("i"))).value();
    }

    private static long price(StackFrame frame) throws Exception {
        ObjectReference item = (ObjectReference) frame.getValue(frame.visibleVariableByName("item"));
        return ((PrimitiveValue) item.getValue(item.referenceType().fieldByName("price"))).longValue();
    }

    private static long number(StackFrame frame, String field) {
        ObjectReference self = frame.thisObject();
        return ((PrimitiveValue) self.getValue(self.referenceType().fieldByName(field))).longValue();
    }

    private static boolean isOver(ThreadReference thread) throws Exception {
        StackFrame frame = thread.frame(0);
        ObjectReference self = frame.thisObject();
        List<? extends Value> arguments = List.of(frame.getValue(frame.visibleVariableByName("i")));
        Value over = self.invokeMethod(
                thread,
                self.referenceType().methodsByName("isOver").get(0),
                arguments,
                ObjectReference.INVOKE_SINGLE_THREADED);
        return ((PrimitiveValue) over).booleanValue();
    }

    private static String className(ThreadReference thread) throws Exception {
        ObjectReference type = (ObjectReference) call(thread, thread.frame(0).thisObject(), "getClass");
        return ((StringReference) call(thread, type, "getName")).value();
    }

    private static Value call(ThreadReference thread, ObjectReference on, String method) throws Exception {
        return on.invokeMethod(
                thread,
                on.referenceType().methodsByName(method).get(0),
                List.of(),
                ObjectReference.INVOKE_SINGLE_THREADED);
    }
}
