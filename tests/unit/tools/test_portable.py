# SPDX-License-Identifier: Apache-2.0
"""The compilers of wheels as CMake gets them, and the names of wheels. Nothing is built here."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tools import portable, wheel_trial


@pytest.fixture(autouse=True)
def _zig_and_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portable, "_zig", lambda: Path("/a folder/zig"))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


def settings(environment: dict[str, str]) -> dict[str, str]:
    words = shlex.split(environment["CMAKE_ARGS"])
    return dict(word.removeprefix("-D").split("=", 1) for word in words)


def test_a_native_build_gets_zig_for_the_old_glibc(tmp_path: Path) -> None:
    made = portable.environment("x86_64", "3.12", tmp_path / "new")
    script = Path(made["CXX"]).read_text("utf-8")
    assert script == '#!/bin/sh\nexec "/a folder/zig" c++ -target x86_64-linux-gnu.2.17 "$@"\n'
    given = settings(made)
    assert Path(given["CMAKE_AR"]).read_text("utf-8").endswith('zig" ar "$@"\n')
    assert given["CMAKE_CXX_FLAGS_RELWITHDEBINFO"] == "-O2 -DNDEBUG"
    assert "CMAKE_SYSTEM_NAME" not in given
    assert "_PYTHON_HOST_PLATFORM" not in made


def test_another_processor_is_a_cross_build(tmp_path: Path) -> None:
    made = portable.environment("aarch64", "3.12", tmp_path)
    assert "-target aarch64-linux-gnu.2.17 " in Path(made["CXX"]).read_text("utf-8")
    given = settings(made)
    assert (given["CMAKE_SYSTEM_NAME"], given["CMAKE_SYSTEM_PROCESSOR"]) == ("Linux", "aarch64")
    assert given["PYTHON_MODULE_EXTENSION"] == ".cpython-312-aarch64-linux-gnu.so"
    assert made["SETUPTOOLS_EXT_SUFFIX"] == given["PYTHON_MODULE_EXTENSION"]
    assert made["_PYTHON_HOST_PLATFORM"] == "linux-aarch64"


@pytest.mark.parametrize("processor", portable.PROCESSORS)
def test_the_name_of_a_wheel_says_what_it_is_for(processor: str) -> None:
    tag = portable.platform_tag(processor)
    name = f"jvmdebug-0.1.0-cp314-cp314-manylinux2014_{processor}.{tag}.whl"
    assert wheel_trial.of_name(name) == ("3.14", processor)
