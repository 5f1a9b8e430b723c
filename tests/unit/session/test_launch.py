# SPDX-License-Identifier: Apache-2.0
"""What `launch` says of its parameters."""

from __future__ import annotations

import inspect
import re

import jvmdebug


def test_each_parameter_of_launch_is_described() -> None:
    text = inspect.getdoc(jvmdebug.launch) or ""
    items = re.findall(r"^- ((?:`\w+`(?:, )?)+): \S", text, re.MULTILINE)
    described = [name for item in items for name in re.findall(r"\w+", item)]
    assert sorted(described) == sorted(inspect.signature(jvmdebug.launch).parameters)
