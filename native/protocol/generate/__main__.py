# SPDX-License-Identifier: Apache-2.0
"""Lets `python native/protocol/generate` and `python -m native.protocol.generate` run it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from native.protocol.generate.cli import main

sys.exit(main())
