# SPDX-License-Identifier: Apache-2.0
"""Reading the changelog, and the mistakes that it may have."""

from __future__ import annotations

from tools.changelog import mistakes, release_of, releases

TEXT = """# Changelog

## [Unreleased]

## [0.2.0] - 2030-02-28

### Fixed

- Two.

## [0.1.0] - 2030-01-31

### Added

- One.

[Unreleased]: https://example.com/compare/v0.2.0...HEAD
[0.2.0]: https://example.com/compare/v0.1.0...v0.2.0
[0.1.0]: https://example.com/releases/tag/v0.1.0
"""


def test_each_release_has_its_date_and_its_notes() -> None:
    assert [(each.version, each.date) for each in releases(TEXT)] == [
        ("Unreleased", None),
        ("0.2.0", "2030-02-28"),
        ("0.1.0", "2030-01-31"),
    ]
    oldest = release_of(TEXT, "0.1.0")
    assert oldest is not None
    assert oldest.notes == "### Added\n\n- One."
    assert [each.has_entries for each in releases(TEXT)] == [False, True, True]


def test_a_text_in_the_right_shape_has_no_mistakes() -> None:
    assert mistakes(TEXT) == []


def test_mistakes_are_named() -> None:
    wrong = TEXT.replace(" - 2030-02-28", "").replace("### Added", "### News")
    wrong = wrong.replace("[0.1.0]: https", "[0.1]: https")
    assert mistakes(wrong) == [
        "[0.2.0] needs a date, as in `## [1.0.0] - 2030-01-31`",
        "[0.1.0]: no such group: News",
        "[0.1.0] has no link at the end of the file",
    ]
    assert mistakes("# Changelog\n") == ["the first section should be [Unreleased]"]
