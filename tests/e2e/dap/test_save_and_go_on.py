# SPDX-License-Identifier: Apache-2.0
"""An edited source is compiled and the running program has its code: jvmdebug/replaceSources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

CART = """\
package shop;

public class Cart {
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            System.out.println(word(i));
        }
        Late.say();
    }

    static String word(int number) {
        String text = "old " + number; // @word
        return text;
    }
}

class Late {
    static void say() {
        System.out.println("old late");
    }
}
"""


async def _replace(client: DapClient, *paths: Path) -> dict[str, Any]:
    body: dict[str, Any] = await client.request(
        "jvmdebug/replaceSources", {"paths": [str(each) for each in paths]}
    )
    return body


async def test_a_saved_source_is_compiled_and_replaced(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    source = tmp_path / "shop" / "Cart.java"
    source.parent.mkdir()
    source.write_text(CART)
    attributes = our_attributes(debuggee("basics", "Loop"))
    del attributes["mainClass"], attributes["classPaths"]
    launched = await client.begin_debugging("launch", **attributes, program=str(source))
    line = next(number for number, text in enumerate(CART.splitlines(), 1) if "@word" in text)
    await client.set_lines(source, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    await client.set_lines(source)
    frame, *_ = await client.top_frames(stop["threadId"])
    (scope,) = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]

    stranger = tmp_path / "Other.java"
    stranger.write_text("class Other {}")
    assert await _replace(client, source, stranger) == {
        "classes": [],  # nothing has changed
        "problems": [],
        "strangers": [str(stranger)],
        "oldFrames": [],
    }

    source.write_text(CART.replace('"old " + number', "wrong(number)"))
    (problem,) = (await _replace(client, source))["problems"]
    assert (problem["path"], problem["line"], problem["column"]) == (str(source), line, 23)
    assert problem["severity"] == "error"
    assert problem["message"].startswith("cannot find symbol; symbol: method wrong(int)")

    source.write_text(CART.replace("old ", "new "))
    body = await _replace(client, source)
    assert {each["name"]: each["outcome"] for each in body["classes"]} == {
        "shop.Cart": "redefined",
        "shop.Late": "not loaded",
    }
    (old,) = body["oldFrames"]
    assert (old["threadId"], old["name"]) == (stop["threadId"], "Cart.word(int) (old code)")
    # VS Code asks for the variables that it has shown before it asks for the new frames.
    assert await client.children(scope["variablesReference"]) == {}
    await client.request("restartFrame", {"frameId": old["frameId"]})
    await client.event("stopped")
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("terminated")
    assert client.output("stdout") == "new 0\nnew 1\nnew 2\nnew late\n"


async def test_a_change_that_the_vm_refuses_is_explained(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    source = tmp_path / "shop" / "Cart.java"
    source.parent.mkdir()
    source.write_text(CART)
    attributes = our_attributes(debuggee("basics", "Loop"))
    del attributes["mainClass"], attributes["classPaths"]
    launched = await client.begin_debugging("launch", **attributes, program=str(source))
    await client.set_lines(source, 12)
    await client.configured(launched)
    await client.event("stopped", reason="breakpoint")
    source.write_text(CART.replace("static String", "static void added() {}\n static String"))
    # Saved once more, or compiled by the editor before: the class file is as it was, and yet the
    # program has other code.
    for _ in range(2):
        classes = {each["name"]: each for each in (await _replace(client, source))["classes"]}
        refused = classes["shop.Cart"]
        assert refused["outcome"] == "refused"
        assert "new method void added()" in refused["reason"]
    with pytest.raises(Exception, match="cannot read"):
        await _replace(client, tmp_path / "none.java")
    await client.request("disconnect")


RATES = "package shop; interface Rates { int RATE = 1; }\n"
SALE = """\
package shop;

