// SPDX-License-Identifier: Apache-2.0
package dropin.debugger;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.InvocationException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Everything that can be looked at and changed while `dropin.Program` stands at `@ready`. */
final class Looking {
    private final VirtualMachine vm;
    private final ThreadReference thread;
    private final ClassType type;

    Looking(VirtualMachine vm, ThreadReference thread, ClassType type) {
        this.vm = vm;
        this.thread = thread;
        this.type = type;
    }

    void atAll() throws Exception {
        machine();
        types();
        stack();
        objects();
        invocations();
        changes();
    }

    private void machine() throws Exception {
        Map<String, Object> can = new TreeMap<>();
        for (java.lang.reflect.Method method : VirtualMachine.class.getMethods()) {
            if (method.getName().startsWith("can") && method.getParameterCount() == 0) {
                can.put(method.getName(), method.invoke(vm));
            }
        }
        System.out.println("can: " + can);
        System.out.println("name: " + vm.name());
        System.out.println("version: " + vm.version());
        System.out.println("description: " + vm.description().replaceAll("\\(.*", ""));
        System.out.println("stratum: " + vm.getDefaultStratum());
        System.out.println(
                "threads: "
                        + vm.allThreads().stream()
                                .map(each -> each.name() + " " + each.threadGroup().name())
                                .filter(name -> !name.startsWith("C")) // compilers come and go
                                .filter(name -> !name.startsWith("Attach Listener"))
                                .sorted()
                                .collect(Collectors.toList()));
        System.out.println(
                "groups: "
                        + vm.topLevelThreadGroups().get(0).threadGroups().stream()
                                .map(each -> each.name())
                                .sorted()
                                .collect(Collectors.toList()));
        System.out.println(
                "modules: "
                        + vm.allModules().stream()
                                .map(module -> String.valueOf(module.name()))
                                .sorted()
                                .limit(3)
                                .collect(Collectors.toList()));
        System.out.println("module: " + type.module().name());
        System.out.println("module of String: " + named("java.lang.String").module().name());
    }

    private void types() throws Exception {
        System.out.println("type: " + type.name() + " " + type.sourceName() + " " + type.modifiers());
        System.out.println("paths: " + type.sourcePaths("Java") + " " + type.availableStrata());
        System.out.println("generic: " + type.genericSignature());
        System.out.println("version: " + type.majorVersion() + "." + type.minorVersion());
        System.out.println("super: " + type.superclass().name());
        System.out.println("interfaces of String: "
                + Events.joined(((ClassType) named("java.lang.String")).interfaces()));
        System.out.println("pool: " + type.constantPoolCount() + " " + type.constantPool().length);
        System.out.println("loader: " + type.classLoader().referenceType().name());
        System.out.println("nested: " + Events.joined(named("java.util.HashMap").nestedTypes()
                .stream().map(ReferenceType::name).sorted().collect(Collectors.toList())));
        for (Method method : type.methods()) {
            System.out.println("method: " + method + " " + method.modifiers() + " "
                    + method.genericSignature() + " " + method.bytecodes().length + " "
                    + method.allLineLocations().size() + " " + names(method));
        }
        for (Field field : type.fields()) {
            System.out.println("field: " + field + " " + field.typeName() + " "
                    + field.genericSignature() + " " + field.modifiers()
                    + (field.isStatic() ? " " + text(type.getValue(field)) : ""));
        }
    }

    private static String names(Method method) throws Exception {
        return method.isNative() || method.isAbstract()
                ? "-"
                : Events.joined(method.variables().stream()
                        .map(variable -> variable.typeName() + " " + variable.name())
                        .collect(Collectors.toList()));
    }

    private void stack() throws Exception {
        System.out.println("status: " + thread.status() + " " + thread.suspendCount() + " "
                + thread.isAtBreakpoint() + " " + thread.frameCount());
        StackFrame frame = thread.frame(0);
        for (LocalVariable variable : frame.visibleVariables()) {
            System.out.println("local: " + variable.typeName() + " " + variable.name() + " = "
                    + text(frame.getValue(variable)));
        }
        System.out.println("this: " + frame.thisObject());
        System.out.println("arguments: " + frame.getArgumentValues().size());
        System.out.println("owned: " + thread.ownedMonitors().size() + " "
                + thread.ownedMonitorsAndFrames().size() + " " + thread.currentContendedMonitor());
    }

