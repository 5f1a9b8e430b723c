// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A javac that stays warm and compiles source files: one request after the other on standard input,
 * answers on standard output, the end with the end of the input. `javac_server.py` starts it and
 * knows the same messages. All numbers are big-endian ints, texts are UTF-8 behind their size.
 *
 * <p>Request: output folder, class path, source path (empty: none), number of options,
 * options, number of files, files.
 * Answer: 1 if all was compiled, else 0; number of diagnostics, each with 1 for an error or 0, file,
 * line and column (from 1, 0 if unknown), message; number of class files, each with its path and that
 * of its source.
 */
final class JavacServer {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final DataInputStream requests;
    private final DataOutputStream answers;

    private JavacServer(DataInputStream requests, DataOutputStream answers) {
        this.requests = requests;
        this.answers = answers;
    }

    public static void main(String[] arguments) throws IOException {
        DataOutputStream answers =
                new DataOutputStream(
                        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        System.setOut(System.err); // nothing else may write there
        new JavacServer(new DataInputStream(System.in), answers).run();
    }

    private void run() throws IOException {
        while (true) {
            String output;
            try {
                output = text();
            } catch (EOFException end) {
                return;
            }
            serve(new File(output), paths(text()), paths(text()), texts(), texts());
            answers.flush();
        }
    }

    private void serve(
            File output,
            List<File> classPath,
            List<File> sourcePath,
            List<String> options,
            List<String> files)
            throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StringWriter said = new StringWriter();
        boolean isDone = false;
        Map<String, String> made = new LinkedHashMap<>();
        try (StandardJavaFileManager local =
                        COMPILER.getStandardFileManager(
                                found, Locale.ROOT, StandardCharsets.UTF_8);
                Recording recording = new Recording(local, made)) {
            local.setLocation(StandardLocation.CLASS_OUTPUT, List.of(output));
            local.setLocation(StandardLocation.CLASS_PATH, classPath);
            local.setLocation(StandardLocation.SOURCE_PATH, sourcePath);
            Iterable<? extends JavaFileObject> units =
                    local.getJavaFileObjectsFromStrings(files);
            isDone = COMPILER.getTask(said, recording, found, options, null, units).call();
        } catch (RuntimeException | StackOverflowError failed) {
            said.write("the compiler itself fails: " + failed);
        }
        answers.writeInt(isDone ? 1 : 0);
        sendDiagnostics(found.getDiagnostics(), isDone ? "" : said.toString());
        answers.writeInt(made.size());
        for (Map.Entry<String, String> each : made.entrySet()) {
            send(each.getKey());
            send(each.getValue());
        }
    }

    private void sendDiagnostics(
            List<Diagnostic<? extends JavaFileObject>> found, String said) throws IOException {
        answers.writeInt(found.size() + (said.isBlank() ? 0 : 1));
        for (Diagnostic<? extends JavaFileObject> each : found) {
            JavaFileObject source = each.getSource();
            answers.writeInt(each.getKind() == Diagnostic.Kind.ERROR ? 1 : 0);
            send(source == null ? "" : pathOf(source));
            answers.writeInt((int) Math.max(0, each.getLineNumber()));
            answers.writeInt((int) Math.max(0, each.getColumnNumber()));
            send(each.getMessage(Locale.ROOT));
        }
        if (!said.isBlank()) {
            answers.writeInt(1);
            send("");
            answers.writeInt(0);
            answers.writeInt(0);
            send(said.strip());
        }
    }

    private static String pathOf(FileObject file) {
        URI uri = file.toUri();
        return "file".equals(uri.getScheme()) ? Path.of(uri).toString() : uri.toString();
    }

    private static List<File> paths(String joined) {
        List<File> found = new ArrayList<>();
        for (String each : joined.split(File.pathSeparator)) {
            if (!each.isEmpty()) {
                found.add(new File(each));
            }
        }
        return found;
    }

    private List<String> texts() throws IOException {
        List<String> found = new ArrayList<>();
        for (int left = requests.readInt(); left > 0; left--) {
            found.add(text());
        }
        return found;
    }

    private String text() throws IOException {
        byte[] content = new byte[requests.readInt()];
        requests.readFully(content);
        return new String(content, StandardCharsets.UTF_8);
    }

    private void send(String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        answers.writeInt(content.length);
        answers.write(content);
    }

    /** Remembers which class file comes from which source. */
    private static final class Recording extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, String> made;

        Recording(JavaFileManager local, Map<String, String> made) {
            super(local);
            this.made = made;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling)
                throws IOException {
            JavaFileObject file = super.getJavaFileForOutput(location, className, kind, sibling);
            if (kind == JavaFileObject.Kind.CLASS) {
                made.put(pathOf(file), sibling == null ? "" : pathOf(sibling));
            }
            return file;
        }
    }
}
