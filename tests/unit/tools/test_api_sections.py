# SPDX-License-Identifier: Apache-2.0
"""Every class that the API returns has its section in docs/reference/api.md."""

from __future__ import annotations

import importlib
import re

import jvmdebug
from jvmdebug.sync.generated.members import MEMBERS
from tools.api_reference import DOCUMENT

PACKAGES = ("heap", "profiling", "projects", "classfile")


def test_each_class_has_a_section() -> None:
    sections = set(re.findall(r"^### (\w+)$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))
    named = {full.partition(":")[2] for full in MEMBERS if ":_" not in full}
    named |= {each for each in jvmdebug.__all__ if each[0].isupper()}
    for package in PACKAGES:
        exported = importlib.import_module(f"jvmdebug.{package}").__all__
        named |= {each for each in exported if each[0].isupper()}
    parts_of_others = {"PythonicValue", "ReadableValue", "HitObservation", "ProgramModules"}
    assert named - sections - parts_of_others == set()
