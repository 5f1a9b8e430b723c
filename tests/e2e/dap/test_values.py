# SPDX-License-Identifier: Apache-2.0
"""Values over DAP: scopes, formats, hints, view modes, lazy calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def values() -> Debuggee:
    return debuggee("values", "values.Main")


async def _scopes(client: DapClient, frame: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
    return {each["name"]: each for each in found}


async def test_formats_hints_and_looks(  # noqa: PLR0915 - one stop, looked at from all sides
    client: DapClient, our_attributes: AttributesOf
) -> None:
    frame = await client.run_to(values(), "shown", our_attributes(values()))
    await _check_frame_names(client, frame)
    scopes = await _scopes(client, frame)
    assert list(scopes) == ["Locals", "Static fields of Main"]
    locals_, statics = scopes.values()
    assert (locals_["presentationHint"], locals_["expensive"]) == ("locals", False)
    assert statics["expensive"]

    # kinds and attributes
    found = await client.children(locals_["variablesReference"])
    assert list(found)[:4] == ["this", "count", "word", "captured"]
    assert found["count"]["presentationHint"] == {"kind": "data", "attributes": ["argument"]}
    shown = await client.children(statics["variablesReference"])
    assert shown["TITLE"]["presentationHint"] == {
        "kind": "property",
        "attributes": ["static", "constant", "readOnly"],
        "visibility": "public",
    }
    assert shown["made"]["presentationHint"]["visibility"] == "private"
    fields = await client.children(found["this"]["variablesReference"])
    assert fields["names"]["presentationHint"]["attributes"] == ["readOnly", "hasObjectId"]
    assert fields["inner"]["presentationHint"]["visibility"] == "internal"

    # hexadecimal
    hexadecimal = {"format": {"hex": True}}
    in_hex = await client.children(locals_["variablesReference"], **hexadecimal)
    assert (in_hex["count"]["value"], in_hex["captured"]["value"]) == ("0x5", "0xa")
    assert in_hex["longs"]["value"] == "long[2] {0x1, 0xffffffffffffffff}"
    at = {"frameId": frame["id"], **hexadecimal}
    assert (await client.request("evaluate", {**at, "expression": "count + 250"}))["result"] == (
        "0xff"
    )
    changed = {"variablesReference": locals_["variablesReference"], "name": "count", "value": "31"}
    assert (await client.request("setVariable", {**changed, **hexadecimal}))["value"] == "0x1f"
    changed = {"expression": "longs[0]", "value": "-2L"}
    assert (await client.request("setExpression", {**at, **changed}))["value"] == (
        "0xfffffffffffffffe"
    )

    # elements are indexed, other looks are named
    deque = found["wrapped"]
    assert (deque["indexedVariables"], deque["namedVariables"]) == (3, 1)
    reference = deque["variablesReference"]
    indexed = await client.children(reference, filter="indexed", start=1, count=1)
    assert {name: each["value"] for name, each in indexed.items()} == {"[1]": "5"}
    assert indexed["[1]"]["evaluateName"] == "wrapped.get(1)"
    assert "readOnly" not in indexed["[1]"].get("presentationHint", {}).get("attributes", [])
    element = {"variablesReference": reference, "name": "[1]", "value": "7"}
    with pytest.raises(Refused, match="UnsupportedOperationException"):
        await client.request("setVariable", element)
    (raw,) = (await client.children(reference, filter="named")).values()
    assert (raw["name"], raw["presentationHint"]["kind"]) == ("Raw view", "virtual")
    assert "list" in await client.children(raw["variablesReference"])
    everything = list(await client.children(reference))
    assert everything == ["[0]", "[1]", "[2]", "Raw view"]
    assert list(await client.children(reference, start=2, count=2)) == ["[2]", "Raw view"]
    assert list(await client.children(reference, start=3)) == ["Raw view"]

    # what has to be called is called when it is opened
    talking = await client.children(found["talking"]["variablesReference"])
    lazy = talking["toString()"]
    assert lazy["presentationHint"]["lazy"]
    (called,) = (await client.children(lazy["variablesReference"])).values()
    assert called["value"] == '"talking"'
    failing = await client.children(found["failing"]["variablesReference"])
    with pytest.raises(Refused, match="IllegalStateException"):
        await client.children(failing["toString()"]["variablesReference"])
    for element in (await client.children(found["said"]["variablesReference"])).values():
        shown = await client.children(element["variablesReference"])
        assert ("toString()" in shown) == (element["name"] in ("[0]", "[1]")), element
    nope = {"variablesReference": lazy["variablesReference"], "name": "nope", "value": "1"}
    with pytest.raises(Refused, match="no variable `nope`"):
        await client.request("setVariable", nope)
    await client.request("disconnect")


async def test_returned_and_thrown_values(client: DapClient, our_attributes: AttributesOf) -> None:
    started = {
        **our_attributes(values()),
        "mode": "full",
        "values": {"hex": True, "qualifiedNames": True, "maxLength": 30, "toString": True},
    }
    frame = await client.run_to(values(), "inside", started)
    await client.set_lines(*values().marked("shown"))
    await client.request("stepOut", {"threadId": frame["threadId"]})
    stop = await client.event("stopped", reason="step")
    (top,) = await client.top_frames(stop["threadId"], 1)
    scopes = await _scopes(client, top)
    assert list(scopes) == ["Locals", "Return value"]
    assert scopes["Return value"]["presentationHint"] == "returnValue"
    ((name, shown),) = (await client.children(scopes["Return value"]["variablesReference"])).items()
    assert name == "Main$1.look(int)"
    assert (shown["value"], shown["evaluateName"]) == ('"argument11210"', "$return")
    at = {"frameId": top["id"], "expression": "$return.length() + 0"}
    assert (await client.request("evaluate", at))["result"] == "0xd"

    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("stopped", reason="breakpoint")
    (frame,) = await client.top_frames(stop["threadId"], 1)
    found = await client.locals_of(frame)
    assert found["captured"]["value"] == "0xa"
    assert found["talking"]["value"] == '"talking"'
    assert found["failing"]["value"].startswith("values.Main$Failing@")
    assert found["wrapped"]["value"] == "java.util.Collections$Unmodif…"
    await client.request("setExceptionBreakpoints", {"filters": ["caught"]})
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="exception")
    (top,) = await client.top_frames(stop["threadId"], 1)
    scopes = await _scopes(client, top)
    assert list(scopes) == ["Locals", "Exception", "Static fields of Main"]
    chain = await client.children(scopes["Exception"]["variablesReference"])
    assert list(chain) == ["$exception", "$exception.cause", "$exception.cause.cause"]
    assert chain["$exception.cause.cause"]["type"] == "java.lang.Exception"
    at = {"frameId": top["id"], "expression": "$exception.cause.cause.getMessage()"}
    assert (await client.request("evaluate", at))["result"] == '"inner"'
    inside = await client.children(chain["$exception"]["variablesReference"])
    (suppressed,) = [
        each
        for name, each in (
            await client.children(inside["suppressedExceptions"]["variablesReference"])
        ).items()
        if name == "[0]"
    ]
    assert suppressed["type"] == "java.lang.RuntimeException"
    await client.request("disconnect")


async def test_a_large_map_comes_in_pages(client: DapClient, our_attributes: AttributesOf) -> None:
    program = debuggee("display", "display.Main")
    frame = await client.run_to(program, "shown", our_attributes(program))
    found = await client.locals_of(frame)
    large = found["largeMap"]
    assert (large["indexedVariables"], large["namedVariables"]) == (3000, 1)
    page = {"filter": "indexed", "start": 2900, "count": 100}
    entries = await client.children(large["variablesReference"], **page)
    assert {name: each["value"] for name, each in entries.items()} == {
        str(key): str(-key) for key in range(2900, 3000)
    }
    entry = {"variablesReference": large["variablesReference"], "name": "3", "value": "7"}
    assert (await client.request("setVariable", entry))["value"] == "7"
    entry = {"variablesReference": found["list"]["variablesReference"], "name": "9", "value": "7"}
    with pytest.raises(Refused, match="no variable `9`"):
        await client.request("setVariable", entry)
    await _check_ten_million(client, found["large"])
    await _check_lone_surrogates(client, frame)
    await client.request("disconnect")


async def _check_ten_million(client: DapClient, large: dict[str, Any]) -> None:
    """A client that does not take pages gets parts, and parts of them."""
    assert (large["value"][:16], large["indexedVariables"]) == ("int[10000000] {0", 10_000_000)
    millions = await client.children(large["variablesReference"])
    assert len(millions) == 10
    last = millions["[9000000 … 9999999]"]
    assert (last["value"], last["presentationHint"]["kind"]) == ("", "virtual")
    thousands = await client.children(last["variablesReference"])
    assert len(thousands) == 1000
    part = thousands["[9999000 … 9999999]"]
    elements = await client.children(part["variablesReference"])
    assert (len(elements), elements["[9999999]"]["value"]) == (1000, "7")
    assert elements["[9999999]"]["evaluateName"] == "large[9999999]"
    element = {"variablesReference": part["variablesReference"], "name": "[9999999]", "value": "8"}
    assert (await client.request("setVariable", element))["value"] == "8"
    page = {"filter": "indexed", "start": 5_000_000, "count": 100}
    assert len(await client.children(large["variablesReference"], **page)) == 100


async def _check_lone_surrogates(client: DapClient, frame: dict[str, Any]) -> None:
    """Half a pair is no character: it must be written as an escape wherever text goes out."""
    at = {"frameId": frame["id"], "expression": '"a\\ud800b"'}
    assert (await client.request("evaluate", at))["result"] == r'"a\ud800b"'
    copied = await client.request("evaluate", {**at, "context": "clipboard"})
    assert copied["result"].startswith("a")
    assert copied["result"].endswith("b")


async def _check_frame_names(client: DapClient, frame: dict[str, Any]) -> None:
    async def name(**wanted: bool) -> str:
        asked = {"threadId": frame["threadId"], "levels": 1, "format": wanted}
        shown: str = (await client.request("stackTrace", asked))["stackFrames"][0]["name"]
        return shown

    assert frame["name"] == "Main.run(int, String)"
    assert await name() == "Main.run"
    assert await name(parameters=True) == "Main.run(int, String)"
    assert await name(parameters=True, parameterNames=True) == "Main.run(count, word)"
    everything = await name(
        parameterTypes=True, parameterNames=True, parameterValues=True, hex=True, line=True
    )
    line = values().marker("shown")
    assert everything == f'Main.run(int count=0x5, String word="argument"):{line}'
    assert await name(parameterValues=True, module=True) == 'Main.run(5, "argument")'


async def test_variables_without_debug_information(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("values", "values.Main", debug_tables="lines")
    frame = await client.run_to(program, "shown", our_attributes(program))
    found = await client.locals_of(frame)
    assert (found["arg0"]["value"], found["arg1"]["value"]) == ("5", '"argument"')
    # `captured` is the first local variable; what the VM refuses to read says so.
    assert found["slot3"]["value"] == "10"
    assert found["slot4"]["value"].startswith("HashMap(2)")
    at = {"frameId": frame["id"], "expression": "slot3 + slot4.size()"}
    assert (await client.request("evaluate", at))["result"] == "12"
    at = {"frameId": frame["id"], "expression": "arg0 + arg1.length()"}
    assert (await client.request("evaluate", at))["result"] == "13"
    await client.request("setExpression", {**at, "expression": "arg0", "value": "6"})
    assert (await client.request("evaluate", at))["result"] == "14"
    await client.request("disconnect")
