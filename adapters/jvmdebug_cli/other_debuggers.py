# SPDX-License-Identifier: Apache-2.0
"""What jdb and gdb call things: their ways to type a command that is more than another name.

Owns forms of several words (`stop in`, `thread apply all bt`); a mere other name of a command is an
alias of it (`command`). Pure: a typed line in, ours out. Called by the shell and the completion.
"""

from __future__ import annotations

import re
from typing import Final

_FORMS: Final = tuple(
    (re.compile(rf"{form}(?:\s+(?P<rest>.*))?", re.DOTALL), ours)
    for form, ours in (
        (r"stop\s+(?:in|at)", "break"),
        (r"step\s+up", "finish"),
        (r"(?:where|wherei|bt|backtrace)\s+all", "stacks"),
        (r"thread\s+apply\s+all\s+(?:bt|where|backtrace)", "stacks"),
        (r"set\s+var(?:iable)?", "set"),
        (r"catch\s+all", "catch"),
        (r"watch\s+all", "watch both"),
        (r"watch\s+access", "watch read"),
        (r"rwatch", "watch read"),
        (r"awatch", "watch both"),
        (r"dump", "print /r"),
        (r"output", "print"),
        (r"(?:info|i)\s+(?:b|br|break|breakpoints|watchpoints)", "breakpoints"),
        (r"(?:info|i)\s+display", "displays"),
        (r"(?:info|i)\s+args", "args"),
        (r"(?:info|i)\s+(?:line|source)", "frame"),
        (r"(?:info|i)\s+(?:types|classes)", "classes"),
        (r"(?:info|i)\s+functions", "methods"),
        (r"(?:info|i)\s+(?:locals|lo)", "locals"),
        (r"(?:info|i)\s+threads", "threads"),
        (r"(?:info|i)\s+variables", "statics"),
        (r"!!", ""),
        (r"stop", "breakpoints"),
        (r"(?:br|hbreak)", "break"),
        (r"thbreak", "tbreak"),
        (r"starti", "start"),
        (r"disconnect", "detach"),
        (r"taas", "stacks"),
    )
)
_REPEATED: Final = re.compile(r"(?P<count>\d+)\s+(?P<command>\w+)")
"""jdb's `3 next`"""

_OUTSIDE: Final = "type it in another terminal, or after Ctrl-Z"
_PATHS: Final = "say where sources are when you start: `jvmdebug launch … --source-path PATH`"
_NO_WAY_BACK: Final = "`record` begins a recording; then `back` goes back"
_SCRIPT: Final = "for more than commands there are scripts: `import jvmdebug.sync`"
_SIGNALS: Final = "signals are the JVM's own; stop at exceptions with `catch`"
_VALUES: Final = "`print` shows a value, `log` prints one each time that a line is reached"
INSTEAD: Final[dict[str, str]] = {
    word: sentence
    for words, sentence in (
        (("trace", "untrace"), "`jvmdebug trace PATTERN --at TARGET` shows calls as a tree"),
        (("use", "sourcepath", "directory", "dir"), _PATHS),
        (("classpath", "show"), "`info` and `help` show what there is to see"),
        (("exclude", "skip"), "steps stay out of libraries with `launch … --just-my-code`"),
        (("lock", "threadlocks"), "`jvmdebug threads TARGET` shows who holds which lock"),
        (("threadgroup", "threadgroups"), "`threads` lists all threads"),
        (("disablegc", "enablegc"), "what a stop shows is kept from the garbage collector"),
        (("version",), "`jvmdebug --version` shows it"),
        (("repeat",), "an empty line repeats a step"),
        (("dbgtrace",), "`help` lists what there is"),
        (("rbreak",), "`break shop.*#add*` stops in all methods of such names"),
        (("signal", "handle"), _SIGNALS),
        (("tcatch",), "`catch TYPE` stops each time, `delete` ends that"),
        (("attach", "file", "add-symbol-file"), "leave, and `jvmdebug attach TARGET`"),
        (("x", "printf"), _VALUES),
        (("search", "layout", "tui"), "`list` shows the source; `jvmdebug dap` serves an editor"),
        (("shell", "!", "make", "pwd", "cd", "tty"), _OUTSIDE),
        (("apropos",), "`help` lists all commands, `help COMMAND` explains one"),
        (("define", "python", "document"), _SCRIPT),
        (("save",), "keep commands in a file, and run it with `source FILE`"),
        (("checkpoint",), _NO_WAY_BACK),
        (("gcore", "generate-core-file"), "`jvmdebug heap TARGET dump FILE` writes a heap dump"),
    )
    for word in words
}
"""What to do in place of their commands that have no counterpart here."""


def translated(line: str) -> str:
    """The line as our commands have it; `p/x total` and all others as they are."""
    if (repeated := _REPEATED.fullmatch(line)) is not None:
        return f"{repeated['command']} {repeated['count']}"
    for form, ours in _FORMS:
        if (found := form.fullmatch(line)) is not None:
            return f"{ours} {found['rest'] or ''}".strip()
    return line