    private void objects() {
        ObjectReference program = local("program");
        System.out.println("instances: " + type.instances(0).size() + " " + type.instances(1).size());
        System.out.println("counts: "
                + Arrays.toString(vm.instanceCounts(List.of(type))));
        System.out.println("referrers: " + program.referringObjects(0).stream()
                .map(each -> each.referenceType().name()).sorted().collect(Collectors.toList()));
        System.out.println("monitor: " + program.toString().replaceAll("id=\\d+", "id"));
        program.disableCollection();
        System.out.println("collected: " + program.isCollected());
        program.enableCollection();
        ArrayReference numbers = (ArrayReference) local("numbers");
        System.out.println("array: " + Events.joined(numbers.getValues()) + " of " + numbers.length());
        System.out.println("class object: " + type.classObject().reflectedType().name());
    }

    private void invocations() throws Exception {
        ObjectReference program = local("program");
        Method greet = type.methodsByName("greet").get(0);
        Value greeting = program.invokeMethod(
                thread, greet, List.of(vm.mirrorOf("JDI \u00e4\ud83d\ude00"), vm.mirrorOf(2)), 0);
        System.out.println("greeting: " + text(greeting));
        Method twice = type.methodsByName("twice").get(0);
        System.out.println("twice: " + type.invokeMethod(
                thread, twice, List.of(vm.mirrorOf(21)), ClassType.INVOKE_SINGLE_THREADED));
        Method constructor = type.methodsByName("<init>").get(0);
        ObjectReference made = type.newInstance(thread, constructor, List.of(vm.mirrorOf("made")), 0);
        System.out.println("made: " + text(made.getValue(type.fieldByName("name"))));
        Method hash = named("java.lang.Object").methodsByName("toString").get(0);
        String shown = text(program.invokeMethod(
                thread, hash, List.of(), ObjectReference.INVOKE_NONVIRTUAL));
        System.out.println("nonvirtual: " + shown.replaceAll("@.*", "@"));
        try {
            Method repeat = named("java.lang.String").methodsByName("repeat").get(0);
            vm.mirrorOf("x").invokeMethod(thread, repeat, List.of(vm.mirrorOf(-1)), 0);
        } catch (InvocationException expected) {
            System.out.println("threw: " + expected.exception().referenceType().name());
        }
    }

    private void changes() throws Exception {
        StackFrame frame = thread.frame(0);
        frame.setValue(frame.visibleVariableByName("text"), vm.mirrorOf("four"));
        ((ArrayReference) local("numbers")).setValue(1, vm.mirrorOf(99));
        System.out.println("array: " + Events.joined(((ArrayReference) local("numbers")).getValues()));
        type.setValue(type.fieldByName("counter"), vm.mirrorOf(10));
        local("program").setValue(type.fieldByName("watched"), vm.mirrorOf(70));
        System.out.println("text: " + text(local("text")));
        try {
            frame.setValue(frame.visibleVariableByName("text"), local("program"));
        } catch (com.sun.jdi.InvalidTypeException expected) {
            System.out.println("refused: a Program is no String");
        }
    }

    private ReferenceType named(String name) {
        List<ReferenceType> found = vm.classesByName(name);
        return found.isEmpty() ? type : found.get(0);
    }

    private ObjectReference local(String name) {
        try {
            StackFrame frame = thread.frame(0);
            return (ObjectReference) frame.getValue(frame.visibleVariableByName(name));
        } catch (com.sun.jdi.IncompatibleThreadStateException
                | com.sun.jdi.AbsentInformationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String text(Value value) {
        if (value instanceof StringReference) {
            return ((StringReference) value).value();
        }
        if (value instanceof ObjectReference) {
            return "a " + ((ObjectReference) value).referenceType().name();
        }
        return String.valueOf(value);
    }
}
