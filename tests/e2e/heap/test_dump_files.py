# SPDX-License-Identifier: Apache-2.0
"""Heap dumps that a JVM has written: what was planted in its heap is found, by name and number."""

from __future__ import annotations

import asyncio
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_json

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


@pytest.fixture(scope="module")
def dumps() -> dict[Path, Path]:
    """The dump of each JDK."""
    return {}


@pytest.fixture
def dump(
    jdk: Jdk,
    dumps: dict[Path, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The heap of Leak, dumped by the JVM itself."""
    if jdk.home not in dumps:
        path = tmp_path_factory.mktemp("heap") / "leak.hprof"
        program = debuggee("heap", "Leak")
        class_path = ":".join(map(str, program.class_path))
        command = [str(jdk.java), "-Xmx64m", "-cp", class_path, program.main_class, str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
        if "HotSpotDiagnosticMXBean" in ran.stderr:
            pytest.skip("this JVM lacks the module jdk.management: it cannot dump itself")
        assert ran.returncode == 0, ran.stderr
        dumps[jdk.home] = path
    return dumps[jdk.home]


def test_a_planted_leak_is_found_with_its_path(dump: Path) -> None:
    heap = jvmdebug.heap.open(dump)
    (admin,) = heap.instances("Leak$AdminSession")
    (path,) = heap.paths_to_roots(admin, 1)
    vias = [each.via for each in path.steps]
    assert str(path.steps[0]) == "static Leak.CACHE"
    assert vias[1:3] == [".entries", ".table"]
    assert vias[-4:] == [".value", ".elementData", "[100]", ""]
    assert len(heap.instances("Leak$Session", most=1000)) == 101
    assert len(heap.instances("Leak$Session", subclasses=False, most=1000)) == 100
    (cache,) = heap.instances("Leak.Cache")
    assert heap.retained_size("Leak.Session") == heap.retained_size("Leak$Session")
    assert 101 * 10_000 < heap.retained_size("Leak$Session") < heap.retained_size(cache) < 1_100_000
    kept = {str(each): size for each, size in heap.dominators(most=3)}
    assert kept["class Leak"] > 1_000_000


def test_an_object_that_only_a_local_variable_holds(dump: Path) -> None:
    heap = jvmdebug.heap.open(dump)
    (held,) = heap.instances("Leak$Held")
    (path,) = heap.paths_to_roots(held)
    assert path.root == "local variable"
    assert path.place is not None
    assert path.place.thread == "holder"
    assert path.place.method.startswith("Leak.hold(Leak.java:")


def test_planted_duplicate_strings_are_counted(dump: Path) -> None:
    worst = jvmdebug.heap.open(dump).duplicate_strings(1)[0]
    assert worst.text == "planted twin ü"
    # The literal of the program itself may be one more.
    assert worst.count in (500, 501)
    assert worst.wasted == (worst.count - 1) * (24 + 32)


async def test_the_report_has_the_leak_its_path_and_equal_strings(
    dump: Path, tmp_path: Path
) -> None:
    heap = jvmdebug.heap.open(dump)
    page = heap.report(tmp_path / "leak.html", "<Leak>").read_text()
    assert "<title>&lt;Leak&gt;</title>" in page
    assert "static Leak.CACHE" in page
    assert "Leak$Session" in page
    assert "planted twin ü" in page
    assert "src=" not in page
    assert "href=" not in page
    code, output, _ = await ask("heap", dump, "report", tmp_path / "again.html")
    assert (code, output.strip()) == (0, str(tmp_path / "again.html"))
    assert "Heap of leak.hprof" in (tmp_path / "again.html").read_text()
    code, output, errors = await ask("heap", dump, "report", tmp_path / "again.html", "--progress")
    assert (code, output.strip()) == (0, str(tmp_path / "again.html"))
    assert any(re.fullmatch(r"reading: \d+%", line) for line in errors.splitlines())
    code, _, errors = await ask("heap", dump, "report", tmp_path / "no" / "leak.html")
    assert code == 2
    assert "there is no such folder" in errors
    code, _, errors = await ask("heap", dump, "report", tmp_path)
    assert code == 1
    assert "cannot write" in errors
    code, _, errors = await ask("heap", dump, "report", dump)
    assert code == 1
    assert "it is the heap dump itself" in errors


def test_the_tables_agree_with_the_histogram(dump: Path, tmp_path: Path) -> None:
    heap = jvmdebug.heap.open(dump)
    counted = {each.type_name: each for each in heap.histogram()}["Leak$Session"]
    found = heap.sql(
        "select count(*) as n, sum(shallow_size) as bytes from instances"
        " where class = 'Leak$Session'"
    )
    assert found.columns == ("n", "bytes")
    assert found.rows == [(counted.instances, counted.shallow_size)]
    twins = heap.sql("select count(*), min(length) from strings where value = 'planted twin ü'")
    assert twins.rows[0][0] in (500, 501)
    assert twins.rows[0][1] == 14
    users = heap.sql(
        'select s.value from "references" r join strings s on s.id = r.target'
        " join instances i on i.id = r.source"
        " where r.field = 'user' and i.class = 'Leak$AdminSession'"
    )
    assert users.rows == [("root",)]
    small = heap.sql(
        "select count(distinct p.integer), min(p.integer), min(p.type) from primitives p"
        " join instances i on i.id = p.object"
        " where i.class = 'java.lang.Integer' and p.field = 'value' and p.integer < 128"
    )
    assert small.rows == [(256, -128, "int")]
    loads = heap.sql(
        "select distinct p.real, p.integer from primitives p join instances i on i.id = p.object"
        " where i.class = 'java.util.HashMap' and p.field = 'loadFactor'"
    )
    assert loads.rows == [(0.75, None)]
    statics = heap.sql(
        "select p.integer from primitives p join classes c on c.id = p.object"
        " where c.name = 'java.lang.Integer' and p.field in ('MIN_VALUE', 'MAX_VALUE') order by 1"
    )
    assert statics.rows == [(-(2**31),), (2**31 - 1,)]
    assert heap.sql("select count(*) from classes where name = 'Leak'").rows == [(1,)]
    assert heap.sql("select count(*) from roots where thread = 'holder'").rows[0][0] > 0
    files = heap.export(tmp_path, ["instances", "roots"])
    assert [each.name for each in files] == ["instances.parquet", "roots.parquet"]
    assert heap.arrow("instances").num_rows == len(heap)
    with pytest.raises(jvmdebug.heap.HeapError, match="the query failed"):
        heap.sql("selekt")
    with pytest.raises(jvmdebug.heap.HeapError, match="the query failed"):
        heap.sql("select * from read_text('/etc/hostname')")


async def test_the_command_line(dump: Path) -> None:
    histogram = await ask_json("heap", dump, "histogram", "--top", "3")
    assert len(histogram["classes"]) == 3
    (path,) = await ask_json("heap", dump, "paths", "Leak$AdminSession")
    assert path["steps"][0]["via"] == ".CACHE"
    by_id = await ask_json(
        "heap", dump, "paths", hex(path["steps"][-1]["object"]["id"]), "--top", "1"
    )
    assert by_id == [path]
    assert (await ask_json("heap", dump, "duplicates"))[0]["text"] == "planted twin ü"
    assert (await ask_json("heap", dump, "retained", "Leak$Session"))["retained_size"] > 1_000_000
    assert (await ask_json("heap", dump, "sql", "select 1 as one")) == [{"one": 1}]
    assert (await ask_json("heap", dump, "diff", dump)) == []
    code, _, errors = await ask("heap", dump, "paths", "Leak")
    assert (code, "there are no objects of Leak" in errors) == (1, True)
    code, output, _ = await ask("heap", dump, "dominators", "--top", "1")
    assert code == 0
    assert output.splitlines()[1].endswith("class Leak")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("none.hprof", "histogram"), 3, "cannot read none.hprof"),
        (("none.hprof", "instances", "a.B", "--where", "x > 1"), 2, "ask a heap dump by `sql`"),
        (("none.hprof", "paths"), 2, "needs a class or the id"),
        (("none.hprof", "nonsense"), 2, "is no question: choose histogram"),
        (("none.hprof", "histogram", "more"), 2, "takes no 'more'"),
    ],
)
async def test_wrong_usage(arguments: tuple[str, ...], code: int, words: str) -> None:
    found, _, errors = await ask("heap", *arguments)
    assert (found, words in errors) == (code, True), errors


def _jcmd_dump(jdk: Jdk, pid: int, path: Path, *options: str) -> bool:
    """Whether this jcmd knows the options."""
    command = [str(jdk.home / "bin" / "jcmd"), str(pid), "GC.heap_dump", *options, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    return path.exists() and "Exception" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("options", [(), ("-parallel=2",), ("-all",), ("-gz=1",)])
async def test_dumps_of_jcmd_are_whole_and_cut_ones_are_not(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, options: tuple[str, ...]
) -> None:
    if agent_kind == "stock":
        pytest.skip("the dump is the JVM's own: once is enough")
    jvm = await start_jvm(debuggee("heap", "Leak"), suspend=False)
    await jvm.wait_for("ready")
    path = tmp_path / "a.hprof"
    if not await asyncio.to_thread(_jcmd_dump, jdk, jvm.pid, path, *options):
        assert options in (("-parallel=2",), ("-gz=1",)), "jcmd writes no dump"
        pytest.skip(f"this jcmd does not know {options[0]}")
    heap = jvmdebug.heap.open(path)
    assert heap.warnings == ()
    (admin,) = heap.instances("Leak$AdminSession")
    assert heap.paths_to_roots(admin, 1)
    content = path.read_bytes()
    cut = tmp_path / "cut.hprof"
    ends = [len(content) - 9, len(content) * 3 // 4]
    if "-gz=1" not in options:
        ends.append(31)
    for end in ends:
        cut.write_bytes(content[:end])
        code, output, errors = await ask("heap", cut, "histogram")
        assert (code, "cut off" in errors) == (0, True), errors
        assert ("java.lang" in output) == (end > 31)
    if "-gz=1" in options:
        return
    cut.write_bytes(content + bytes(100))
    code, _, errors = await ask("heap", cut, "histogram")
    assert (code, "100 bytes behind the end" in errors) == (0, True)
