# SPDX-License-Identifier: Apache-2.0
"""Debugging Java programs in a real VS Code window, see `conftest`.

A scenario fails on every notification, dialog or Debug Console line of severity error or warning
that its test does not name.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.e2e.testing.conftest import made_project
from tests.e2e.vscode import conftest
from tests.e2e.vscode.conftest import EXTENSION, line_of
from tests.support.debuggees import debuggee
from tests.support.jdks import jdks_to_test, newest_compiler
from tests.support.libraries import frameworks, maven
from tests.support.relay import running_relay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.vscode.conftest import Person

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "Basket.java"

HELLO = """\
public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello, World!");
    }
}
"""

ECHO = """\
public class Echo {
    public static void main(String[] args) {
        System.out.println("name?");
        String name = new java.util.Scanner(System.in).nextLine();
        System.out.println("Good day, " + name);
    }
}
"""

THREADS = """\
public class Threads {
    static volatile int beats;

    public static void main(String[] args) throws Exception {
        Thread beating = new Thread(() -> {
            while (true) {
                beats++;
            }
        }, "beating");
        beating.setDaemon(true);
        beating.start();
        int before = beats;
        int result = twice(before);
        System.out.println(result);
    }

    static int twice(int number) {
        return number * 2;
    }
}
"""

GREETING = """\
public class Greeting {
    public static void main(String[] args) {
        System.out.println(greet("Duke"));
    }

    static String greet(String name) {
        String text = "old " + name;
        return text; // @greeted
    }
}
"""

SERVER = """\
import java.util.ArrayList;
import java.util.List;

public class Server {
    static final List<String> answers = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int number = 1; ; number++) {
            try {
                serve(number);
            } catch (IllegalStateException refused) {
                answers.clear(); // @logged
            }
            Thread.sleep(20);
        }
    }

    static void serve(int number) {
        String answer = "answer " + number;
        answers.add(answer); // @served
        if (number % 5 == 0) {
            throw new IllegalStateException(answer);
        }
    }
}
"""
WORK = """\
public class Work {
    public static void main(String[] args) {
        String options = java.lang.management.ManagementFactory.getRuntimeMXBean()
            .getInputArguments().toString();
        System.out.println(options.contains("mode=fast") ? "begun" : "begun in full mode");
        int doubled = twice(args.length);
        System.out.println("finished " + doubled);
    }

    static int twice(int number) {
        return number * 2; // @here
    }
}
"""
PRICE = """\
public class Price {
    static int price(int amount, int each) {
        int price = amount * each; // @back
        if (amount > 2) {
            price -= 5;
        }
        return price; // @priced
    }

    public static void main(String[] args) {
        int before = 1; // @main
        int paid = price(3, 10) + before;
        System.out.println("paid " + paid);
    }
}
"""
MAIL = """\
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Mail {
    static final ExecutorService POOL = Executors.newFixedThreadPool(1);

    static void send(int number) {
        System.out.println("sent " + number); // @sent
    }

    static void order(int number) throws Exception {
        POOL.submit(() -> send(number)).get();
    }

    public static void main(String[] args) throws Exception {
        order(1);
        order(2);
        POOL.shutdown();
    }
}
"""
KEEPING = """\
import java.util.ArrayList;
import java.util.List;

public class Keeping {
    static final class Cart {
        final byte[] content = new byte[100];
    }

    static final List<Cart> KEPT = new ArrayList<>();

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 20_000; i++) {
            KEPT.add(new Cart());
        }
        System.out.println("keeping");
        Thread.currentThread().join();
    }
}
"""

BUSY = """\
public class Busy {
    static final class Item {}

    static final Item[] items = new Item[1234];

    public static void main(String[] args) {
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item();
        }
        System.out.println("busy");
        while (spin() >= 0) {
        }
    }

    static int spin() {
        int sum = 0;
        for (int i = 0; i < 100_000_000; i++) {
            sum = sum * 31 + i & 0xffff;
        }
        return sum;
    }
}
"""
CHOSEN = """\
package %(package)s;

import java.nio.file.Files;
import java.nio.file.Path;

