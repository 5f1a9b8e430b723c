# SPDX-License-Identifier: Apache-2.0
"""The name of a frame in the call stack: the core's, or according to the request's format."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug import FrameHandle
    from jvmdebug_dap.models.generated.types import StackFrameFormat

_VALUE_LENGTH: Final = 40


async def frame_name(frame: FrameHandle, wanted: StackFrameFormat | None) -> str:
    """`Cart.add(int)`; with a format, up to `shop.base/Cart.add(int count=3):42`.

    `includeAll` has no effect: no frame is hidden.
    """
    if wanted is None:
        return frame.function
    with_parameters = wanted.parameters or any(
        (wanted.parameter_types, wanted.parameter_names, wanted.parameter_values)
    )
    name = frame.function.partition("(")[0]
    if with_parameters and "{" not in name:
        name += f"({', '.join(await _parameters(frame, wanted))})"
    if wanted.module and (module := await frame.module()) is not None:
        module_name = await module.name()
        name = name if module_name is None else f"{module_name}/{name}"
    if wanted.line and frame.line is not None:
        name += f":{frame.line}"
    return name


async def _parameters(frame: FrameHandle, wanted: StackFrameFormat) -> list[str]:
    types = frame.argument_types
    if not types:
        return []
    if not wanted.parameter_names and not wanted.parameter_values:
        # `parameters` alone: their types, as without a format.
        return types
    arguments = [each for each in await frame.variables() if each.is_argument]
    values = [""] * len(arguments)
    if wanted.parameter_values:
        values = await asyncio.gather(
            *(
                each.as_text(max_length=_VALUE_LENGTH, in_hex=wanted.hex, plans_later=True)
                for each in arguments
            )
        )
    shown = []
    for type_name, argument, value in zip(types, arguments, values, strict=False):
        words = [type_name] if wanted.parameter_types else []
        words += [argument.name] if wanted.parameter_names else []
        text = " ".join(words)
        if wanted.parameter_values:
            text += f"={value}" if wanted.parameter_names else f" {value}"
        shown.append(text.strip())
    return shown
