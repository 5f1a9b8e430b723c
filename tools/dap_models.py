# SPDX-License-Identifier: Apache-2.0
"""Writes adapters/jvmdebug_dap/models/generated from the official DAP schema.

The schema is read from the installed debugpy (a test dependency), so nothing of it is committed
here; additions are in dap_additions.json. Envelopes (seq, type, request_seq) are left out: the
router writes those. Run without arguments to write; `tests/conformance/dap/test_models.py` calls
`render` and compares.
"""

from __future__ import annotations

import importlib.util
import json
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

JSON_TYPES: Final = {
    "string": "str",
    "integer": "Integer",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, Json]",
    "null": "None",
}
TARGET: Final = Path(__file__).parents[1] / "adapters" / "jvmdebug_dap" / "models" / "generated"
ADDITIONS: Final = Path(__file__).with_name("dap_additions.json")
# Written by hand in models/: the schema leaves their attributes open.
OURS: Final = {"LaunchRequestArguments", "AttachRequestArguments", "RestartArguments"}
ENVELOPES: Final = {"ProtocolMessage", "Request", "Event", "Response", "ErrorResponse"}
_IRREGULAR: Final = {
    "__restart": "restart_data",
    "__vscodeVariableMenuContext": "menu_context",
}
REFERENCE: Final = re.compile(r"^#/definitions/(\w+)$")
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Model:
    """One class to write: its name, its fields as source lines, the models they mention."""

    name: str
    fields: tuple[str, ...]
    mentions: frozenset[str]
    base: str = "Model"

    def source(self) -> str:
        return f"class {self.name}({self.base}):\n" + ("\n".join(self.fields) or "    pass")


def schema_path() -> Path:
    """The schema file inside the installed debugpy. Raises FileNotFoundError without it."""
    spec = importlib.util.find_spec("debugpy")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the DAP schema comes with debugpy: install the test dependencies")
    found = sorted(Path(spec.origin).parent.rglob("_debug_adapter/debugProtocol.json"))
    if not found:
        raise FileNotFoundError(f"no debugProtocol.json below {Path(spec.origin).parent}")
    return found[0]


def additions() -> Schema:
    """Definitions that this file lacks, and members of those that it has."""
    found: Schema = json.loads(ADDITIONS.read_text(encoding="utf-8"))
    return found


def whole_schema() -> Schema:
    """The schema of debugpy with our additions; what it has itself is not overwritten."""
    schema: Schema = json.loads(schema_path().read_text(encoding="utf-8"))
    more = additions()
    for name, definition in more["definitions"].items():
        schema["definitions"].setdefault(name, definition)
    for place, members in more["members"].items():
        properties = properties_of(schema, place)
        for name, member in members.items():
            properties.setdefault(name, member)
    return schema


def properties_of(schema: Schema, place: str) -> Schema:
    """The properties of a definition, `Variable`, or of its body, `OutputEvent.body`."""
    name, _, inside = place.partition(".")
    part = schema["definitions"][name]
    if inside:
        part = message_part(part)["properties"][inside]
    found: Schema = part["properties"]
    return found


def to_snake(name: str) -> str:
    """`supportsANSIStyling` -> `supports_ansi_styling`; `__restart` -> `restart_data`."""
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    split = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", split).lower()


def type_source(schema: Schema, mentions: set[str]) -> str:
    """The Python annotation of one property; adds the models it names to `mentions`."""
    kind = schema.get("type")
    extra = schema.get("additionalProperties")
    if "$ref" in schema:
        source = definition_name(schema["$ref"])
        mentions.add(source)
    elif "enum" in schema:
        source = "Literal[" + ", ".join(json.dumps(word) for word in schema["enum"]) + "]"
    elif kind is None or (isinstance(kind, list) and len(kind) > 3):
        source = "Json"
    elif isinstance(kind, list):
        ordered_kinds = sorted(kind, key=lambda each: each == "null")
        source = " | ".join(JSON_TYPES[each] for each in ordered_kinds)
    elif kind == "array":
        source = f"list[{type_source(schema['items'], mentions)}]"
    elif isinstance(extra, dict):
        source = f"dict[str, {type_source(extra, mentions)}]"
    else:
        source = JSON_TYPES[kind]
    return source


def definition_name(reference: str) -> str:
    match = REFERENCE.match(reference)
    if match is None:
        raise ValueError(f"a reference that is not to a definition: {reference}")
    return match.group(1)