public class %(name)s {
    public static void main(String[] args) throws Exception {
        Path file = Path.of("%(folder)s", "%(name)s.txt");
        Files.writeString(file, Files.exists(file) ? Files.readString(file) + "I" : "I");
        System.out.println("%(name)s " + Files.readString(file).length());
    }
}
"""
pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


def test_a_person_debugs_a_file(person: Person) -> None:
    shutil.copy(EXAMPLE, person.workspace)
    marked = line_of(EXAMPLE.read_text(), "sum")
    seen = person.does("basket", line=marked)
    assert seen["stopped"].startswith("total += price")
    assert any("Basket.total" in row for row in seen["callStack"])
    assert any("price" in row and "900" in row for row in seen["variables"])
    assert seen["hover"].startswith("900")
    assert any("price" in row and "0x384" in row for row in seen["hex"])
    assert any("iadd" in row for row in seen["disassembly"])
    assert any("total" in row for row in seen["disassembly"])
    assert seen["stepped"] == "}"
    assert any('"tea x 2"' in row for row in seen["console"])
    assert any("items=ArrayList" in row for row in seen["kept"])


def test_hello_world_ends_without_an_error(person: Person) -> None:
    (person.folder / "Hello.java").write_text(HELLO)
    person.does("hello", runs=["F5", "Debug", "Run", "Control+F5"])


def test_a_program_reads_what_is_typed(person: Person) -> None:
    (person.folder / "Echo.java").write_text(ECHO)
    person.does("echo")


@pytest.mark.variant
def test_hello_world_in_the_debug_console(newcomer: Person) -> None:
    (newcomer.folder / "Hello.java").write_text(HELLO)
    newcomer.configure(program="${file}", console="internalConsole")
    runs = ["F5", "F5", "Debug", "Run", "F5", "Control+F5"]
    newcomer.does("hello", shots="hello-internal", console="internalConsole", runs=runs)


@pytest.mark.variant
def test_a_program_reads_what_is_typed_in_the_debug_console(newcomer: Person) -> None:
    (newcomer.folder / "Echo.java").write_text(ECHO)
    newcomer.configure(program="${file}", console="internalConsole")
    named = ("what is typed here goes to its standard input",)
    newcomer.does("echo", named=named, shots="echo-internal", console="internalConsole")


@pytest.mark.variant
def test_a_program_without_main_gives_one_message(newcomer: Person) -> None:
    (newcomer.folder / "Mainless.java").write_text("public class Mainless {}\n")
    newcomer.does("mainless")


@pytest.mark.variant
def test_a_program_that_does_not_compile_gives_one_message(person: Person) -> None:
    (person.folder / "Wrong.java").write_text(
        "public class Wrong {\n    public static void main(String[] args) {\n"
        "        int x = 1\n    }\n}\n"
    )
    seen = person.does("wrong", named=("Not started, Wrong.java:3: ';' expected",))
    assert "Ln 3" in seen["place"]


@pytest.mark.variant
def test_what_needs_the_full_mode_offers_a_restart_in_it(person: Person) -> None:
    (person.folder / "Threads.java").write_text(THREADS)
    seen = person.does("full-mode", named=("no call is known to have returned",))
    assert seen["returned"]


@pytest.mark.variant
def test_other_threads_go_on_when_only_one_is_suspended(person: Person) -> None:
    (person.folder / "Threads.java").write_text(THREADS)
    seen = person.does("suspend")
    assert any("main" in row and "PAUSED" in row.upper() for row in seen["threads"])
    assert any("Reference Handler" in row and "RUNNING" in row.upper() for row in seen["threads"])


ASSISTANT = """\
import asyncio
import sys

import jvmdebug


