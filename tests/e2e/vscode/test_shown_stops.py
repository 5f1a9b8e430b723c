# SPDX-License-Identifier: Apache-2.0
"""What a VS Code window shows of a stop, and that saving a source leaves it as it is."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import line_of
from tests.e2e.vscode.test_vscode import GREETING

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]
BURIED = """\
import java.util.ArrayList;
import java.util.List;

public class %(name)s {
    public static void main(String[] args) throws Exception {
        List<Object> changed = new ArrayList<>(List.of(1, 2));
        Object nested = changed.subList(0, 1);
        changed.add(3);
        for (int i = 0; i < 30; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        Object all = nested;
        %(calls)s
    }
}
"""
STAGE = """\
public class Stage {
    static int calls;
    static volatile String said;
    int held;

    int work(int first) {
        for (int i = 0; i < 2; i++) {
            calls++;
        }
        int sum = first;
        for (int i = 10; i < 9999; i++) {
            sum += i; // @stop
            calls++;
        }
        return sum;
    }

    static void tick() throws Exception {
        said = "old"; // @edited
        Thread.sleep(20);
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> new Stage().work(5), "worker-7").start();
        while (true) {
            tick();
        }
    }
}
"""
MOMENT = """\
public class Moment {
    static final class Item {}

    static final class Basket {
        int total = 3;
    }

    static final Item[] KEPT = new Item[12];

    public static void main(String[] args) {
        for (int i = 0; i < KEPT.length; i++) {
            KEPT[i] = new Item();
        }
        System.out.println(twice(new Basket(), 1));
    }

    static int twice(Basket basket, int number) {
        return number * 2; // @here
    }
    // @edited
}
"""
CHAINS = """\
import java.util.List;

public class Chains {
    static int looks;

    record Box(String name) {}

    static final class Order {
        final int id;
        final List<String> lines;

        Order(int id, List<String> lines) {
            this.id = id;
            this.lines = lines;
        }

        int look() {
            return ++looks;
        }

        int size() {
            return lines.size();
        }

        @Override
        public String toString() {
            return "order " + id + " of " + size();
        }
    }

