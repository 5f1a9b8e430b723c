# SPDX-License-Identifier: Apache-2.0
"""What is imported until the first answer: an editor waits for `initialize` at each F5.

`make bench` measures the time; modules are counted here, which no other load of the machine
changes. A new module in the count is paid by every start: import it where it is first needed.
"""

from __future__ import annotations

import json
import subprocess
import sys

from jvmdebug_dap.framing import encode
from tests.support.dap_client import adapter_environment

MAX_MODULES_OF_DAP = 355
MAX_MODULES_UNTIL_ANSWER = 180
MAX_MODULES_OF_SESSION = 560
MAX_MODULES_OF_VERSION = 150
_PROGRAM = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from jvmdebug_cli import main
sys.exit(main())
"""
_CORE_AT_START = {
    "jvmdebug",
    *(
        f"jvmdebug.{name}"
        for name in ("errors", "launch", "os_errors", "printable", "public_names", "together")
    ),
    "jvmdebug.platform",
    *(f"jvmdebug.platform.{name}" for name in ("signals", "streams", "system")),
}


def imported(*arguments: str, messages: bytes = b"") -> tuple[set[str], bytes]:
    """The modules that `jvmdebug ARGUMENTS` imports until its input ends, and its output."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        input=messages,
        capture_output=True,
        check=True,
        env=adapter_environment(),
    )
    return set(done.stderr.decode().split()), done.stdout


def test_initialize_is_answered_without_the_core() -> None:
    arguments = {"adapterID": "jvmdebug"}
    request = {"seq": 1, "type": "request", "command": "initialize", "arguments": arguments}
    modules, answer = imported("dap", messages=encode(request))
    body = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert body["success"]
    assert body["body"]["supportsConfigurationDoneRequest"]
    core = {name for name in modules if name.split(".")[0] == "jvmdebug"}
    assert core == _CORE_AT_START
    assert not modules & {"prompt_toolkit", "tree_sitter", "argparse"}
    assert len(modules) <= MAX_MODULES_OF_DAP


def test_initialize_is_answered_before_most_is_imported() -> None:
    """Models and handlers are imported while the editor reads the answer."""
    script = "import sys, jvmdebug_cli, jvmdebug_dap.command; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = set(ran.stdout.split())
    assert not modules & {"pydantic", "argparse", "importlib.metadata"}
    assert not modules & {"jvmdebug_dap.session", "jvmdebug_dap.requests"}
    assert len(modules) <= MAX_MODULES_UNTIL_ANSWER


def test_the_version_is_told_without_asyncio() -> None:
    modules, output = imported("--version")
    assert output.startswith(b"jvmdebug ")
    assert not modules & {"asyncio", "pydantic", "argparse", "jvmdebug.errors"}
    assert len(modules) <= MAX_MODULES_OF_VERSION


def test_help_is_shown_without_asyncio() -> None:
    modules, output = imported("launch", "--help")
    assert b"--project" in output
    assert not modules & {"asyncio", "importlib.metadata", "prompt_toolkit", "rich"}


def test_a_session_begins_without_what_most_sessions_do_not_need() -> None:
    """Loading it would double the processor time of the start of a program."""
    begin = "import jvmdebug.session.launch, jvmdebug.session.session, jvmdebug.session.services"
    script = f"import sys; {begin}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = set(ran.stdout.split())
    assert "jvmdebug.evaluator.surroundings" in modules
    assert not modules & {
        "jvmdebug.breakpoints.breakpoint_table",
        "jvmdebug.display.rendering",
        "jvmdebug.evaluator.bind.bound",
        "jvmdebug.evaluator.parse.syntax",
        "jvmdebug.heap.heap_file",
        "jvmdebug.jvmti.functions",
        "jvmdebug.observing.trace",
        "jvmdebug.probes.codegen.check",
        "jvmdebug.profiling.profile",
        "jvmdebug.session.stop",
        "importlib.metadata",
        "tree_sitter",
    }
    assert len(modules) <= MAX_MODULES_OF_SESSION


def test_a_program_is_launched_with_the_handlers_that_serve_it() -> None:
    """An editor sends a third of the requests; pydantic searches for no plugins."""
    initialize = {"adapterID": "jvmdebug", "clientID": "test"}
    messages = [("initialize", initialize), ("launch", {"console": "none"})]
    sent = b"".join(
        encode({"seq": number, "type": "request", "command": command, "arguments": arguments})
        for number, (command, arguments) in enumerate(messages, 1)
    )
    modules, answers = imported("dap", messages=sent)
    assert b"should be one of internalConsole" in answers
    handlers = {name for name in modules if name.startswith("jvmdebug_dap.handlers.")}
    assert handlers == {"jvmdebug_dap.handlers.lifecycle", "jvmdebug_dap.handlers.starting"}
    assert not modules & {
        "importlib.metadata",
        "jvmdebug_dap.models.custom",
    }


def test_a_vm_is_started_before_most_of_the_core_is_imported() -> None:
    """The program starts meanwhile: F5 waits for the longer of the two, not for their sum."""
    script = "import sys, jvmdebug.session.launch; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    late = (
        "attaching",
        "breakpoints",
        "display",
        "evaluator",
        "events",
        "model",
        "sources",
        "stepping",
    )
    assert not set(ran.stdout.split()) & {f"jvmdebug.{name}" for name in late}


def test_a_batch_needs_no_line_editor() -> None:
    """Scripts and CI start many batches."""
    script = "import sys, jvmdebug_cli.prompt; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    libraries = {name.partition(".")[0] for name in ran.stdout.split()}
    assert not libraries & {"prompt_toolkit", "pygments", "importlib.metadata", "tree_sitter"}
