# SPDX-License-Identifier: Apache-2.0
"""The locale of started programs when a name is not ASCII."""

from __future__ import annotations

import pytest

from jvmdebug.names_of_files import environment_for


@pytest.mark.parametrize(
    "given", [{}, {"LANG": "C"}, {"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, {"LC_CTYPE": "C"}]
)
def test_a_locale_that_cannot_write_the_name_is_replaced(given: dict[str, str]) -> None:
    assert environment_for(given, ["java", "/w/größe"]) == given | {"LC_ALL": "C.UTF-8"}
    assert environment_for(given, ["java", "/w/size"]) == given


@pytest.mark.parametrize("given", [{"LANG": "de_DE.UTF-8"}, {"LC_ALL": "ja_JP.eucJP"}])
def test_any_other_locale_stays(given: dict[str, str]) -> None:
    assert environment_for(given, ["/w/größe"]) == given
