// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A javac that stays warm: one request after the other on standard input, answers on standard output,
 * the end with the end of the input. `server.py` starts it and knows the same messages. All numbers
 * are big-endian ints, texts are UTF-8 behind their size.
 *
 * <p>Request 1, source files: output folder, class path, source path (empty: none), number of
 * options, options, number of files, files.
 * Answer: 1 if all was compiled, else 0; number of diagnostics, each with 1 for an error or 0, file,
 * line and column (from 1, 0 if unknown), message; number of class files, each with its path and that
 * of its source.
 *
 * <p>Request 2, a class of which the source is in no file: its name, its source, class path, release
 * (or empty), output folder, the outermost class around the code (*: all classes are asked for).
 * Answer: 0 and the number of class files, each with binary name and content; or 1 and the number of
 * errors, each with line (from 1), column (from 0, in characters) and message.
 * Before that, questions: 2 and a package, answered by a number of binary names, the classes of the
 * program in it; 3 and a binary name, answered by the size of the class file (-1: there is none) and
 * its content.
 */
final class JavacServer {
    private static final int FILES = 1;
    private static final int NAMES = 2;
    private static final int CONTENT = 3;
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
            int kind;
            try {
                kind = requests.readInt();
            } catch (EOFException end) {
                return;
            }
            if (kind == FILES) {
                compileFiles(new File(text()), paths(text()), paths(text()), texts(), texts());
            } else {
                compileText(text(), text(), text(), text(), text(), text());
            }
            answers.flush();
        }
    }

    private void compileFiles(
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
            answers.writeInt(columnOf(each));
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

    private void compileText(
            String name,
            String source,
            String classPath,
            String release,
            String folder,
            String outermost)
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
        try (StandardJavaFileManager local =
                        COMPILER.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8);
                ProgramFiles files = new ProgramFiles(local, outermost)) {
            List<JavaFileObject> units = List.of(new Unit(name, source));
            isDone = COMPILER.getTask(null, files, found, options, null, units).call();
        } catch (RuntimeException | StackOverflowError failed) {
            sendFailure("the compiler itself fails on this text: " + failed);
            return;
        }
        if (isDone) {
            sendClasses(Path.of(folder));
        } else {
            sendErrors(source, found.getDiagnostics());
        }
    }

    private void sendClasses(Path folder) throws IOException {
        List<Path> made;
        try (Stream<Path> all = Files.walk(folder)) {
            made =
                    all.filter(each -> each.toString().endsWith(".class"))
                            .collect(Collectors.toList());
        }
        answers.writeInt(0);
        answers.writeInt(made.size());
        for (Path each : made) {
            String path = folder.relativize(each).toString();
            String name = path.substring(0, path.length() - ".class".length());
            send(name.replace(File.separatorChar, '.'));
            send(Files.readAllBytes(each));
        }
    }

    private void sendErrors(
            String source, List<Diagnostic<? extends JavaFileObject>> found) throws IOException {
        List<Diagnostic<? extends JavaFileObject>> errors =
                found.stream()
                        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                        .collect(Collectors.toList());
        answers.writeInt(1);
        answers.writeInt(errors.size());
        for (Diagnostic<? extends JavaFileObject> each : errors) {
            int position = (int) Math.max(0, Math.min(each.getPosition(), source.length()));
            int begin = source.lastIndexOf('\n', position - 1) + 1;
            answers.writeInt((int) Math.max(0, each.getLineNumber()));
            answers.writeInt(source.codePointCount(begin, Math.max(begin, position)));
            send(each.getMessage(Locale.ROOT));
        }
    }

    private void sendFailure(String message) throws IOException {
        answers.writeInt(1);
        answers.writeInt(1);
        answers.writeInt(0);
        answers.writeInt(0);
        send(message);
    }

    /** In characters; a Diagnostic's own counts a tab as up to eight. */
    private static int columnOf(Diagnostic<? extends JavaFileObject> found) {
        JavaFileObject source = found.getSource();
        int position = (int) found.getPosition();
        if (source == null || position < 0) {
            return 0;
        }
        try {
            String text = source.getCharContent(true).toString();
            return position - text.lastIndexOf('\n', position - 1);
        } catch (IOException gone) {
            return (int) Math.max(0, found.getColumnNumber());
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
        return new String(content(requests.readInt()), StandardCharsets.UTF_8);
    }

    private byte[] content(int size) throws IOException {
        byte[] content = new byte[size];
        requests.readFully(content);
        return content;
    }

    private void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    private void send(byte[] content) throws IOException {
        answers.writeInt(content.length);
        answers.write(content);
    }

    private void ask(int question, String name) throws IOException {
        answers.writeInt(question);
        send(name);
        answers.flush();
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

    /** Files of the class path, and classes that only the program has. */
    private final class ProgramFiles extends ForwardingJavaFileManager<JavaFileManager> {
        private final String outermost;

        ProgramFiles(JavaFileManager local, String outermost) {
            super(local);
            this.outermost = outermost;
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location,
                String packageName,
                Set<JavaFileObject.Kind> kinds,
                boolean recurse)
                throws IOException {
            Iterable<JavaFileObject> local = super.list(location, packageName, kinds, recurse);
            boolean isClassPath = location == StandardLocation.CLASS_PATH;
            if (!isClassPath || recurse || !kinds.contains(JavaFileObject.Kind.CLASS)) {
                return local;
            }
            Map<String, JavaFileObject> byName = new LinkedHashMap<>();
            for (JavaFileObject each : local) {
                String name = super.inferBinaryName(location, each);
                // The program gives these with everything public.
                boolean isMate =
                        outermost.equals("*")
                                || name.equals(outermost)
                                || name.startsWith(outermost + "$");
                byName.put(name, isMate ? new ProgramClass(name) : each);
            }
            ask(NAMES, packageName);
            for (int left = requests.readInt(); left > 0; left--) {
                String name = text();
                byName.putIfAbsent(name, new ProgramClass(name));
            }
            return byName.values();
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof ProgramClass
                    ? ((ProgramClass) file).name
                    : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            return one instanceof ProgramClass || other instanceof ProgramClass
                    ? one == other
                    : super.isSameFile(one, other);
        }
    }

    /** A class of the program; its content is asked for when javac reads it. */
    private final class ProgramClass extends SimpleJavaFileObject {
        private final String name;

        ProgramClass(String name) {
            super(
                    URI.create("program:///" + name.replace('.', '/').replace("$", "%24") + ".class"),
                    Kind.CLASS);
            this.name = name;
        }

        @Override
        public InputStream openInputStream() throws IOException {
            ask(CONTENT, name);
            int size = requests.readInt();
            if (size < 0) {
                throw new IOException("the program has no class file of " + name);
            }
            return new ByteArrayInputStream(content(size));
        }
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
