# SPDX-License-Identifier: Apache-2.0
"""What a java command line runs: the class, module or jar among its options.

Pure: words in, a name out. Called by `local_jvms`, for VMs that keep no file about themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_WITH_VALUE: Final = frozenset(
    {
        *("-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path"),
        *("--add-modules", "--add-exports", "--add-opens", "--add-reads", "--patch-module"),
        *("--limit-modules", "--enable-native-access", "--describe-module", "-d", "--source"),
    }
)
_NAMES: Final = frozenset({"-jar", "-m", "--module"})


def program_of(words: Sequence[str]) -> str | None:
    """`shop.Main`, `app.jar`, `m/shop.Main` of the words behind `java`; None if none is there."""
    skipped = False
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if skipped:
            skipped = False
        elif word in _NAMES:
            return following or None
        elif word.startswith("--module="):
            return word.partition("=")[2]
        elif word in _WITH_VALUE:
            skipped = True
        elif not word.startswith(("-", "@")):
            return word
    return None
