# SPDX-License-Identifier: Apache-2.0
"""The commands of the prompt, by topic; importing this package fills the table."""

from jvmdebug_cli.commands import breakpoints, changing, general, looking, running

__all__ = ["breakpoints", "changing", "general", "looking", "running"]