def model_of(name: str, schema: Schema) -> Model:
    """A class for an object schema: required properties first, the others default to None."""
    mentions: set[str] = set()
    required = set(schema.get("required", ()))
    properties = schema.get("properties", {}).items()
    fields = []
    for key, value in sorted(properties, key=lambda pair: pair[0] not in required):
        annotation = type_source(value, mentions)
        if name in mentions:
            annotation = annotation.replace(name, f'"{name}"')
            mentions.remove(name)
        if key not in required and "None" not in annotation.split(" | "):
            annotation = "Json" if annotation == "Json" else f"{annotation} | None"
        default = "" if key in required else " = None"
        fields.append(wrapped(f"    {to_snake(key)}: {annotation}{default}"))
    return Model(name, tuple(fields), frozenset(mentions))


def extension_of(name: str, schema: Schema) -> Model:
    """A class for `allOf: [reference, more properties]`."""
    base = definition_name(schema["allOf"][0]["$ref"])
    more = model_of(name, message_part(schema))
    return Model(name, more.fields, more.mentions | {base}, base)


def wrapped(line: str) -> str:
    """Breaks a long Literal over several lines the way ruff format would."""
    if len(line) <= 100:
        return line
    head, _, rest = line.partition("Literal[")
    words, _, tail = rest.rpartition("]")
    inner = textwrap.indent(",\n".join(words.split(", ")), " " * 8)
    return f"{head}Literal[\n{inner},\n    ]{tail}"


def message_part(schema: Schema) -> Schema:
    part: Schema = schema["allOf"][1]
    return part


def split(definitions: dict[str, Schema]) -> dict[str, list[Model]]:
    """Sorts the schema's definitions into the four files."""
    files: dict[str, list[Model]] = {"types": [], "arguments": [], "bodies": [], "events": []}
    for name, schema in definitions.items():
        if name in OURS or name in ENVELOPES or name.endswith("Request"):
            continue
        if name.endswith(("Event", "Response")):
            body = message_part(schema).get("properties", {}).get("body")
            target = "events" if name.endswith("Event") else "bodies"
            if body is not None and "properties" in body:
                files[target].append(model_of(name.removesuffix("Response") + "Body", body))
        elif "allOf" in schema:
            files["types"].append(extension_of(name, schema))
        elif schema.get("type") == "object":
            target = "arguments" if name.endswith("Arguments") else "types"
            files[target].append(model_of(name, schema))
    return files


def aliases(definitions: dict[str, Schema]) -> list[str]:
    """Definitions that are words, not objects: type aliases at the head of types.py."""
    return [
        wrapped_alias(name, type_source(schema, set()))
        for name, schema in definitions.items()
        if schema.get("type") == "string"
    ]


def wrapped_alias(name: str, annotation: str) -> str:
    line = f"{name} = {annotation}"
    if len(line) <= 100:
        return line
    words = annotation.removeprefix("Literal[").removesuffix("]").split(", ")
    return f"{name} = Literal[\n" + "".join(f"    {word},\n" for word in words) + "]"


def ordered(models: list[Model]) -> list[Model]:
    """Mentioned models before those that mention them (the schema has no cycles)."""
    by_name = {model.name: model for model in models}
    done: dict[str, Model] = {}

    def visit(model: Model) -> None:
        for name in sorted(model.mentions & by_name.keys()):
            if name not in done and name != model.name:
                visit(by_name[name])
        done.setdefault(model.name, model)

    for model in models:
        visit(model)
    return list(done.values())


def file_source(stem: str, models: list[Model], alias_lines: list[str]) -> str:
    """One generated module, formatted as ruff format would leave it."""
    local = {model.name for model in models} | {line.split(" = ")[0] for line in alias_lines}
    imported = sorted({name for model in models for name in model.mentions} - local)
    classes = "\n\n\n".join(model.source() for model in ordered(models))
    text = "\n".join((classes, *alias_lines))
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f'"""DAP {stem}, written by tools/dap_models.py from the official schema: do not edit."""',
        "",
    ]
    if "Literal[" in text:
        lines += ["from typing import Literal", ""]
    names = [name for name in ("Integer", "Json") if name in text] + ["Model"]
    lines.append(f"from jvmdebug_dap.models.base import {', '.join(names)}")
    if imported:
        lines.append("from jvmdebug_dap.models.generated.types import (")
        lines += [*(f"    {name}," for name in imported), ")"]
    lines += ["", *alias_lines, "", ""] if alias_lines else ["", ""]
    return "\n".join([*lines, classes, ""])


def render(definitions: dict[str, Schema]) -> dict[str, str]:
    """File name to text for the whole generated package."""
    files = {"__init__.py": "# SPDX-License-Identifier: Apache-2.0\n"}
    for stem, models in split(definitions).items():
        alias_lines = aliases(definitions) if stem == "types" else []
        files[f"{stem}.py"] = file_source(stem, models, alias_lines)
    return files


def main() -> None:
    definitions = whole_schema()["definitions"]
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, text in render(definitions).items():
        (TARGET / name).write_text(text, encoding="utf-8")
        print(f"wrote {TARGET.name}/{name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
