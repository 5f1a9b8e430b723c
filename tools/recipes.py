# SPDX-License-Identifier: Apache-2.0
"""Writes docs/how-to/recipes.md from examples/recipes: `python -m tools.recipes [--check]`.

Each recipe is a script: the first line of its docstring is its title, the rest is what the document
says, and its code is what it shows. `make docs` runs it, `make lint` compares; the tests run the
scripts.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
RECIPES = REPOSITORY / "examples" / "recipes"
DOCUMENT = REPOSITORY / "docs" / "how-to" / "recipes.md"
ORDER = (
    *("who_sets_null", "values_at_a_line", "queue_over_time", "call_tree", "slow_calls"),
    "time_between_lines",
    *("compare_runs", "wrong_thread", "dump_on_exception", "patch_a_method", "jump_back"),
    "force_a_failure",
    *("instances_before_after", "deadlock", "count_by_thread", "two_programs"),
    *("hot_methods", "who_allocates", "why_alive", "equal_strings"),
    *("lines_that_never_ran", "who_submitted", "when_it_became"),
    *("where_classes_come_from",),
)
_HEAD = """<!-- Written by tools/recipes.py from examples/recipes: do not edit. -->
# Recipes

Scripts that answer a question about a running Java program, to copy and change. The tests of
jvmdebug run all of them, in a folder with the classes of
[a small shop](../../examples/recipes/src/shop/Main.java) in `build/classes`.

In place of `launch`, `jvmdebug.sync.attach("localhost", 5005)` takes
[a program that runs](attach.md). The scripts do without `await`; with it, everything has the same
name in `jvmdebug` ([tutorial](../tutorial/scripting.md)). Traces, writes and samples end by
themselves after `limit` events or `duration_s` seconds, and with the program; what was not taken in
time is dropped, and the next event tells how many there were (`event.missed_before`).
"""


def document() -> str:
    """The text of the document."""
    found = {path.stem for path in RECIPES.glob("*.py")}
    if found != set(ORDER):
        raise SystemExit(f"recipes and their order differ: {sorted(found ^ set(ORDER))}")
    return _HEAD + "".join(_section(RECIPES / f"{name}.py") for name in ORDER)


def _section(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    said = tree.body[0]
    docstring = ast.get_docstring(tree)
    if docstring is None or said.end_lineno is None:
        raise SystemExit(f"{path} has no docstring")
    title, _, rest = docstring.partition("\n\n")
    code = "\n".join(text.splitlines()[said.end_lineno :]).strip()
    where = f"../../examples/recipes/{path.name}"
    return f"\n## {title}\n\n{rest.strip()}\n\n```python\n{code}\n```\n\n[{path.name}]({where})\n"


def main() -> None:
    """Write the document, or with --check compare it."""
    text = document()
    is_stale = not DOCUMENT.exists() or DOCUMENT.read_text(encoding="utf-8") != text
    if "--check" in sys.argv and is_stale:
        raise SystemExit("docs/how-to/recipes.md is stale: make docs")
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
