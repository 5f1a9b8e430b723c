# SPDX-License-Identifier: Apache-2.0
"""Emits native/codec/generated: a C++ struct for every request, reply, modifier and event.

A message has `read` (checked) and `write`; every struct has `read_fields`, which reads from a
Reader that remembers its failure. The declarations are in the header, the bodies in the source.
"""

from __future__ import annotations

from native.protocol.generate.cpp_text import (
    comment,
    cpp_type,
    file_head,
    in_namespace,
    initialiser,
    read_lines,
    write_lines,
)
from native.protocol.generate.model import (
    Case,
    Command,
    CommandSet,
    Declarations,
    Enum,
    Field,
    ListType,
    Struct,
    Variant,
)
from native.protocol.generate.names import enumerator, sentence

_NAMESPACE = "jvmdebug::protocol"


def emit_cpp(declarations: Declarations) -> dict[str, str]:
    """The generated files: file name → text."""
    files = {
        "all_messages.h": _all_messages(declarations),
        "constants.h": _constants_header(declarations),
        "constants.cpp": _constants_source(declarations),
        "events.h": _events_header(declarations),
        "events.cpp": _events_source(declarations),
    }
    for command_set in declarations.command_sets:
        files[f"{command_set.module}.h"] = _set_header(command_set)
        files[f"{command_set.module}.cpp"] = _set_source(command_set)
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def _all_messages(declarations: Declarations) -> list[str]:
    lines = file_head("*.toml", "All requests and replies as a list of types.", header=True)
    names: list[str] = []
    for command_set in declarations.command_sets:
        lines.append(f'#include "codec/generated/{command_set.module}.h"')
        for command in command_set.commands:
            names += [f"{command_set.module}::{name}" for name, _, _ in _messages(command)]
    body = ["template <class... Message>", "struct MessageList {};", "", "using AllMessages ="]
    body += ["    MessageList<", "        " + ",\n        ".join(names) + ">;"]
    return [*lines, "", *in_namespace(_NAMESPACE, body)]


def _constants_header(declarations: Declarations) -> list[str]:
    lines: list[str] = []
    for enum in declarations.enums:
        lines += [*_enum(enum), ""]
    lines += ["// What a reply says went wrong.", "enum class Error : std::uint16_t {"]
    for error in declarations.errors:
        lines += comment(error.doc, "  ")
        lines.append(f"  {enumerator(error.name)} = {error.number},")
    lines += ["};", ""]
    lines += [
        "// The name of the error in the JDWP specification; `?` for a code it does not have."
    ]
    lines += ["[[nodiscard]] std::string_view name(Error error);"]
    head = file_head("constants.toml", "Enumerations and error codes of JDWP.", header=True)
    head += ["#include <cstdint>", "#include <string_view>", ""]
    return head + in_namespace(_NAMESPACE, lines)


def _enum(enum: Enum) -> list[str]:
    wire = {"byte": "std::uint8_t", "int": "std::int32_t"}[enum.wire]
    lines = comment(sentence(enum.doc))
    if enum.is_flags:
        lines += comment("A set of bits; combine with |, ask with has().")
    lines.append(f"enum class {enum.name} : {wire} {{")
    if enum.is_flags:
        lines.append("  kNone = 0,")
    lines += [f"  {enumerator(name)} = {number}," for name, number in enum.members]
    lines.append("};")
    if enum.is_flags:
        lines += [
            "",
            f"constexpr {enum.name} operator|({enum.name} left, {enum.name} right) {{",
            f"  return static_cast<{enum.name}>(",
            f"      static_cast<{wire}>(left) | static_cast<{wire}>(right));",
            "}",
            "",
            f"constexpr bool has({enum.name} bits, {enum.name} bit) {{",
            f"  return (static_cast<{wire}>(bits) & static_cast<{wire}>(bit)) != 0;",
            "}",
        ]
    return lines


