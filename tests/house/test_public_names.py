# SPDX-License-Identifier: Apache-2.0
"""The public names of the core: stated three times, imported when first used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import jvmdebug
from jvmdebug.public_names import HOMES

_SOURCE = Path(jvmdebug.__file__)


def test_the_lists_of_public_names_agree() -> None:
    tree = ast.parse(_SOURCE.read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    for_the_type_checker = {
        alias.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    packages = {name for name, module in for_the_type_checker.items() if module == "jvmdebug"}
    for name in packages:
        del for_the_type_checker[name]
    homes = {name: f"jvmdebug.{module}" for name, module in HOMES.items()}
    assert homes == for_the_type_checker
    assert set(jvmdebug.__all__) == {*homes, *packages, "__version__"}
    assert packages == set(jvmdebug._PACKAGES)


def test_each_public_name_is_there() -> None:
    for name in jvmdebug.__all__:
        assert getattr(jvmdebug, name) is not None, name


def test_a_package_does_not_hide_the_function_of_its_name() -> None:
    """`jvmdebug.launch` is both; a program may import a module of the package first."""
    program = (
        "import jvmdebug.launch.command_line, jvmdebug\n"
        "assert callable(jvmdebug.launch), jvmdebug.launch"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_what_scripts_import_has_types() -> None:
    """Otherwise a user's `mypy --strict` does not take them; the recipes say which there are."""
    root = _SOURCE.parent.parent
    imported = {
        str(name).partition(".")[0]
        for recipe in (root / "examples" / "recipes").glob("*.py")
        for node in ast.walk(ast.parse(recipe.read_text(encoding="utf-8")))
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    ours = {name for name in imported if name.startswith("jvmdebug")}
    assert ours == {"jvmdebug", "jvmdebug_pytest"}
    for name in ours:
        folder = root if name == "jvmdebug" else root / "adapters"
        assert (folder / name / "py.typed").is_file(), name
