# SPDX-License-Identifier: Apache-2.0
"""Zstandard, by Python's own module where it has one (3.14), else by the package `zstandard`."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final, cast

from jvmdebug.recording.errors import RecordingError

_LEVEL: Final = 3
_WINDOW_LOG: Final = 26
"""The largest window is that of the largest block."""
_HAS_OWN: Final = sys.version_info >= (3, 14)


def _module() -> Any:  # noqa: ANN401 - one of two modules
    name = "compression.zstd" if _HAS_OWN else "zstandard"
    try:
        return importlib.import_module(name)
    except ImportError as error:  # a Python that was built without it
        raise RecordingError(f"recordings need the module {name}: {error}") from None


def compressed(content: bytes) -> bytes:
    """One Zstandard frame with `content`."""
    module = _module()
    return cast("bytes", module.compress(content, _LEVEL))


def expanded(content: bytes, size: int) -> bytes:
    """The `size` bytes that one frame holds, or one more if it holds more: memory is taken for no
    more than that, whatever the frame says of itself. RecordingError for one that is damaged.
    """
    module = _module()
    try:
        if _HAS_OWN:
            limits = {module.DecompressionParameter.window_log_max: _WINDOW_LOG}
            found = module.ZstdDecompressor(options=limits).decompress(content, size + 1)
        else:
            expander = module.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
            found = expander.stream_reader(content).read(size + 1)
    except (module.ZstdError, MemoryError) as error:
        raise RecordingError(f"a block cannot be expanded ({error})") from None
    return cast("bytes", found)