def _constants_source(declarations: Declarations) -> list[str]:
    lines = ["std::string_view name(Error error) {", "  switch (error) {"]
    for error in declarations.errors:
        lines += [f"    case Error::{enumerator(error.name)}:", f'      return "{error.name}";']
    lines += ["  }", '  return "?";', "}"]
    head = file_head("constants.toml", "Names of the error codes.", header=False)
    head += ['#include "codec/generated/constants.h"', ""]
    return head + in_namespace(_NAMESPACE, lines)


_INCLUDES = [
    "#include <cstddef>",
    "#include <cstdint>",
    "#include <string>",
    "#include <variant>",
    "#include <vector>",
    "",
    '#include "codec/generated/constants.h"',
    '#include "codec/ids.h"',
    '#include "codec/reader.h"',
    '#include "codec/result.h"',
    '#include "codec/values.h"',
    '#include "codec/writer.h"',
    "",
]


def _struct(
    name: str,
    doc: str,
    fields: tuple[Field, ...],
    constants: list[str],
    *,
    message: bool,
    indent: str = "",
) -> list[str]:
    """The definition of a struct, with its nested structs first."""
    inner = indent + "  "
    lines = [*comment(doc, indent), f"{indent}struct {name} {{"]
    for field in fields:
        if isinstance(field.type, ListType) and isinstance(field.type.element, Struct):
            nested = field.type.element
            nested_doc = f"One of the {field.name.replace('_', ' ')}."
            lines += _struct(
                nested.name, nested_doc, nested.fields, [], message=False, indent=inner
            )
            lines.append("")
    lines += [inner + constant for constant in constants]
    if constants:
        lines.append("")
    for field in fields:
        lines += comment(field.doc, inner)
        lines.append(f"{inner}{cpp_type(field.type)} {field.name}{initialiser(field.type)};")
    if fields:
        lines.append("")
    if message:
        lines.append(f"{inner}static Result<{name}> read(codec::Reader& reader);")
    lines += [
        f"{inner}static {name} read_fields(codec::Reader& reader);",
        f"{inner}void write(codec::Writer& writer) const;",
        f"{inner}bool operator==(const {name}&) const = default;",
        f"{indent}}};",
    ]
    return lines


def _bodies(qualified: str, fields: tuple[Field, ...], *, message: bool) -> list[str]:
    """The member functions of a struct and of its nested structs."""
    lines: list[str] = []
    for field in fields:
        if isinstance(field.type, ListType) and isinstance(field.type.element, Struct):
            nested = field.type.element
            lines += _bodies(f"{qualified}::{nested.name}", nested.fields, message=False)
    if message:
        lines += [
            f"Result<{qualified}> {qualified}::read(codec::Reader& reader) {{",
            "  auto message = read_fields(reader);",
            "  return reader.checked(std::move(message));",
            "}",
            "",
        ]
    reader = "codec::Reader& reader" if fields else "codec::Reader& /*reader*/"
    writer = "codec::Writer& writer" if fields else "codec::Writer& /*writer*/"
    lines += [f"{qualified} {qualified}::read_fields({reader}) {{", f"  {qualified} message;"]
    for field in fields:
        lines += read_lines(field.name, field.type)
    lines += ["  return message;", "}", "", f"void {qualified}::write({writer}) const {{"]
    for field in fields:
        lines += write_lines(field.name, field.type)
    return [*lines, "}", ""]


def _messages(command: Command) -> list[tuple[str, str, tuple[Field, ...]]]:
    """Name, meaning and fields of the request and of the reply, if it has one."""
    messages = [(f"{command.name}Request", sentence(command.doc), command.request)]
    if command.from_agent:
        messages = [(command.name, sentence(command.doc), command.request)]
    if command.reply:
        messages.append((f"{command.name}Reply", f"What {command.name} answers.", command.reply))
    return messages


def _set_header(command_set: CommandSet) -> list[str]:
    lines: list[str] = []
    for command in command_set.commands:
        for index, (name, doc, fields) in enumerate(_messages(command)):
            constants = [
                f"static constexpr std::uint8_t kCommandSet = {command_set.number};",
                f"static constexpr std::uint8_t kCommand = {command.number};",
            ]
            lines += _struct(name, doc, fields, constants if index == 0 else [], message=True)
            lines.append("")
    doc = f"Command set {command_set.number}, {command_set.name}: {sentence(command_set.doc)}"
    head = [*file_head(f"{command_set.module}.toml", doc, header=True), *_INCLUDES]
    head.insert(-1, '#include "codec/generated/events.h"')
    return head + in_namespace(f"{_NAMESPACE}::{command_set.module}", lines[:-1])


