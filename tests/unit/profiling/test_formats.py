# SPDX-License-Identifier: Apache-2.0
"""What a profile is written as, read back by what follows the format and not our code."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from jvmdebug.profiling import (
    Allocated,
    Profile,
    ProfiledFrame,
    ProfiledThread,
    ProfileError,
    Wait,
    of_allocations,
    of_waits,
)
from jvmdebug.profiling.stack_tree import ROOT, Key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOSTILE = "</script><img src=x onerror=alert(1)>;\x1b[31m\u2028&lt;\n"
MAIN = ProfiledFrame("shop.Main", "main", "Main.java", 7)
HOT = ProfiledFrame("shop.Cart", "total", "Cart.java", 42)
EVIL = ProfiledFrame(f"shop.{HOSTILE}", HOSTILE, HOSTILE, None)

_DATA = re.compile(r'<script id="data" type="application/json">(.*?)</script>', re.DOTALL)
# As speedscope declares its file format, as far as a sampled profile goes.
_SPEEDSCOPE: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "shared", "profiles"],
    "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "name": {"type": "string"},
        "exporter": {"type": "string"},
        "activeProfileIndex": {"type": "integer"},
        "shared": {
            "type": "object",
            "required": ["frames"],
            "properties": {
                "frames": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {
                            "name": {"type": "string"},
                            "file": {"type": "string"},
                            "line": {"type": "integer"},
                            "col": {"type": "integer"},
                        },
                        "additionalProperties": False,
                    },
                }
            },
        },
        "profiles": {
            "type": "array",
            "items": {
                "type": "object",
                "required": [
                    "type",
                    "name",
                    "unit",
                    "startValue",
                    "endValue",
                    "samples",
                    "weights",
                ],
                "properties": {
                    "type": {"const": "sampled"},
                    "name": {"type": "string"},
                    "unit": {"enum": ["nanoseconds", "bytes"]},
                    "startValue": {"type": "number"},
                    "endValue": {"type": "number"},
                    "samples": {
                        "type": "array",
                        "items": {"type": "array", "items": {"type": "integer"}},
                    },
                    "weights": {"type": "array", "items": {"type": "number"}},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture
def profile() -> Profile:
    found = Profile(
        kind="cpu", unit="nanoseconds", how="as a test does it", program=f"app {HOSTILE}"
    )
    found.threads = [ProfiledThread("main"), ProfiledThread(HOSTILE)]
    found.duration_s, found.interval_s, found.started_at = 2.0, 0.01, 1.8e9
    tree = found.tree
    tree.add(Key(0, tree.node([MAIN, HOT]), "running"), 6, 3_000_000_000)
    tree.add(Key(1, tree.node([MAIN, HOT, HOT]), "running"), 2, 500_000_000)
    tree.add(Key(1, tree.node([MAIN, EVIL]), "blocked"), 1, 400_000_000)
    tree.add(Key(0, ROOT, "running"), 1, 100_000_000)
    return found


def test_a_profile_answers_by_method_thread_and_state(profile: Profile) -> None:
    assert (profile.total, profile.samples) == (4_000_000_000, 10)
    hottest = profile.methods(1)[0]
    assert (hottest.name, hottest.self_value, hottest.count) == (
        "shop.Cart.total",
        3_500_000_000,
        8,
    )
    assert hottest.total_value == 3_500_000_000  # once where it calls itself
    assert profile.by_thread == {"main": 3_100_000_000, HOSTILE: 900_000_000}
    assert profile.by_state == {"running": 3_600_000_000, "blocked": 400_000_000}
    first = profile.stacks[0]
    assert [str(each) for each in first.frames] == ["shop.Cart.total:42", "shop.Main.main:7"]
    assert (first.thread.name, first.state, first.count) == ("main", "running", 6)
    assert json.loads(json.dumps(profile.as_dict()))["methods"][0]["name"] == "shop.Cart.total"
    assert str(profile).splitlines()[:2] == [
        "cpu: 4.00 s in 10 samples",
        " 87.5%     3.50 s shop.Cart.total",
    ]


def test_collapsed_stacks(profile: Profile, tmp_path: Path) -> None:
    lines = profile.write(tmp_path / "a.collapsed").read_text().split("\n")
    assert "main;shop.Main.main;shop.Cart.total 3000000" in lines
    assert "main;(no Java frames) 100000" in lines
    assert lines[-1] == ""
    assert all(re.fullmatch(r"[^;\x1b]+(;[^;\x1b]+)+ \d+", line) for line in lines[:-1])
    assert len(lines) == 5


def test_speedscope(profile: Profile, tmp_path: Path) -> None:
    content = json.loads(profile.write(tmp_path / "a.json").read_text())
    jsonschema.validate(content, _SPEEDSCOPE)
    frames = content["shared"]["frames"]
    every, main, _ = content["profiles"]
    assert (every["name"], main["name"]) == ("all threads", "main")
    for each in content["profiles"]:
        assert len(each["samples"]) == len(each["weights"])
        assert each["endValue"] == sum(each["weights"])
        assert all(0 <= index < len(frames) for stack in each["samples"] for index in stack)
    assert every["endValue"] == profile.total
    assert [frames[index]["name"] for index in main["samples"][0]] == [
        "shop.Main.main:7",
        "shop.Cart.total:42",
    ]
    assert frames[main["samples"][0][1]] == {
        "name": "shop.Cart.total:42",
        "file": "Cart.java",
        "line": 42,
    }


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer, by its wire format alone."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2
            length = varint()
            yield tag >> 3, message[at : at + length]
            at += length


def _packed(content: bytes) -> list[int]:
    # A field of numbers without its tags.
    return [number for _, number in _fields(b"".join(b"\x08" + each for each in _varints(content)))]


def _varints(content: bytes) -> list[bytes]:
    return re.findall(rb"[\x80-\xff]*[\x00-\x7f]", content, re.DOTALL)


def test_pprof(profile: Profile, tmp_path: Path) -> None:
    content = gzip.decompress(profile.write(tmp_path / "a.pb.gz").read_bytes())
    found: dict[int, list[Any]] = {}
    for number, value in _fields(content):
        found.setdefault(number, []).append(value)
    strings = [each.decode() for each in found[6]]
    assert strings[0] == ""
    types = [dict(_fields(each)) for each in found[1]]
    assert [(strings[each[1]], strings[each[2]]) for each in types] == [
        ("samples", "count"),
        ("cpu", "nanoseconds"),
    ]
    functions = {dict(_fields(each))[1]: dict(_fields(each)) for each in found[5]}
    lines = {}
    for each in found[4]:
        location = dict(_fields(each))
        line = dict(_fields(location[4]))
        lines[location[1]] = (strings[functions[line[1]][2]], line.get(2, 0))
    samples = []
    for each in found[2]:
        sample: dict[int, list[Any]] = {}
        for number, value in _fields(each):
            sample.setdefault(number, []).append(value)
        labels = [dict(_fields(label)) for label in sample[3]]
        samples.append(
            (
                [lines[id_] for id_ in _packed(sample[1][0])],
                _packed(sample[2][0]),
                {strings[label[1]]: strings[label[2]] for label in labels},
            )
        )
    assert (
        [("shop.Cart.total", 42), ("shop.Main.main", 7)],
        [6, 3_000_000_000],
        {"thread": "main", "state": "running"},
    ) in samples
    assert sum(values[1] for _, values, _ in samples) == profile.total
    assert (found[10], found[12]) == ([2_000_000_000], [10_000_000])
    assert strings[found[14][0]] == "cpu"


def test_a_flame_graph_needs_nothing_and_runs_nothing_of_the_debuggee(
    profile: Profile, tmp_path: Path
) -> None:
    page = profile.write(tmp_path / "a.html").read_text()
    (text,) = re.findall(
        r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL
    )
    data = json.loads(text)
    assert not set("<>&\u2028\x1b\n") & set(text)
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert "http:" not in page
    assert "https:" not in page
    assert "default-src 'none'" in page
    assert "--back: var(--vscode-editor-background)" in page
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", page)
    assert sum(value for *_, value in data["samples"]) == profile.total
    names = {}
    for node in range(1, len(data["nodes"]) // 2):
        parent, name = data["nodes"][2 * node : 2 * node + 2]
        assert parent < node
        names[node] = data["names"][name]
    assert list(names.values()).count("shop.Cart.total") == 2
    assert data["states"] == ["running", "blocked"]


def test_a_deep_and_wide_tree_is_cut_to_what_can_be_seen(tmp_path: Path) -> None:
    found = Profile(kind="cpu", unit="nanoseconds", how="", program="wide")
    found.threads = [ProfiledThread("main")]
    for number in range(101_000):
        frame = ProfiledFrame("shop.Wide", f"m{number}", "", None)
        found.tree.add(Key(0, found.tree.node([MAIN, frame]), "running"), 1, 10)
    found.tree.add(Key(0, found.tree.node([HOT]), "running"), 1, 10_000_000)
    page = found.write(tmp_path / "a.html").read_text()
    assert len(page) < 100_000
    (text,) = re.findall(
        r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL
    )
    assert sum(value for *_, value in json.loads(text)["samples"]) == found.total


def test_waits_for_monitors_have_the_monitor_on_top() -> None:
    waits = [Wait("a", "Object@1f", [HOT, MAIN], 0.5), Wait("a", "Object@1f", [HOT, MAIN], 0.25)]
    found = of_waits(waits, "app", 2.0, 1.8e9)
    assert found.total == 750_000_000
    (stack,) = found.stacks
    assert [str(each) for each in stack.frames] == [
        "(waits for Object@1f)",
        "shop.Cart.total:42",
        "shop.Main.main:7",
    ]
    assert (stack.count, stack.thread.name) == (2, "a")


def test_allocations_have_the_class_on_top() -> None:
    site = Allocated("byte[]", [HOT, MAIN], samples=4, bytes=4096, live_samples=1, live_bytes=1024)
    times = {"duration_s": 2.0, "started_at": 1.8e9}
    found = of_allocations([site], "app", every=512, only_live=False, **times)
    assert (found.kind, found.unit, found.total, found.samples) == ("alloc", "bytes", 4096, 4)
    assert found.by_state == {"collected": 3072, "alive": 1024}
    assert found.methods(1)[0].name == "shop.Cart.total (allocates byte[])"
    assert "about 512 B" in found.how
    alive = of_allocations([site], "app", every=0, only_live=True, **times)
    assert alive.total == 1024
    assert alive.how.startswith("each object that is allocated, in threads that ran before after")
    assert "; only what was still alive" in alive.how


def test_what_cannot_be_written(profile: Profile, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="the name does not say which format"):
        profile.write(tmp_path / "profile")
    with pytest.raises(ProfileError, match=r"cannot write .*: no such file"):
        profile.write(tmp_path / "no" / "a.html")
    with pytest.raises(ProfileError, match="there is no format 'svg': choose html"):
        profile.write(tmp_path / "a.html", "svg")  # type: ignore[arg-type]
