# SPDX-License-Identifier: Apache-2.0
"""The command line of the generator: writes the generated files, or tells which are stale."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from native.protocol.generate.declarations import read_declarations
from native.protocol.generate.emit_agent import emit_agent
from native.protocol.generate.emit_cpp import emit_cpp
from native.protocol.generate.emit_markdown import emit_markdown
from native.protocol.generate.emit_python import emit_python
from native.protocol.generate.emit_seeds import emit_seeds
from native.protocol.generate.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from native.protocol.generate.model import Declarations

_ROOT = Path(__file__).resolve().parents[3]
_DECLARATIONS = _ROOT / "native" / "protocol"


def generated_files(declarations: Declarations) -> dict[Path, str]:
    """All generated files: path below the repository → text."""
    folders = {
        Path("jvmdebug/jdwp/generated"): emit_python(declarations),
        Path("native/codec/generated"): emit_cpp(declarations),
        Path("native/agent/commands/generated"): emit_agent(declarations),
        Path("native/fuzz/seeds/packets/generated"): emit_seeds(declarations),
        Path("docs/reference"): emit_markdown(declarations),
    }
    return {
        folder / name: text for folder, files in folders.items() for name, text in files.items()
    }


def stale_files(root: Path, files: dict[Path, str]) -> list[Path]:
    """Files that differ from what the declarations give, and files that no declaration gives."""
    stale = [
        path
        for path, text in files.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text
    ]
    for folder in {path.parent for path in files if path.parent.name == "generated"}:
        present = [path.relative_to(root) for path in (root / folder).glob("*") if path.is_file()]
        stale.extend(path for path in present if path not in files)
    return sorted(stale)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the generator; the exit status is 1 for stale files, 2 for a wrong declaration."""
    parser = argparse.ArgumentParser(
        prog="generate", description="Generates the code and the reference of the wire protocol."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a file is stale"
    )
    options = parser.parse_args(arguments)
    try:
        files = generated_files(read_declarations(_DECLARATIONS))
    except DeclarationError as error:
        print(error, file=sys.stderr)
        return 2
    stale = stale_files(_ROOT, files)
    if options.check:
        for path in stale:
            print(f"{path}: stale; run python native/protocol/generate", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        target = _ROOT / path
        if path in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(files[path], encoding="utf-8")
            print(f"wrote {path}")
        else:
            target.unlink()
            print(f"removed {path}")
    return 0
