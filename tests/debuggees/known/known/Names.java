// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.say;
import static known.Said.text;

import java.io.File;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Currency;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.regex.Pattern;

/** What names something, text that is being built, and what refers to objects. */
final class Names {
    private Names() {}

    static void make() throws Exception {
        texts();
        text(new UUID(0x0123456789abcdefL, 0xfedcba9876543210L));
        text(new UUID(1, 2));
        text(new File("some/file.txt"));
        text(Path.of("/some/päth"));
        text(Path.of(""));
        text(URI.create("https://user@example.com:8080/a?b=c#d"));
        text(new URI("http", "example.com", "/x y", "q=1", "f"));
        text(new URI("mailto", "a@b.c", null));
        // Without anything that would put the text together before it is shown.
        say(new URI("http", null, "host", 81, "/p", null, "f"), "http://host:81/p#f");
        text(new URL("http://example.com:81/a/b?c=d#e"));
        text(new URL("file:/x/y"));
        text(Locale.US);
        text(Locale.ENGLISH);
        text(Locale.ROOT);
        text(Locale.forLanguageTag("zh-Hans-CN"));
        text(Locale.forLanguageTag("sr-Latn"));
        text(new Locale("de", "", "POSIX"));
        text(Locale.forLanguageTag("th-TH-u-nu-thai"));
        text(StandardCharsets.UTF_8);
        text(Pattern.compile("a+(b|c)"));
        text(Currency.getInstance("EUR"));
        ByteBuffer buffer = ByteBuffer.allocate(10).putInt(3);
        say(buffer, buffer.toString().replace("java.nio.", ""));
        text(new StackTraceElement("a.B", "c", "B.java", 3));
        text(new StackTraceElement(null, "java.base", null, "java.lang.Thread", "run", "Thread.java", -2));
        text(TimeUnit.DAYS);
    }

    private static void texts() throws Exception {
        text(new StringBuilder("built").append(1));
        text(new StringBuffer("\u20ac"));
        say(new WeakReference<>("weak".intern()), "WeakReference[\"weak\"]");
        say(new SoftReference<>(null), "SoftReference[null]");
        text(Names.class);
        text(Runnable.class);
        text(Deprecated.class);
        text(Thread.State.class);
        text(int[][].class);
        text(String[].class);
        text(int.class);
        text(void.class);
        text(double.class);
        text(new StringBuilder());
        text(new StringBuilder("\u00e9\ud83d\ude00"));
        say(new AtomicStampedReference<>("s", 7), "AtomicStampedReference[\"s\", 7]");
        say(new AtomicMarkableReference<>("m", true), "AtomicMarkableReference[\"m\", true]");
        say(new AtomicReference<>(new AtomicReference<>("in")), "AtomicReference[AtomicReference[\"in\"]]");
        say(new CompletableFuture<String>(), "CompletableFuture[pending]");
        say(CompletableFuture.completedFuture("d"), "CompletableFuture[done: \"d\"]");
        say(CompletableFuture.completedFuture(null), "CompletableFuture[done: null]");
        CompletableFuture<String> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException("why"));
        say(failed, "CompletableFuture[failed: IllegalStateException@ \"why\"]");
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        say(cancelled, "CompletableFuture[cancelled]");
        FutureTask<String> task = new FutureTask<>(() -> "t");
        say(new FutureTask<>(() -> "t"), "FutureTask[pending]");
        task.run();
        say(task, "FutureTask[done: \"t\"]");
        FutureTask<String> thrown = new FutureTask<>(() -> Integer.valueOf("x").toString());
        thrown.run();
        say(thrown, "FutureTask[failed: NumberFormatException@ \"For input string: \\\"x\\\"\"]");
        FutureTask<String> given = new FutureTask<>(() -> "t");
        given.cancel(false);
        say(given, "FutureTask[cancelled]");
        text(InetAddress.getByAddress("host.example", new byte[] {10, 0, (byte) 200, 1}));
        text(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }
}
