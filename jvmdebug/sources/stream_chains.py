# SPDX-License-Identifier: Apache-2.0
"""Chains of calls on streams in a Java source: `list.stream().filter(…).map(…).toList()`.

Pure. Called by the session, which evaluates what such a chain has after each call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_java

from jvmdebug.source_text import MOST_PARSED

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAKE_STREAMS: Final = frozenset(
    {"stream", "parallelStream", "chars", "codePoints", "lines", "ints", "longs", "doubles"}
)
_CLASSES: Final = frozenset({"Stream", "IntStream", "LongStream", "DoubleStream"})


@dataclass(frozen=True, slots=True)
class ChainCall:
    """One call of a chain."""

    text: str
    """`.filter(x -> x > 1)`; with what it is called on for the first: `list.stream()`."""
    prefix: str
    """The chain up to the end of this call."""


def chains_at(text: str, line: int) -> list[tuple[ChainCall, ...]]:
    """The chains on streams that a line (from 1) is in, or that begin on it; outer ones first."""
    if len(text) > MOST_PARSED:
        return []
    source = text.encode("utf-8", "surrogatepass")
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    found = []
    for node in _calls(parser.parse(source).root_node):
        is_here = node.start_point[0] < line <= node.end_point[0] + 1
        if is_here and not _is_within_chain(node):
            chain = _chain_of(node, source)
            if chain:
                found.append(chain)
    return found


def _calls(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "method_invocation":
            yield node
        waiting.extend(reversed(node.named_children))


def _is_within_chain(node: tree_sitter.Node) -> bool:
    """Whether another call is made on the result of this one."""
    above = node.parent
    if above is None or above.type != "method_invocation":
        return False
    return above.child_by_field_name("object") == node


def _chain_of(last: tree_sitter.Node, source: bytes) -> tuple[ChainCall, ...]:
    """The calls from that which makes the stream; nothing if there is none."""
    calls: list[tree_sitter.Node] = []
    node: tree_sitter.Node | None = last
    while node is not None and node.type == "method_invocation":
        calls.append(node)
        if _makes_stream(node):
            break
        node = node.child_by_field_name("object")
    else:
        return ()
    calls.reverse()
    start = last.start_byte
    found = []
    begin = start
    for each in calls:
        prefix = source[start : each.end_byte].decode("utf-8", "replace")
        shown = b" ".join(source[begin : each.end_byte].split()).decode("utf-8", "replace")
        found.append(ChainCall(shown, prefix))
        begin = each.end_byte
    return tuple(found) if len(found) > 1 else ()


def _makes_stream(call: tree_sitter.Node) -> bool:
    name, on = call.child_by_field_name("name"), call.child_by_field_name("object")
    named = "" if name is None or name.text is None else name.text.decode()
    owner = "" if on is None or on.text is None else on.text.decode("utf-8", "replace")
    return named in _MAKE_STREAMS or owner.rpartition(".")[2] in _CLASSES
