# SPDX-License-Identifier: Apache-2.0
"""Emits native/agent/commands/generated: what each command function looks like, and the table.

The table names every function, so a command that nobody has written is a link error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from native.protocol.generate.cpp_text import comment, file_head, in_namespace
from native.protocol.generate.names import sentence, snake_case

if TYPE_CHECKING:
    from native.protocol.generate.model import Command, CommandSet, Declarations


def emit_agent(declarations: Declarations) -> dict[str, str]:
    """The generated files: file name → text."""
    files = {
        "handlers.h": _handlers(declarations),
        "dispatch_table.cpp": _table(declarations),
    }
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def _answered(command_set: CommandSet) -> list[Command]:
    """The commands that the agent answers, rather than sends."""
    return [command for command in command_set.commands if not command.from_agent]


def _reply_type(command_set: CommandSet, command: Command) -> str:
    if not command.reply:
        return "void"
    return f"protocol::{command_set.module}::{command.name}Reply"


def _declaration(command_set: CommandSet, command: Command) -> list[str]:
    request = f"const protocol::{command_set.module}::{command.name}Request& request"
    result = f"Result<{_reply_type(command_set, command)}>"
    last = ");"
    if command.deferred:
        result = "void"
        last = ", ReplyTo reply);"
    notes = sentence(command.doc)
    if command.errors:
        notes += f" Errors: {', '.join(command.errors)}."
    return [
        *comment(notes),
        f"{result} {snake_case(command.name)}(",
        f"    Agent& agent, {request}{last}",
        "",
    ]


_ROLES = {"debug": "kDebug", "observe": "kObserve", "read-only": "kReadOnly"}
_TABLE_TYPES = [
    "// One command of the table. `run` reads the request, calls the command's function, and",
    "// answers; what the request refers to must live until it returns.",
    "struct CommandEntry {",
    "  std::uint8_t command_set;",
    "  std::uint8_t command;",
    "  std::string_view name;",
    "  Role role;  // the least that may send it",
    "  void (*run)(Agent& agent, codec::Reader& request, ReplyTo reply);",
    "};",
    "",
    "// All commands, ordered by command set and number.",
    "[[nodiscard]] std::span<const CommandEntry> command_table();",
]


def _handlers(declarations: Declarations) -> list[str]:
    doc = "The functions that answer the commands, one for each; a deferred one answers later."
    head = [
        *file_head("*.toml", doc, header=True),
        "#include <cstdint>",
        "#include <span>",
        "#include <string_view>",
        "",
        '#include "agent/options/role.h"',
    ]
    head += [
        f'#include "codec/generated/{command_set.module}.h"'
        for command_set in declarations.command_sets
        if _answered(command_set)
    ]
    head += ['#include "codec/reader.h"', '#include "codec/result.h"', ""]
    head += ["namespace jvmdebug::agent {", "", "class Agent;", "class ReplyTo;", ""]
    head += ["}  // namespace jvmdebug::agent", ""]
    lines = [*head, *in_namespace("jvmdebug::agent::commands", _TABLE_TYPES)]
    for command_set in declarations.command_sets:
        functions: list[str] = []
        for command in _answered(command_set):
            functions += _declaration(command_set, command)
        if functions:
            name = f"jvmdebug::agent::commands::{command_set.module}"
            lines += ["", *in_namespace(name, functions[:-1])]
    return lines


_THUNKS = """\
namespace {

// Reads the request, calls the function, answers.
template <class Request, class Reply, Result<Reply> (*function)(Agent&, const Request&)>
void answer(Agent& agent, codec::Reader& reader, ReplyTo reply) {
  const auto request = Request::read(reader);
  if (!request) {
    reply.fail(request.error());
    return;
  }
  const Result<Reply> result = function(agent, *request);
  if (!result) {
    reply.fail(result.error());
    return;
  }
  if constexpr (std::is_void_v<Reply>) {
    reply.send();
  } else {
    reply.send(*result);
  }
}

// Reads the request and leaves the answer to the function.
template <class Request, void (*function)(Agent&, const Request&, ReplyTo)>
void answer_later(Agent& agent, codec::Reader& reader, ReplyTo reply) {
  const auto request = Request::read(reader);
  if (!request) {
    reply.fail(request.error());
    return;
  }
  function(agent, *request, std::move(reply));
}
""".splitlines()


def _entry(command_set: CommandSet, command: Command) -> list[str]:
    request = f"protocol::{command_set.module}::{command.name}Request"
    function = f"{command_set.module}::{snake_case(command.name)}"
    thunk = f"answer_later<{request}, {function}>"
    if not command.deferred:
        thunk = f"answer<{request}, {_reply_type(command_set, command)}, {function}>"
    return [
        f'    {{{command_set.number}, {command.number}, "{command_set.name}.{command.name}",',
        f"     Role::{_ROLES[command.role]}, {thunk}}},",
    ]


def _table(declarations: Declarations) -> list[str]:
    commands = [
        (command_set, command)
        for command_set in declarations.command_sets
        for command in _answered(command_set)
    ]
    lines = [
        *_THUNKS,
        f"constexpr std::array<CommandEntry, {len(commands)}> kCommands = {{{{",
    ]
    for command_set, command in sorted(commands, key=lambda pair: (pair[0].number, pair[1].number)):
        lines += _entry(command_set, command)
    lines += ["}};", "", "}  // namespace", ""]
    lines += ["std::span<const CommandEntry> command_table() { return kCommands; }"]
    head = [
        *file_head("*.toml", "The dispatch table of the agent.", header=False),
        "#include <array>",
        "#include <type_traits>",
        "#include <utility>",
        "",
        '#include "agent/commands/generated/handlers.h"',
        '#include "agent/reply_to.h"',
        "",
    ]
    return head + in_namespace("jvmdebug::agent::commands", lines)
