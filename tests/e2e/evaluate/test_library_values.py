# SPDX-License-Identifier: Apache-2.0
"""Values of libraries, as the libraries mean them, read without running code of the program.

Collections are those of two versions of each library; what an old one keeps in other fields is
shown by these fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.libraries import maven, older_values_libraries, values_libraries

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]

HUNDRED = 100
COLLECTIONS = {
    "guava": {
        "none": ("RegularImmutableList(0) {}", {}),
        "one": ('SingletonImmutableList(1) {"a"}', {"[0]": '"a"'}),
        "list": ('RegularImmutableList(3) {"a", "b", "c"}', {"[2]": '"c"'}),
        "part": ('SubList(2) {"b", "c"}', {"[0]": '"b"'}),
        "single": ('SingletonImmutableSet(1) {"a"}', {}),
        "set": ('RegularImmutableSet(3) {"a", "b", "c"}', {}),
        "sorted": ('RegularImmutableSortedSet(2) {"a", "b"}', {}),
        "pair": ('SingletonImmutableBiMap(1) {"a"=1}', {'"a"': "1"}),
        "map": ('RegularImmutableMap(3) {"a"=1, "b"=2, "c"=3}', {'"c"': "3"}),
        "multimap": ('ArrayListMultimap(1) {"a"=ArrayList(2)}', {'"a"': "ArrayList(2) {1, 2}"}),
        "fixed": ('ImmutableListMultimap(1) {"a"=RegularImmutableList(2)}', {}),
        "multiset": ('HashMultiset(2) {"a"=2, "b"=1}', {'"a"': "2"}),
        "table": ('HashBasedTable(1) {"row"=LinkedHashMap(1)}', {}),
        "both": ('HashBiMap(1) {"a"=1}', {'"a"': "1"}),
        "present": ('Optional["a"]', {"value": '"a"'}),
        "absent": ("Optional.empty", {}),
    },
    "scala": {
        "empty": ("List(0) {}", {}),
        "list": ('List(2) {"a", "b"}', {"[1]": '"b"'}),
        "some": ('Some("a")', {"value": '"a"'}),
        "none": ("None", {}),
        "tuple": ('("a", 1)', {"_2": "1"}),
        "buffer": ('ArrayBuffer(100) {"e0", ', {"[99]": '"e99"'}),
        "listed": ('ListBuffer(100) {"e0", ', {"[99]": '"e99"'}),
        "table": ('HashMap(100) {"k', {'"k42"': "42", '"k99"': "99"}),
        "small": ('Map(2) {"a"=1, "b"=2}', {'"b"': "2"}),
    },
    "jackson": {
        "node": ('ObjectNode(4) {"name"="nut", "price"=1.5, "count"=3, "tags"=ArrayNode(2)}', {}),
        "array": ("ArrayNode(2) {true, null node}", {"[0]": "true"}),
        "text": ('"nut"', {"_value": '"nut"'}),
    },
}
"""By line: variable → its text, or the beginning of a long one, and some of its children."""
TRIES = {
    "trie": ("HashMap(0) {}", {}),
    "mapped": ('HashMap(100) {"k', {'"k7"': "7", '"k93"': "93"}),
    "vector": ('Vector(100) {"e0", ', {"[31]": '"e31"', "[32]": '"e32"', "[99]": '"e99"'}),
}
"""Of Scala 2.13; 2.12 has other classes and fields."""
FRAMEWORKS = {
    "spring": {
        "greeter": ("Greeter proxy[Greeter@", {"word": '"hello"'}),
        "sequence": ('Serializable proxy["text"]', {}),
    },
    "others": {
        "heap": (
            "InstrumentedUnpooledUnsafeHeapByteBuf(ridx: 1, widx: 5, cap: 64)",
            {"[0]": "101"},
        ),
        "pooled": ("PooledUnsafeHeapByteBuf(ridx: 0, widx: 3, cap: 64)", {"[2]": "3"}),
        "direct": ("InstrumentedUnpooledUnsafeDirectByteBuf(ridx: 0, widx: 1, cap: 8)", {}),
        "just": ('MonoJust["a"]', {}),
        "chain": ('MonoJust["a"] → filter → map', {}),
        "range": ("FluxRange[1, 3] → map", {}),
        "one": ("SinkOneMulticast[pending]", {}),
        "done": ('SinkOneMulticast[done: "a"]', {}),
    },
    "kotlins": {
        "deque": ('ArrayDeque(3) {"z", "a", "b"}', {"[1]": '"a"'}),
        "built": ('ListBuilder(1) {"a"}', {"[0]": '"a"'}),
        "mapped": ('MapBuilder(1) {"b"=2}', {'"b"': "2"}),
        "none": ("EmptyList(0) {}", {}),
    },
    "lazy": {
        "mentor": ("Author proxy, not loaded, id=1", {"id": "1"}),
        "repository": ("AuthorRepository proxy[SimpleJpaRepository@", {}),
        "author": (
            "Author@",
            {
                "name": '"ann"',
                "books": "PersistentBag, not loaded, Author.books of 2",
                "tags": "PersistentSet, not loaded, Author.tags of 2",
                "links": "PersistentMap, not loaded, Author.links of 2",
            },
        ),
    },
    "loaded": {
        "mentor": ("Author proxy[Author@", {"name": '"bob"'}),
        "author": (
            "Author@",
            {"books": "PersistentBag(1) {Book@", "tags": 'PersistentSet(1) {"new"}'},
        ),
    },
}


def opened(
    program: Debuggee, jdk: Jdk, agent_kind: AgentKind
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    return jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.java,
        **process.launch_options(agent_kind),
    )


async def check(
    session: jvmdebug.Session,
    program: Debuggee,
    file: str,
    expected: dict[str, dict[str, tuple[str, dict[str, str]]]],
) -> None:
    lines = {program.marker(each): each for each in expected}
    for line in lines:
        await session.break_at(f"{program.source(file)}:{line}")
    seen = []
    async for stop in session.stops():
        assert stop.frame.line is not None
        name = lines[stop.frame.line]
        seen.append(name)
        wrong = [
            found
            for variable, values in expected[name].items()
            for found in await differences(await stop.frame.get(variable), *values)
        ]
        assert not wrong, "\n".join(wrong)
        if name == "lazy":
            loaded = "org.hibernate.Hibernate.isInitialized(author.books)"
            assert await (await stop.frame.evaluate(loaded)).as_text() == "false"
    assert seen == list(expected)


async def differences(it: jvmdebug.Variable, text: str, some: dict[str, str]) -> list[str]:
    found = await it.as_text(max_length=200)
    wrong = [] if found.startswith(text) else [f"{it.name}: {found}, should be {text}"]
    children = {each.name: each for each in await it.children()}
    for name, value in some.items():
        child = children.get(name)
        shown = "missing" if child is None else await child.as_text()
        if not shown.startswith(value):
            wrong.append(f"{it.name} {name}: {shown}, should be {value}")
    return wrong


@pytest.mark.parametrize("version", ["new", pytest.param("old", marks=pytest.mark.slow)])
async def test_collections(jdk: Jdk, agent_kind: AgentKind, version: str) -> None:
    libraries = values_libraries() if version == "new" else older_values_libraries()
    program = debuggee("library_collections", "kept.Kept", libraries=libraries)
    tries = TRIES if version == "new" else {"vector": ("Vector@", {"startIndex": "0"})}
    expected = {**COLLECTIONS, "scala": {**COLLECTIONS["scala"], **tries}}
    async with opened(program, jdk, agent_kind) as session:
        await check(session, program, "kept/Kept.java", expected)


async def test_frameworks(jdk: Jdk, agent_kind: AgentKind) -> None:
    if jdk.version < 17:
        pytest.skip("Spring 6 needs Java 17")
    program = debuggee("library_frameworks", "shop.Frameworks", libraries=values_libraries())
    async with opened(program, jdk, agent_kind) as session:
        await check(session, program, "shop/Frameworks.java", FRAMEWORKS)