public class Sale {
    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            System.out.println(price(i));
        }
    }

    static int price(int number) {
        return number + 10 * Rates.RATE; // @price
    }
}
"""


async def test_a_project_compiles_what_a_saved_source_reaches(
    client: DapClient,
    our_attributes: AttributesOf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "shop" / "src" / "shop"
    folder.mkdir(parents=True)
    (tmp_path / "shop" / "bin").mkdir()
    rates, sale = folder / "Rates.java", folder / "Sale.java"
    rates.write_text(RATES)
    sale.write_text(SALE)
    attributes = our_attributes(debuggee("basics", "Loop"))
    del attributes["mainClass"], attributes["classPaths"]
    launched = await client.begin_debugging("launch", **attributes, program=str(sale))
    line = next(number for number, text in enumerate(SALE.splitlines(), 1) if "@price" in text)
    await client.set_lines(sale, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    await client.set_lines(sale)

    rates.write_text(RATES.replace("1", "one"))
    (problem,) = (await _replace(client, rates))["problems"]
    assert (problem["path"], problem["severity"]) == (str(rates), "error")
    assert problem["message"].startswith("cannot find symbol; symbol: variable one")

    rates.write_text(RATES.replace("1", "2"))
    body = await _replace(client, rates)
    assert {each["name"]: each["outcome"] for each in body["classes"]} == {
        "shop.Rates": "not loaded",
        "shop.Sale": "redefined",  # javac has copied the constant
    }
    assert (await _replace(client, rates))["classes"] == []

    # As when another session of the project has compiled it: the class file is new already.
    sale.write_text(SALE.replace("10 *", "100 *"))
    with jvmdebug.projects.find(sale) as project:
        assert project.compile().by == "javac"
    (found,) = (await _replace(client, sale))["classes"]
    assert (found["name"], found["outcome"]) == ("shop.Sale", "redefined")
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("terminated")
    assert client.output("stdout") == "10\n201\n"


async def test_vscode_reads_the_stack_again_and_opens_nothing(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    """It opens the topmost frame when an event says that stacks are invalid."""
    source = tmp_path / "shop" / "Cart.java"
    source.parent.mkdir()
    source.write_text(CART)
    attributes = our_attributes(debuggee("basics", "Loop"))
    del attributes["mainClass"], attributes["classPaths"]
    await client.initialize(clientID="vscode", supportsInvalidatedEvent=True)
    launched = client.begin("launch", {**attributes, "program": str(source)})
    await client.event("initialized")
    await client.set_lines(source, 12)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    source.write_text(CART.replace("old ", "new "))
    await _replace(client, source)
    again = await client.event("stopped", preserveFocusHint=True)
    assert (again["reason"], again["threadId"]) == (stop["reason"], stop["threadId"])
    invalid = await client.event("invalidated")
    assert invalid["areas"] == ["variables"]
    frame, *_ = await client.top_frames(stop["threadId"])
    assert frame["name"].endswith("(old code)")
    await client.request("disconnect", {"terminateDebuggee": True})
    await client.closed()


async def test_a_class_that_needs_a_refused_one_keeps_its_code(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    text = CART.replace('"old " + number', "new Price(number).cents() + 1")
    text = text.replace("        Late.say();\n", "") + (
        "class Price {\n    final int cents;\n    Price(int cents) { this.cents = cents; }\n"
        '    String cents() { return cents + "c"; }\n}\n'
    )
    source = tmp_path / "shop" / "Cart.java"
    source.parent.mkdir()
    source.write_text(text)
    attributes = our_attributes(debuggee("basics", "Loop"))
    del attributes["mainClass"], attributes["classPaths"]
    launched = await client.begin_debugging("launch", **attributes, program=str(source))
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "println" in each)
    await client.set_lines(source, line)
    await client.configured(launched)
    await client.event("stopped", reason="breakpoint")
    stop = await _next_round(client)
    source.write_text(text.replace("int cents", "long cents").replace("+ 1", "+ 2"))
    body = await _replace(client, source)
    reasons = {
        each["name"]: (each["outcome"], each["reason"])
        for each in body["classes"]
        if each["outcome"] != "not loaded"
    }
    outcome, reason = reasons.pop("shop.Price")
    assert (outcome, "this VM cannot change the fields" in reason) == ("refused", True)
    assert reasons == {
        "shop.Cart": (
            "refused",
            f"it needs the new constructor (long) of shop.Price, which was refused: {reason}",
        )
    }
    await client.set_lines(source)
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("terminated")
    assert client.output("stdout") == "0c1\n1c1\n2c1\n"


async def _next_round(client: DapClient) -> dict[str, Any]:
    """The stop in which all classes have been used."""
    stop = client.bodies("stopped")[-1]
    await client.request("continue", {"threadId": stop["threadId"]})
    return await client.event("stopped", reason="breakpoint")
