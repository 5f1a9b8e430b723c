# SPDX-License-Identifier: Apache-2.0
"""Heap dumps that a test has made up: references, dominators, paths, and files that are none."""

from __future__ import annotations

import gzip
import random
import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug.heap
from jvmdebug.heap import HeapError
from tests.support.hprof import HprofWriter

if TYPE_CHECKING:
    from pathlib import Path

_NODE = 0x1000
_FIRST = 0x2000


def _id(number: int) -> int:
    return _FIRST + 8 * number


def _dump(
    path: Path, edges: list[list[int]], roots: list[int], id_size: int = 8
) -> jvmdebug.heap.HeapFile:
    return jvmdebug.heap.open(_writer(edges, roots, id_size).write(path))


def _writer(edges: list[list[int]], roots: list[int], id_size: int = 8) -> HprofWriter:
    writer = HprofWriter(id_size)
    width = max(map(len, edges), default=0)
    writer.class_(_NODE, "shop/Node", fields=[f"next{index}" for index in range(width)])
    for number, targets in enumerate(edges):
        values = [_id(each) for each in targets]
        writer.instance(_id(number), _NODE, values + [0] * (width - len(values)))
    for root in roots:
        writer.root(_id(root))
    return writer


def _reached(edges: list[list[int]], roots: list[int], without: int | None = None) -> set[int]:
    found: set[int] = set()
    open_ = [each for each in roots if each != without]
    while open_:
        number = open_.pop()
        if number not in found:
            found.add(number)
            open_ += [each for each in edges[number] if each != without]
    return found


@pytest.mark.parametrize(
    ("internal", "name"),
    [
        ("shop/Cart$Item", "shop.Cart$Item"),
        ("[Lshop/Cart;", "shop.Cart[]"),
        ("[[I", "int[][]"),
        # Hidden classes: in a dump of our agent, of HotSpot, and of one before JDK 15.
        ("shop/Cart$$Lambda.0x01", "shop.Cart$$Lambda/0x01"),
        ("shop/Cart$$Lambda+0x01", "shop.Cart$$Lambda/0x01"),
        ("[Lshop/Cart$$Lambda+0x01;", "shop.Cart$$Lambda/0x01[]"),
        ("shop/Cart$$Lambda$1/4711", "shop.Cart$$Lambda$1/4711"),
        ("shop/v2/4711", "shop.v2.4711"),
        ("shop/a+b", "shop.a+b"),
    ],
)
def test_names_are_written_as_java_does(tmp_path: Path, internal: str, name: str) -> None:
    writer = HprofWriter(8)
    writer.class_(_NODE, internal, fields=["next"])
    writer.instance(_id(0), _NODE, [0])
    writer.root(_id(0))
    heap = jvmdebug.heap.open(writer.write(tmp_path / "a.hprof"))
    assert name in [each.type_name for each in heap.histogram()]


@pytest.mark.parametrize("seed", range(40))
def test_retained_is_what_becomes_unreachable(tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)
    count = chosen.randint(1, 40)
    edges = [
        [chosen.randrange(count) for _ in range(chosen.choice([0, 1, 1, 2, 5]))]
        for _ in range(count)
    ]
    roots = [chosen.randrange(count) for _ in range(chosen.randint(0, 3))]
    heap = _dump(tmp_path / "a.hprof", edges, roots, chosen.choice([4, 8]))
    (size,) = {each.shallow_size for each in heap.instances("shop.Node")}
    reachable = _reached(edges, roots)
    for number in range(count):
        lost = len(reachable) - len(_reached(edges, roots, number))
        assert heap.retained_size(_id(number)) == size * (lost or 1), number
        paths = heap.paths_to_roots(_id(number), 1)
        assert bool(paths) == (number in reachable)
    assert heap.retained_size("shop.Node") == size * len(reachable)


def test_paths_are_the_shortest_and_named(tmp_path: Path) -> None:
    writer = HprofWriter()
    writer.class_(0x10, "shop/Cache", statics={"EMPTY": 0, "ALL": 0x1000})
    writer.class_(0x20, "[Lshop/Entry;")
    writer.class_(0x30, "shop/Base", fields=["inherited"])
    writer.class_(0x40, "shop/Entry", super_id=0x30, fields=["own", "other"])
    writer.objects(0x1000, 0x20, [0, 0, 0x2000])
    writer.instance(0x2000, 0x40, [0, 0x4000, 0x3000])
    writer.instance(0x3000, 0x40, [0x4000, 0, 0])
    writer.ints(0x4000, [1, 2, 3])
    writer.root(0x10)
    heap = jvmdebug.heap.open(writer.write(tmp_path / "a.hprof"))
    (path,) = heap.paths_to_roots(0x4000, 1)
    assert str(path).splitlines() == [
        "static field",
        "  static shop.Cache.ALL",
        "  shop.Entry[3]@1000 [2]",
        "  shop.Entry@2000 .other",
        "  int[3]@4000",
    ]
    (path,) = heap.paths_to_roots(0x3000, 1)
    assert [each.via for each in path.steps] == [".ALL", "[2]", ".inherited", ""]
    assert {str(each) for each in heap.referrers(0x4000)} == {
        "shop.Entry@2000 .other",
        "shop.Entry@3000 .own",
    }
    assert [each.id for each in heap.instances("shop.Base")] == [0x2000, 0x3000]
    assert heap.instances("shop.Base", subclasses=False) == []
    assert len(heap.instances("shop.Base", first=1)) == 1


