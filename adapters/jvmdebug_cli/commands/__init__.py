# SPDX-License-Identifier: Apache-2.0
"""The commands of the prompt, one module per topic. Called by `shell`.

Importing this package fills the table of commands. To add one: a function with `@command` in the
module of its topic.
"""

from jvmdebug_cli.commands import (
    at_stops,
    breakpoints,
    changing,
    general,
    looking,
    measuring,
    past,
    running,
    types,
)

__all__ = [
    "at_stops",
    "breakpoints",
    "changing",
    "general",
    "looking",
    "measuring",
    "past",
    "running",
    "types",
]
