// SPDX-License-Identifier: Apache-2.0
package dropin.debugger;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.connect.ListeningConnector;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The ways in which a JDI program comes to a VM; each starts `dropin.Program` with this JDK, or with
 * the one that the system property `debuggee.home` names.
 */
final class Connecting {
    private static final String MAIN = "dropin.Program";
    private static final String HOME =
            System.getProperty("debuggee.home", System.getProperty("java.home"));

    private final String agent;
    private Process process;

    /** `agent` is the VM argument up to the options, for the ways where a debugger writes it. */
    Connecting(String agent) {
        this.agent = agent;
    }

    VirtualMachine by(String way) throws Exception {
        switch (way) {
            case "launching":
                return launch();
            case "raw":
                return launchRaw();
            case "attaching":
                return attach();
            case "process":
                return attachToProcess();
            case "listening":
                return listen();
            default:
                throw new IllegalArgumentException(way);
        }
    }

    /** What the program has printed, once it has ended. */
    static String outputOf(Process process) throws Exception {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), "UTF-8"))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("Listening for transport"))
                    .collect(Collectors.joining("\n"));
        }
    }

    Process process() {
        return process;
    }

    /** Nothing is left behind, whatever has failed. */
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private VirtualMachine launch() throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("home").setValue(HOME);
        arguments.get("main").setValue(MAIN);
        arguments.get("options").setValue("-cp " + System.getProperty("java.class.path"));
        VirtualMachine vm = connector.launch(arguments);
        process = vm.process();
        return vm;
    }

    private VirtualMachine launchRaw() throws Exception {
        String address;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "127.0.0.1:" + free.getLocalPort();
        }
        LaunchingConnector connector =
                (LaunchingConnector) connector("com.sun.jdi.RawCommandLineLaunch");
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        String java = HOME + "/bin/java";
        String options = "transport=dt_socket,server=n,suspend=y,address=" + address;
        String classPath = System.getProperty("java.class.path");
        arguments
                .get("command")
                .setValue(String.join(" ", java, agent + options, "-cp", classPath, MAIN));
        arguments.get("address").setValue(address);
        VirtualMachine vm = connector.launch(arguments);
        process = vm.process();
        return vm;
    }

    private VirtualMachine attach() throws Exception {
        String address = start("server=y,suspend=y,address=127.0.0.1:0");
        AttachingConnector connector =
                (AttachingConnector) connector("com.sun.jdi.SocketAttach");
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(address);
        return connector.attach(arguments);
    }

    private VirtualMachine attachToProcess() throws Exception {
        start("server=y,suspend=y,address=127.0.0.1:0");
        AttachingConnector connector =
                (AttachingConnector) connector("com.sun.jdi.ProcessAttach");
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("pid").setValue(Long.toString(process.pid()));
        return connector.attach(arguments);
    }

    private VirtualMachine listen() throws Exception {
        ListeningConnector connector =
                (ListeningConnector) connector("com.sun.jdi.SocketListen");
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("port").setValue("0");
        String address = connector.startListening(arguments);
        String port = address.substring(address.lastIndexOf(':') + 1);
        start("server=n,suspend=y,address=127.0.0.1:" + port);
        VirtualMachine vm = connector.accept(arguments);
        connector.stopListening(arguments);
        return vm;
    }

    /** Starts the program; where its agent listens, if it does. */
    private String start(String options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(HOME + "/bin/java");
        command.add(agent + "transport=dt_socket," + options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(MAIN);
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        if (options.startsWith("server=n")) {
            return "";
        }
        StringBuilder line = new StringBuilder();
        for (int next = process.getInputStream().read();
                next != '\n' && next >= 0;
                next = process.getInputStream().read()) {
            line.append((char) next);
        }
        return line.substring(line.lastIndexOf(" ") + 1);
    }

    private static Connector connector(String name) {
        return Bootstrap.virtualMachineManager().allConnectors().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
