# SPDX-License-Identifier: Apache-2.0
"""What the agents say about methods: set Method, for code of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.conversations.reference_type import TYPE_SIGNATURES
from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import BARE_TARGET, TYPES
from tests.conformance.differential.registry import conversation, conversations_over

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient

_COMMANDS = ("LineTable", "VariableTable", "VariableTableWithGeneric", "Bytecodes", "IsObsolete")
_CLASSES = {
    word: signature
    for word, signature in TYPE_SIGNATURES.items()
    if signature.startswith("Ltypes/") or word == "comparable"
}


def _describe(client: RecordingClient, type_id: int) -> None:
    """Every method of the type."""
    listed = client.ask("ReferenceType.Methods", type_id=type_id)
    for method in listed["methods"]:
        for command in _COMMANDS:
            client.ask(f"Method.{command}", type_id=type_id, method_id=method["method_id"])


@conversations_over(_CLASSES, TYPES)
def described(client: RecordingClient, signature: str) -> None:
    _describe(client, Finds(client).type(signature))


@conversations_over(
    {name: name for name in ("lambda", "hidden", "proxy", "twin", "definer")}, TYPES
)
def described_by_object(client: RecordingClient, field: str) -> None:
    """Methods of types that were made at run time."""
    _describe(client, Finds(client).type_of(field))


@conversation(TYPES)
def native_of_the_library(client: RecordingClient) -> None:
    """Intrinsic and native methods, and the largest tables."""
    find = Finds(client)
    for signature, name in (
        ("Ljava/lang/Object;", "hashCode"),
        ("Ljava/lang/Object;", "<init>"),
        ("Ljava/lang/System;", "arraycopy"),
        ("Ljava/lang/String;", "indexOf(Ljava/lang/String;)I"),
    ):
        for command in _COMMANDS:
            client.ask(
                f"Method.{command}",
                type_id=find.type(signature),
                method_id=find.method(signature, name),
            )


@conversation(BARE_TARGET)
def described_without_tables(client: RecordingClient) -> None:
    """Class files compiled with -g:none."""
    _describe(client, Finds(client).type())
