// SPDX-License-Identifier: Apache-2.0
package real;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import oracle.Workload;

/** A compiler compiles a right source and a wrong one: the digests of what it writes, and its messages. */
abstract class Compilers implements Workload {
    private final String name;
    private final String right;
    private final String wrong;

    Compilers(String name, String right, String wrong) {
        this.name = name;
        this.right = right;
        this.wrong = wrong;
    }

    /** Say what the compiler says, and whether it has compiled the file. */
    abstract boolean compile(Path source, Path folder, PrintStream out) throws Exception;

    @Override
    public void round(PrintStream out) throws Exception {
        Path work = Path.of("compiled").toAbsolutePath();
        delete(work);
        for (String text : List.of(right, wrong)) {
            Path folder = Files.createDirectories(work.resolve("classes"));
            Path source = Files.writeString(work.resolve(name), text);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            out.println(compile(source, folder, new PrintStream(said, true)));
            out.println(said.toString().replace(work.toString(), ""));
        }
        digest(work, out);
    }

    private static void digest(Path work, PrintStream out) throws Exception {
        for (Path each : files(work.resolve("classes"))) {
            if (Files.isRegularFile(each) && each.toString().endsWith(".class")) {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(each));
                out.println(each.getFileName() + " " + new BigInteger(1, digest).toString(16));
            }
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().collect(Collectors.toList());
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            List<Path> all = files(folder);
            for (int at = all.size() - 1; at >= 0; --at) {
                Files.delete(all.get(at));
            }
        }
    }

    /** Of Eclipse. */
    public static final class Ecj extends Compilers {
        public Ecj() {
            super("Shop.java",
                    "import java.util.*; import java.util.function.*;\npublic class Shop<T extends Comparable<T>> {\n"
                            + "  enum Kind { A, B { int n() { return 2; } }; int n() { return 1; } }\n"
                            + "  interface Visitor<R> { R visit(Shop<?> shop); }\n"
                            + "  private final Map<Kind, List<T>> all = new EnumMap<>(Kind.class);\n"
                            + "  @SafeVarargs final void add(Kind kind, T... more) { for (T each : more) all.computeIfAbsent(kind, k -> new ArrayList<>()).add(each); }\n"
                            + "  T most() { return all.values().stream().flatMap(List::stream).max(Comparator.naturalOrder()).orElse(null); }\n"
                            + "  <R> R go(Visitor<R> v) { try { return v.visit(this); } finally { all.clear(); } }\n"
                            + "  static String text(Object o) { switch (String.valueOf(o)) { case \"a\": return \"A\" + o; default: return o + \"!\"; } }\n"
                            + "  class Inner extends Shop<String> { Supplier<String> s = () -> most(); }\n}\n",
                    "class Shop { int a = \"text\"; void b() { missing(); return 1; } List<String> c; }");
        }

        @Override
        boolean compile(Path source, Path folder, PrintStream out) {
            return org.eclipse.jdt.core.compiler.batch.BatchCompiler.compile(
                    new String[] {"-11", "-g", "-d", folder.toString(), source.toString()}, new PrintWriter(out), new PrintWriter(out), null);
        }
    }

    /** Of Kotlin. Its own JDK may be too new for it: it has a jar of the classes that it needs. */
    public static final class Kotlin extends Compilers {
        private static final List<String> PACKAGES = List.of("java/io", "java/lang", "java/lang/annotation", "java/util", "java/util/function");
        private final Path jdk = Path.of("jdk.jar").toAbsolutePath();

        public Kotlin() throws IOException {
            super("shop.kt",
                    "package shop\nclass Item(val name: String, var cents: Long) { operator fun plus(o: Item) = Item(name + o.name, cents + o.cents) }\n"
                            + "sealed class Node { class Leaf(val n: Int) : Node(); class Two(val a: Node, val b: Node) : Node() }\n"
                            + "fun sum(n: Node): Int = when (n) { is Node.Leaf -> n.n; is Node.Two -> sum(n.a) + sum(n.b) }\n"
                            + "inline fun <T> twice(f: () -> T): T { f(); return f() }\n"
                            + "fun text(i: Item?) = i?.name ?: \"none${twice { 3 }}\"\n"
                            + "object Single { val all = arrayOf(1, 2, 3); fun f(vararg n: Int): Int { var s = 0; for (x in n) s += x; return s } }\n",
                    "package shop\nfun wrong(): Int = \"text\"\nfun other() { missing() }\n");
            try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(jdk))) {
                for (String each : PACKAGES) {
                    add(jar, each);
                }
            }
        }

        /** All of a package, as class files of Java 11. */
        private static void add(ZipOutputStream jar, String name) throws IOException {
            Path folder = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base", name);
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.class")) {
                for (Path each : all) {
                    byte[] bytes = Files.readAllBytes(each);
                    bytes[7] = 55;
                    jar.putNextEntry(new ZipEntry(name + "/" + each.getFileName()));
                    jar.write(bytes);
                }
            }
        }

        @Override
        boolean compile(Path source, Path folder, PrintStream out) {
            return new org.jetbrains.kotlin.cli.jvm.K2JVMCompiler().exec(out,
                    "-no-reflect", "-no-stdlib", "-no-jdk", "-cp", System.getProperty("java.class.path") + File.pathSeparator + jdk, "-nowarn",
                    "-d", folder.toString(), source.toString()).getCode() == 0;
        }
    }

    /** Of Scala. */
    public static final class Scala extends Compilers {
        public Scala() {
            super("Shop.scala",
                    "package shop\ncase class Item(name: String, cents: Long)\nsealed trait Node\ncase class Leaf(n: Int) extends Node\n"
                            + "case class Two(a: Node, b: Node) extends Node\nobject Shop {\n"
                            + "  def sum(n: Node): Int = n match { case Leaf(k) if k > 0 => k; case Leaf(_) => 0; case Two(a, b) => sum(a) + sum(b) }\n"
                            + "  lazy val all = List(Item(\"tea\", 3), Item(\"cup\", 4))\n"
                            + "  def most(implicit o: Ordering[Long]) = (for (i <- all; if i.cents > 1) yield i.cents).max\n}\n",
                    "package shop\nobject Wrong { val a: Int = \"text\"; def b = missing }\n");
        }

        @Override
        boolean compile(Path source, Path folder, PrintStream out) {
            scala.tools.nsc.Settings settings = new scala.tools.nsc.Settings();
            scala.collection.immutable.List<String> options = scala.jdk.javaapi.CollectionConverters.asScala(
                    List.of("-usejavacp", "-d", folder.toString())).toList();
            settings.processArguments(options, true);
            return Console.with(out, () -> {
                scala.tools.nsc.Global global = new scala.tools.nsc.Global(settings);
                new Running(global, source).run();
                return !global.reporter().hasErrors();
            });
        }

        private static final class Running {
            private final scala.tools.nsc.Global global;
            private final Path source;

            Running(scala.tools.nsc.Global global, Path source) {
                this.global = global;
                this.source = source;
            }

            void run() {
                global.new Run().compile(scala.jdk.javaapi.CollectionConverters.asScala(List.of(source.toString())).toList());
                global.close();
            }
        }
    }

    /** Standard error of a compiler that prints there. */
    private static final class Console {
        static boolean with(PrintStream out, java.util.function.BooleanSupplier work) {
            return scala.Console.withErr(out, () -> (Object) scala.Console.withOut(out, () -> (Object) work.getAsBoolean())) == Boolean.TRUE;
        }
    }
}
