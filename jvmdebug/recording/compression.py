# SPDX-License-Identifier: Apache-2.0
"""Zstandard, by Python's own module where it has one (3.14), else by the package `zstandard`."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final, cast

from jvmdebug.recording.errors import RecordingError

_LEVEL: Final = 3
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
    """What one frame holds. RecordingError unless these are `size` bytes."""
    module = _module()
    try:
        if _HAS_OWN:
            found = module.ZstdDecompressor().decompress(content, size)
        else:
            found = module.ZstdDecompressor().decompress(content, max_output_size=size)
    except (module.ZstdError, MemoryError) as error:
        raise RecordingError(f"a block cannot be expanded ({error})") from None
    if len(found) != size:
        raise RecordingError(f"a block has {len(found)} bytes where its head says {size}")
    return cast("bytes", found)