def test_weak_references_keep_nothing_alive(tmp_path: Path) -> None:
    writer = HprofWriter()
    writer.class_(0x10, "java/lang/ref/Reference", fields=["referent"])
    writer.class_(0x20, "java/lang/ref/WeakReference", super_id=0x10)
    writer.class_(0x30, "java/lang/ref/SoftReference", super_id=0x10)
    writer.instance(0x1000, 0x20, [0x3000])
    writer.instance(0x2000, 0x30, [0x4000])
    writer.ints(0x3000, [])
    writer.ints(0x4000, [])
    writer.root(0x1000)
    writer.root(0x2000)
    heap = jvmdebug.heap.open(writer.write(tmp_path / "a.hprof"))
    assert heap.paths_to_roots(0x3000) == []
    assert len(heap.paths_to_roots(0x4000)) == 1


def test_the_difference_of_two_histograms() -> None:
    usage = jvmdebug.heap.ClassUsage
    before = [usage("a.A", 3, 30), usage("b.B", 1, 10), usage("c.C", 1, 10)]
    after = [usage("a.A", 4, 40), usage("c.C", 1, 10), usage("d.D", 2, 99)]
    assert [
        (each.type_name, each.instances) for each in jvmdebug.heap.difference(before, after)
    ] == [
        ("d.D", 2),
        ("a.A", 1),
        ("b.B", -1),
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no heap dump"),
        (b"PK\3\4", "is no heap dump"),
        (b"\x1f\x8b\x08", "is no heap dump"),
        (gzip.compress(b"no dump", mtime=0), "is no heap dump"),
        (gzip.compress(bytes(9), mtime=0)[:-8] + bytes(8), "is compressed, and damaged: "),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\xff" * 50, "is compressed, and damaged: "),
        (b"JAVA PROFILE 1.0.2\0\0\0\0\7" + bytes(8), "ids of 7 bytes"),
        (b"JAVA PROFILE 1.0.2\0\0\0\0\x08" + bytes(7), "cut off"),
        (
            b"JAVA PROFILE 1.0.2\0\0\0\0\x08" + bytes(8) + b"\x1c\0\0\0\0\0\0\0\1\x99",
            "unknown kind",
        ),
    ],
)
def test_what_is_no_dump_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.hprof"
    path.write_bytes(content)
    with pytest.raises(HeapError, match=words) as raised:
        jvmdebug.heap.open(path)
    assert re.match(rf"{re.escape(str(path))} (is|has|ends) ", str(raised.value))


_HEADER_SIZE = len(b"JAVA PROFILE 1.0.2\0") + 4 + 8
_END_SIZE = 9


@pytest.mark.parametrize("segment", [None, 37])
def test_a_dump_that_is_cut_anywhere_says_so(tmp_path: Path, segment: int | None) -> None:
    whole = _writer([[1, 2], [2], []], [0]).write(tmp_path / "a.hprof", segment=segment)
    content = whole.read_bytes()
    assert len(jvmdebug.heap.open(whole)) == 4
    counts = []
    for end in range(len(content)):
        path = tmp_path / "b.hprof"
        path.write_bytes(content[:end])
        if end < _HEADER_SIZE:
            with pytest.raises(HeapError):
                jvmdebug.heap.open(path)
            continue
        heap = jvmdebug.heap.open(path)
        (warning,) = heap.warnings
        words = f"was cut off, or is still being written: its end is missing. .* {len(heap)} obj"
        assert re.search(words, warning), warning
        heap.histogram()
        heap.dominators()
        assert "cut off" in heap.report(tmp_path / "a.html").read_text()
        counts.append(len(heap))
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 4)
    assert set(counts) == {0, 1, 2, 3, 4}