    public static void main(String[] args) {
        Order order = new Order(7, List.of("tea", "salt", "oats"));
        long found = order.lines.stream().filter(a -> a.length() > 3).count();
        List<String> names = order.lines.stream().map(c -> c.toUpperCase()).toList(); // @names
        System.out.println(found + " " + order.size() + order.look() + names);
    }
}
"""


@pytest.mark.parametrize(
    "is_own", [True, pytest.param(False, marks=pytest.mark.variant)], ids=["own", "alone"]
)
def test_a_stop_below_many_frames_of_libraries_shows_itself(
    person: Person, *, is_own: bool
) -> None:
    name = "BuriedOwn" if is_own else "BuriedAlone"
    thread = 'Thread alone = new Thread(all::hashCode, "alone"); alone.start(); alone.join();'
    calls = "System.out.println(all.hashCode());" if is_own else thread
    (person.folder / f"{name}.java").write_text(BURIED % {"name": name, "calls": calls})
    seen = person.does("buried", file=f"{name}.java", calls=calls if is_own else "")
    assert "ConcurrentModificationException" in seen["exception"]
    if is_own:
        assert any(row.startswith("all =") for row in seen["variables"])
        assert f"{name}.java" in seen["tab"]
        assert any("main" in row and name in row for row in seen["callStack"])
    else:
        assert "ArrayList" in seen["tab"]
        assert any("checkForComodification" in row for row in seen["callStack"])


@pytest.mark.variant
def test_what_is_shown_belongs_to_the_moment(person: Person) -> None:
    (person.folder / "Moment.java").write_text(MOMENT)
    seen = person.does(
        "moment",
        named=("returns int: .* is of type java.lang.String",),
        line=line_of(MOMENT, "here"),
        edited=line_of(MOMENT, "edited"),
    )
    assert seen["during"] == ["Threads & Monitors", "Breakpoint Hits", "Objects"]
    assert seen["after"] == ["Breakpoint Hits"], "it has what was hit"
    keep, who = "Keep This Object", "Who Changes This Field"
    entries = {
        name: (any(keep in each for each in seen[name]), any(who in each for each in seen[name]))
        for name in ("ofNumber", "ofObject", "ofField")
    }
    assert entries == {
        "ofNumber": (False, False),
        "ofObject": (True, False),
        "ofField": (False, True),
    }
    assert "Moment$Item" in seen["first"], "a simple name comes first"
    assert "12 objects" in seen["counted"]
    assert seen["refused"].strip() == "extra() is new: click to restart"
    assert seen["terminals"] == 1
    assert not any("Pop Frame" in each for each in seen["commands"])


def test_a_refused_restart_that_is_mended_and_saved(person: Person) -> None:
    text = GREETING.replace("Greeting", "Refused")  # a window finds files by their names
    (person.folder / "Refused.java").write_text(text)
    seen = person.does("refused-restart", line=line_of(text, "greeted"), named=("Not restarted",))
    assert re.search(r"1 class replaced in \d+\.\d s", seen["replaced"])
    assert seen["problems"] == []
    assert [each.strip() for each in seen["tabs"]] == ["Refused.java"], "none was opened"


def test_a_file_that_is_saved_stays_in_front(person: Person) -> None:
    text = GREETING.replace('"old " +', "Word.said() +").replace("Greeting", "Elsewhere")
    (person.folder / "Elsewhere.java").write_text(text)
    word = 'public class Word {\n    static String said() {\n        return "old ";\n    }\n}\n'
    (person.folder / "Word.java").write_text(word)
    seen = person.does(
        "save-elsewhere",
        line=line_of(text, "greeted"),
        file="Word.java",
        edited=3,
        text='return "new ";',
    )
    assert "Word.java" in seen["active"]
    assert len(seen["before"]) == len(seen["after"])
    assert any("Elsewhere.greet" in row for row in seen["callStack"])


def test_a_thread_that_stops_among_others(person: Person) -> None:
    """Frames of it are in front, values are in their scopes, and held keys raise nothing."""
    (person.folder / "Stage.java").write_text(STAGE)
    at, edited = line_of(STAGE, "stop"), line_of(STAGE, "edited")
    seen = person.does("stage", file="Stage.java", line=at, edited=edited)
    shown = [row for row in seen["callStack"] if "Stage" not in row or "work" in row]
    worker = next(at for at, row in enumerate(shown) if "worker-7" in row)
    assert "Stage.work" in shown[worker + 1]
    assert not any(row.startswith("main") for row in shown[:worker])
    (first, second) = (line for line in seen["lines"] if line.startswith("for ("))
    assert "i =" not in first.partition("{")[2]
    assert "i = 10" in second.partition("{")[2]
    (counted, _) = (line for line in seen["lines"] if line.startswith("calls++"))
    assert "calls = 2" in counted
    assert any("held=77" in row for row in seen["set"])
    assert any("main" in row for row in seen["replaced"])
    assert any("there is no variable or class nothing" in row for row in seen["wrong"])


@pytest.mark.variant
def test_a_line_with_lambdas(person: Person) -> None:
    """A breakpoint in one, the stages of the stream, the evaluate window, a selected call."""
    (person.folder / "Chains.java").write_text(CHAINS)
    seen = person.does("chains", file="Chains.java", line=line_of(CHAINS, "names"))
    assert any("order = Order@" in each for each in seen["variables"]), seen["variables"]
    stages = [each for each in seen["stages"] if "toUpperCase" in each]
    assert any("TEA" in each and "OATS" in each for each in stages), seen["stages"]
    assert any("ListN" in each or "List" in each for each in seen["evaluated"])
    assert "3" in seen["pure"]
    assert "look() does more than read" in seen["refused"]
    assert "Evaluate" in seen["refused"]
    assert seen["candidates"] >= 1
    assert any(each.startswith("c =") for each in seen["inLambda"]), seen["inLambda"]
