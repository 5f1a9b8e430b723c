// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A compiler that stays warm: one request after the other on standard input, answers on standard
 * output, the end with the end of the input. `server.py` starts it with `java CompileServer.java`
 * and knows the same messages. All numbers are big-endian ints, texts are UTF-8 behind their size.
 *
 * <p>Request: name of the class, its source, class path, release (or empty), output folder.
 * Answer: 0 and the number of class files, each with binary name and content; or 1 and the number of
 * errors, each with line (from 1), column (from 0, in characters) and message.
 */
final class CompileServer {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private CompileServer() {}

    public static void main(String[] arguments) throws IOException {
        DataOutputStream answers =
                new DataOutputStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        System.setOut(System.err); // nothing else may write there
        DataInputStream requests = new DataInputStream(System.in);
        while (true) {
            String name;
            try {
                name = text(requests);
            } catch (EOFException end) {
                return;
            }
            serve(name, text(requests), text(requests), text(requests), text(requests), answers);
            answers.flush();
        }
    }

    private static void serve(
            String name,
            String source,
            String classPath,
            String release,
            String folder,
            DataOutputStream answer)
            throws IOException {
        List<String> options =
                new ArrayList<>(
                        List.of("-proc:none", "-nowarn", "-g", "-implicit:none", "-Xlint:none"));
        options.addAll(List.of("-d", folder, "-cp", classPath));
        if (!release.isEmpty()) {
            options.addAll(List.of("--release", release));
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        boolean isDone;
        try (StandardJavaFileManager files =
                COMPILER.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            List<JavaFileObject> units = List.of(new Unit(name, source));
            isDone = COMPILER.getTask(null, files, found, options, null, units).call();
        } catch (RuntimeException | StackOverflowError failed) {
            sendFailure("the compiler itself fails on this text: " + failed, answer);
            return;
        }
        if (isDone) {
            sendClasses(Path.of(folder), answer);
        } else {
            sendErrors(source, found.getDiagnostics(), answer);
        }
    }

    private static void sendClasses(Path folder, DataOutputStream answer) throws IOException {
        List<Path> made;
        try (Stream<Path> all = Files.walk(folder)) {
            made =
                    all.filter(each -> each.toString().endsWith(".class"))
                            .collect(Collectors.toList());
        }
        answer.writeInt(0);
        answer.writeInt(made.size());
        for (Path each : made) {
            String path = folder.relativize(each).toString();
            String name = path.substring(0, path.length() - ".class".length());
            send(answer, name.replace(File.separatorChar, '.').getBytes(StandardCharsets.UTF_8));
            send(answer, Files.readAllBytes(each));
        }
    }

    private static void sendErrors(
            String source,
            List<Diagnostic<? extends JavaFileObject>> found,
            DataOutputStream answer)
            throws IOException {
        List<Diagnostic<? extends JavaFileObject>> errors =
                found.stream()
                        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                        .collect(Collectors.toList());
        answer.writeInt(1);
        answer.writeInt(errors.size());
        for (Diagnostic<? extends JavaFileObject> each : errors) {
            int position = (int) Math.max(0, Math.min(each.getPosition(), source.length()));
            int begin = source.lastIndexOf('\n', position - 1) + 1;
            answer.writeInt((int) Math.max(0, each.getLineNumber()));
            answer.writeInt(source.codePointCount(begin, Math.max(begin, position)));
            send(answer, each.getMessage(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void sendFailure(String message, DataOutputStream answer) throws IOException {
        answer.writeInt(1);
        answer.writeInt(1);
        answer.writeInt(0);
        answer.writeInt(0);
        send(answer, message.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(DataInputStream requests) throws IOException {
        byte[] content = new byte[requests.readInt()];
        requests.readFully(content);
        return new String(content, StandardCharsets.UTF_8);
    }

    private static void send(DataOutputStream answer, byte[] content) throws IOException {
        answer.writeInt(content.length);
        answer.write(content);
    }

    /** The source of a class, which is in no file. */
    private static final class Unit extends SimpleJavaFileObject {
        private final String source;

        Unit(String name, String source) {
            super(
                    URI.create("string:///" + name.replace('.', '/').replace("$", "%24") + ".java"),
                    Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }
}