def test_a_dump_in_one_record_needs_no_record_for_its_end(tmp_path: Path) -> None:
    whole = _writer([[1], []], [0]).write(tmp_path / "a.hprof").read_bytes()
    at = whole.index(b"\x1c\0\0\0\0")
    path = tmp_path / "b.hprof"
    path.write_bytes(whole[:at] + b"\x0c" + whole[at + 1 : -_END_SIZE])
    heap = jvmdebug.heap.open(path)
    assert (len(heap), heap.warnings) == (3, ())
    path.write_bytes(path.read_bytes()[:-1])
    assert "cut off" in jvmdebug.heap.open(path).warnings[0]


@pytest.mark.parametrize("behind", [b"\0", b"JAVA PROFILE 1.0.2", bytes(4096), None])
def test_what_is_behind_the_end_is_ignored(tmp_path: Path, behind: bytes | None) -> None:
    whole = _writer([[1], []], [0]).write(tmp_path / "a.hprof").read_bytes()
    if behind is None:  # one more dump
        behind = whole[whole.index(b"\x1c\0\0\0\0") :]
    path = tmp_path / "b.hprof"
    path.write_bytes(whole + behind)
    heap = jvmdebug.heap.open(path)
    assert len(heap) == 3
    assert heap.warnings == (
        f"{path} has {len(behind):,} bytes behind the end of the dump: they are ignored",
    )


@pytest.mark.parametrize("segment", [1, 2, 7, 9, 64, 100, 1000])
@pytest.mark.parametrize("id_size", [4, 8])
def test_records_over_the_end_of_a_segment_are_read(
    tmp_path: Path, segment: int, id_size: int
) -> None:
    writer = HprofWriter(id_size)
    writer.class_(0x10, "shop/Cache", statics={"EMPTY": 0, "ALL": 0x1000})
    writer.class_(0x20, "[Lshop/Entry;")
    writer.class_(0x30, "shop/Base", fields=["inherited"])
    writer.class_(0x40, "shop/Entry", super_id=0x30, fields=["own", "other"])
    writer.objects(0x1000, 0x20, [*[0] * 99, 0x2000])
    writer.instance(0x2000, 0x40, [0, 0x4000, 0])
    writer.ints(0x4000, list(range(500)))
    writer.root(0x10)
    (tmp_path / "whole").mkdir()
    whole = jvmdebug.heap.open(writer.write(tmp_path / "whole" / "a.hprof"))
    heap = jvmdebug.heap.open(writer.write(tmp_path / "a.hprof", segment=segment))
    assert heap.warnings == whole.warnings == ()
    assert heap.histogram() == whole.histogram()
    assert [each.id for each in heap.instances("int[]", subclasses=False)] == [0x4000]
    (path,) = heap.paths_to_roots(0x4000, 1)
    assert str(path) == str(whole.paths_to_roots(0x4000, 1)[0])
    assert heap.retained_size(0x1000) == whole.retained_size(0x1000)


def test_a_compressed_dump_is_read_as_it_is(tmp_path: Path) -> None:
    """The JVM writes it in several members; of one that was cut off there is what was unpacked."""
    whole = _dump(tmp_path / "a.hprof", [[1], [2], []], [0])
    content = (tmp_path / "a.hprof").read_bytes()
    path = tmp_path / "packed"
    path.write_bytes(
        b"".join(gzip.compress(content[at : at + 50]) for at in range(0, len(content), 50))
    )
    stages = set()
    heap = jvmdebug.heap.open(path, lambda stage, _: stages.add(stage))
    assert "unpacking" in stages
    assert (heap.path, heap.warnings) == (str(path), ())
    assert heap.histogram() == whole.histogram()
    assert heap.retained_size(_id(0)) == whole.retained_size(_id(0))
    path.write_bytes(path.read_bytes()[:-80])
    assert "was cut off" in jvmdebug.heap.open(path).warnings[0]


def test_there_is_no_room_to_unpack_a_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.hprof.gz"
    path.write_bytes(gzip.compress(bytes(9)))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(HeapError, match=r"cannot be unpacked into .*none: no such file"):
        jvmdebug.heap.open(path)


def test_names_that_are_not_there_are_refused(tmp_path: Path) -> None:
    heap = _dump(tmp_path / "a.hprof", [[]], [0])
    with pytest.raises(HeapError, match=r"no class shop.None"):
        heap.instances("shop.None")
    with pytest.raises(HeapError, match="no object with the id 0x5"):
        heap.retained_size(5)
    with pytest.raises(HeapError, match="No such file"):
        jvmdebug.heap.open(tmp_path / "none.hprof")


def test_progress_can_end_the_work(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(_stage: str, _done: float) -> None:
        raise EnoughError

    _dump(tmp_path / "a.hprof", [[]], [0])
    with pytest.raises(EnoughError):
        jvmdebug.heap.open(tmp_path / "a.hprof", stop)
