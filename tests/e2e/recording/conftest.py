# SPDX-License-Identifier: Apache-2.0
"""Recordings of `shop.Till`, made without a VM by interpreting its class file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import Debuggee, debuggee
from tests.support.interpreted import interpreted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def till() -> Debuggee:
    """The program."""
    return debuggee("replayed", "shop.Till")


@pytest.fixture(params=[1 << 16, 7], ids=["one chunk", "many chunks"], scope="session")
def recorded(
    request: pytest.FixtureRequest, till: Debuggee, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The recording: in one chunk, and in chunks of 7 records."""
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    path = tmp_path_factory.mktemp("recorded") / "till.jvmrec"
    return interpreted(path, [content], "shop.Till", chunk=request.param)
