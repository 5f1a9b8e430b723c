# SPDX-License-Identifier: Apache-2.0
"""What the generator raises."""

from __future__ import annotations


class DeclarationError(Exception):
    """A declaration is wrong. The message begins with file, line and what the line belongs to."""