async def joins():
    try:
        session = await jvmdebug.join("Threads", kind="assistant")
    except jvmdebug.LaunchError as error:
        return print(error, flush=True)
    (stop,) = session.current_stops
    seen = f"{stop.frame.line} {stop.frame.method_name}"
    try:
        await session.resume()
    except jvmdebug.ReadOnlyError as error:
        print(f"{seen}; {error}", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await session.close()


asyncio.run(joins())
sys.stdin.readline()
asyncio.run(joins())
"""


@pytest.mark.variant
def test_an_assistant_joins_once_it_is_let_in(person: Person, tmp_path: Path) -> None:
    (person.folder / "Threads.java").write_text(THREADS)
    script = tmp_path / "assistant.py"
    script.write_text(ASSISTANT)
    seen = person.does("guest", python=sys.executable, script=str(script))
    assert "lets no assistant in: in VS Code, run the command" in seen["refused"]
    assert seen["joined"] == "13 main; cannot resume: you have joined as read-only"


@contextlib.contextmanager
def listening_program(
    source: Path, classes: Path, token_file: Path | None = None
) -> Iterator[tuple[int, int]]:
    """Runs the program of a source with our agent, which listens; its process id and the port."""
    jdk = jdks_to_test()[0]
    subprocess.run([str(jdk.javac), "-g", "-d", classes, source], check=True, timeout=60)
    option = jvmdebug.agent_option("127.0.0.1:0", suspend=False, mode="fast", token_file=token_file)
    with subprocess.Popen(
        [str(jdk.java), option, "-cp", str(classes), source.stem],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            listening = re.search(r"Listening.*\D(\d+)$", process.stdout.readline())
            assert listening
            yield process.pid, int(listening[1])
            assert process.poll() is None, "the program has ended with its debugger"
        finally:
            process.kill()


def test_attach_with_condition_log_point_and_an_exception_ticked_meanwhile(
    person: Person, tmp_path: Path
) -> None:
    source = person.folder / "Server.java"
    source.write_text(SERVER)
    logged, served = line_of(SERVER, "logged"), line_of(SERVER, "served")
    with listening_program(source, tmp_path / "classes") as (pid, port):
        seen = person.does("attach", pid=pid, port=port, logged=logged, served=served)
    (number,) = (row for row in seen["variables"] if row.startswith("number"))
    assert int(number.partition("=")[2]) % 7 == 0
    assert any(f"Server.java:{logged}" in row for row in seen["hits"])
    assert any("1×" in row and "number =" in row for row in seen["hits"])


@pytest.mark.variant
def test_a_program_behind_a_relay(person: Person, tmp_path: Path) -> None:
    source = person.folder / "Server.java"
    source.write_text(SERVER)
    with (
        listening_program(source, tmp_path / "classes") as (_, port),
        asyncio.Runner() as runner,
        contextlib.ExitStack() as stack,
    ):
        opening = running_relay(tmp_path / "relay", f"server=127.0.0.1:{port}")
        relay = runner.run(opening.__aenter__())
        stack.callback(lambda: runner.run(opening.__aexit__(None, None, None)))
        seen = person.does(
            "relay",
            named=("is met for the first time: SHA256:",),
            relay=relay.address("server"),
            token=relay.token("debug"),
            served=line_of(SERVER, "served"),
        )
    assert seen["asked"] == f"Token of the relay at {relay.address()}"
    assert any(row.startswith("number") for row in seen["relayed"])


@pytest.mark.variant
def test_a_token_is_asked_for_once_and_kept(person: Person, tmp_path: Path) -> None:
    source, token = person.folder / "Guarded.java", secrets.token_urlsafe(32)
    source.write_text(SERVER.replace("Server", "Guarded"))
    token_file = tmp_path / "token"
    token_file.write_text(token)
    token_file.chmod(0o600)
    served = line_of(SERVER, "served")
    with listening_program(source, tmp_path / "classes", token_file) as (_, port):
        seen = person.does("token", port=port, served=served, token=token)
    assert f"Token of the agent at 127.0.0.1:{port}" in seen["first"]
    assert seen["isHidden"], "nobody else reads it on the screen"
    assert "The token that was kept is not the agent's" in seen["second"]


def test_threads_and_monitors_show_a_deadlock(person: Person) -> None:
    shutil.copy(debuggee("threads", "Deadlock").source_dir / "Deadlock.java", person.folder)
    seen = person.does("deadlock")
    for rows in seen.values():
        assert any("Deadlock of 2 threads" in row and "→" in row for row in rows)
        assert any(row.startswith("two") and "held by one" in row for row in rows)


def test_profile_and_histogram_of_a_running_program(person: Person) -> None:
    (person.folder / "Busy.java").write_text(BUSY)
    seen = person.does("profile")
    assert "samples" in seen["summary"]
    keys = seen["keys"]
    assert keys["all"].startswith("all: ")
    assert keys["down"] not in (keys["all"], keys["below"])
    assert keys["home"] == keys["all"]
    assert keys["up"] == keys["down"]
    assert keys["over"] == "true"
    assert keys["theme"] == keys["turned"], "it is that of the editor"
    assert float(keys["found"].removesuffix(" % found")) > 0
    assert any("Busy$Item" in row and "1234" in row for row in seen["objects"])
    assert not seen["wrong"], "for who reads it aloud: " + "\n".join(seen["wrong"])


@pytest.mark.variant
def test_heap_dump_of_a_running_program_and_of_a_file(person: Person) -> None:
    (person.folder / "Keeping.java").write_text(KEEPING)
    (person.folder / "broken.hprof").write_text("no heap dump")
    dump = person.folder / "Kept.hprof"
    seen = person.does("heap", file=str(dump), broken="broken.hprof")
    assert "static Keeping.KEPT" in seen["kept"]
    assert any("Keeping$Cart" in row and "20,000" in row for row in seen["found"])
    assert seen["first"] != seen["second"]
    assert "is no heap dump" in seen["refused"]
    assert seen["offered"] == str(Path.home() / "Keeping.hprof"), "and not the project"
    assert dump.stat().st_size > 1_000_000
    assert not seen["wrong"], "for who reads it aloud: " + "\n".join(seen["wrong"])


@pytest.mark.variant
def test_of_several_main_classes_one_is_chosen_and_remembered(person: Person) -> None:
    for name in ("FirstMain", "SecondMain"):
        text = CHOSEN % {"package": person.folder.name, "name": name, "folder": person.folder}
        (person.folder / f"{name}.java").write_text(text)
    (person.folder / "Helper.java").write_text("class Helper {}\n")
    made = 'class Made { public static void main(String[] a) { System.out.println("Made runs"); } }'
    (person.folder / "Made.java").write_text(made)
    javac = newest_compiler().home / "bin/javac"
    source, output = person.folder / "Made.java", person.folder / "bin"
    conftest.run(javac, "--release", "11", "-d", output, source, timeout_s=60)
    source.unlink()
    seen = person.does(
        "mains", one="FirstMain", two="SecondMain", compiled="Made", helper="Helper.java"
    )
    assert f"{person.folder.name}/FirstMain.java" in seen["shown"]


def test_save_and_go_on_with_a_mistake_and_a_restarted_frame(person: Person) -> None:
    (person.folder / "Greeting.java").write_text(GREETING)
    seen = person.does("save", line=line_of(GREETING, "greeted"))
    assert "cannot find symbol" in seen["failed"]
    assert re.search(r"1 class replaced in \d+\.\d s", seen["replaced"])
    assert any(row == 'text = "new Duke"' for row in seen["variables"])


@pytest.mark.variant
def test_a_jump_to_the_cursor(person: Person) -> None:
    (person.folder / "Price.java").write_text(PRICE)
    seen = person.does(
        "jump",
        line=line_of(PRICE, "priced"),
        back=line_of(PRICE, "back"),
        main=line_of(PRICE, "main"),
        named=("cannot jump: main was called by the VM itself",),
    )
    assert any(row == "amount = 3" for row in seen["variables"])


@pytest.mark.variant
def test_where_a_task_came_from(person: Person) -> None:
    (person.folder / "Mail.java").write_text(MAIL)
    seen = person.does("origins", line=line_of(MAIL, "sent"))
    assert any("Mail.order" in row for row in seen["rows"]), seen["rows"]


@pytest.mark.skipif(maven() is None, reason="the test frameworks are fetched by Maven; no mvn here")
def test_junit_tests_from_a_lens_and_what_failed_again(person: Person) -> None:
    made_project(person.folder, frameworks(), "CartTest")
    text = (person.folder / "src" / "shop" / "CartTest.java").read_text("utf-8")
    seen = person.does("junit", root=person.folder.name, odd=line_of(text, "odd"))
    labels = ("adds (Passed)", "takes one ", "[2] 2 (Failed)", "later (Skipped)", "prices (Failed)")
    for label in labels:
        assert any(each.startswith(label) for each in seen["tests"]), seen["tests"]
    states = [
        re.findall("testing-(passed|failed|skipped)-icon", each) for each in seen["icons"][1:]
    ]
    assert [states.count([each]) for each in ("failed", "passed", "skipped")] == [2, 4, 2]
    assert seen["summary"].strip().startswith("4/6"), "as the results and what the program printed"
    assert any(row == "cents = 2" for row in seen["variables"]), "the call that failed, no other"
    assert not any("org.junit" in row for row in seen["callStack"]), "JUnit's frames are folded"


# They ask nothing that Escape dismisses, or are called by what is pressed in the window.
CALLED_OTHERWISE = {
    "jvmdebug.debugFile": "when nothing is debugged, at the end of the scenario",
    "jvmdebug.runFile": "when nothing is debugged, at the end of the scenario",
    "jvmdebug.evaluateEditor": "in the evaluate window; the scenario of shown stops has it",
    "jvmdebug.openHeapReport": "in the editor of a heap dump; test/heapReport.test.ts has it",
    "jvmdebug.install": "fetches the debugger itself; test/install.test.ts has it",
}


@pytest.mark.variant
def test_each_command_at_a_stop(person: Person) -> None:
    contributed = json.loads((EXTENSION / "package.json").read_text())["contributes"]
    palette = contributed["menus"]["commandPalette"]
    hidden = {each["command"] for each in palette if each.get("when") == "false"}
    left = hidden | CALLED_OTHERWISE.keys()
    titles = [each["title"] for each in contributed["commands"] if each["command"] not in left]
    titles.sort(key=lambda title: title == "Step Filters")  # they are on: turned off first
    (person.folder / "Work.java").write_text(WORK)
    named = ("there is no chain of calls on a stream",)
    seen = person.does("commands", line=line_of(WORK, "here"), titles=titles, named=named)
    assert "Force Return…" in seen["asked"]
