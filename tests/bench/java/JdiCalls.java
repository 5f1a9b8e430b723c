// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.Bootstrap;
import com.sun.jdi.StackFrame;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;

/** A plain JDI client that traces the calls of CallCost.step by method entry and exit events. */
public final class JdiCalls {
    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> options = connector.defaultArguments();
        options.get("main").setValue("CallCost " + args[1] + " " + args[2] + " 200");
        options.get("options").setValue("-cp " + args[0]);
        VirtualMachine vm = connector.launch(options);
        MethodEntryRequest entries = vm.eventRequestManager().createMethodEntryRequest();
        MethodExitRequest exits = vm.eventRequestManager().createMethodExitRequest();
        entries.addClassFilter("CallCost");
        exits.addClassFilter("CallCost");
        for (EventRequest each : new EventRequest[] {entries, exits}) {
            each.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            each.enable();
        }
        long told = 0;
        boolean goesOn = true;
        while (goesOn) {
            EventSet set = vm.eventQueue().remove();
            for (Event event : set) {
                if (event instanceof MethodEntryEvent) {
                    StackFrame frame = ((MethodEntryEvent) event).thread().frame(0);
                    told += frame.getArgumentValues().size();
                } else if (event instanceof MethodExitEvent) {
                    told += ((MethodExitEvent) event).returnValue() == null ? 0 : 1;
                } else if (event instanceof VMDisconnectEvent) {
                    goesOn = false;
                }
            }
            if (goesOn) {
                set.resume();
            }
        }
        BufferedReader printed =
                new BufferedReader(new InputStreamReader(vm.process().getInputStream()));
        System.out.println(printed.readLine() + " " + told);
    }
}