def _set_source(command_set: CommandSet) -> list[str]:
    lines: list[str] = []
    for command in command_set.commands:
        for name, _, fields in _messages(command):
            lines += _bodies(name, fields, message=True)
    doc = f"Reads and writes the messages of command set {command_set.number}, {command_set.name}."
    head = file_head(f"{command_set.module}.toml", doc, header=False)
    head += [f'#include "codec/generated/{command_set.module}.h"', "", "#include <utility>", ""]
    return head + in_namespace(f"{_NAMESPACE}::{command_set.module}", lines[:-1])


def _case_constant(case: Case, variant: Variant) -> str:
    if variant.tag_enum is None or case.tag_name is None:
        return f"static constexpr std::uint8_t kKind = {case.tag};"
    enum = variant.tag_enum.name
    return f"static constexpr {enum} kKind = {enum}::{enumerator(case.tag_name)};"


def _events_header(declarations: Declarations) -> list[str]:
    lines: list[str] = []
    for variant in declarations.variants:
        for case in variant.cases:
            constants = [_case_constant(case, variant)]
            lines += _struct(case.name, sentence(case.doc), case.fields, constants, message=False)
            lines.append("")
        names = ",\n    ".join(case.name for case in variant.cases)
        lower = variant.name.lower()
        lines += [
            *comment(sentence(variant.doc)),
            f"using {variant.name} = std::variant<\n    {names}>;",
            "",
            "// Reads the tag and the case; an unknown tag fails with ILLEGAL_ARGUMENT.",
            f"{variant.name} read_{lower}(codec::Reader& reader);",
            f"void write_{lower}(codec::Writer& writer, const {variant.name}& {lower});",
            "",
        ]
    doc = "The modifiers of event requests, and the events."
    head = [*file_head("events.toml", doc, header=True), *_INCLUDES]
    return head + in_namespace(_NAMESPACE, lines[:-1])


def _events_source(declarations: Declarations) -> list[str]:
    lines: list[str] = []
    for variant in declarations.variants:
        for case in variant.cases:
            lines += _bodies(case.name, case.fields, message=False)
        lines += [*_variant_bodies(variant), ""]
    head = file_head("events.toml", "Reads and writes modifiers and events.", header=False)
    head += ['#include "codec/generated/events.h"', "", "#include <utility>", ""]
    return head + in_namespace(_NAMESPACE, lines[:-1])


def _variant_bodies(variant: Variant) -> list[str]:
    lower = variant.name.lower()
    enum = variant.tag_enum.name if variant.tag_enum else "std::uint8_t"
    read_tag = f"reader.read_enum<{enum}>()"
    write_tag = "writer.write_enum(kind);"
    if variant.tag_enum is None:
        read_tag = "static_cast<std::uint8_t>(reader.read_byte())"
        write_tag = "writer.write_byte(static_cast<std::int8_t>(kind));"
    lines = [
        f"{variant.name} read_{lower}(codec::Reader& reader) {{",
        f"  const {enum} kind = {read_tag};",
        "  switch (kind) {",
    ]
    for case in variant.cases:
        lines += [
            f"    case {case.name}::kKind:",
            f"      return {case.name}::read_fields(reader);",
        ]
    return [
        *lines,
        "    default:",
        "      reader.fail(Error::kIllegalArgument);",
        "      return {};",
        "  }",
        "}",
        "",
        f"void write_{lower}(codec::Writer& writer, const {variant.name}& {lower}) {{",
        "  std::visit(",
        "      [&writer](const auto& one) {",
        "        const auto kind = std::remove_cvref_t<decltype(one)>::kKind;",
        f"        {write_tag}",
        "        one.write(writer);",
        "      },",
        f"      {lower});",
        "}",
    ]
