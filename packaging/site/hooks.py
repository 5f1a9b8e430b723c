# SPDX-License-Identifier: Apache-2.0
"""What the site does to the pages of docs/, which are written to be read in the repository.

The README is the first page. A link to a file outside of docs/ becomes one to the repository; if
there is no such file, that is a warning, and warnings end the build.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

REPOSITORY = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"(\]\()([^)\s]+)(\))|(<img[^>]*\bsrc=\")([^\"]+)(\")")
_INSIDE = "docs/"
_log = logging.getLogger("mkdocs.hooks.jvmdebug")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - MkDocs has no types of its own
    """Add the README as the first page."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, **_: object) -> str:  # noqa: ANN401
    """Write links as the site needs them."""
    is_readme = page.file.src_uri == "index.md"
    here = "" if is_readme else posixpath.dirname(f"{_INSIDE}{page.file.src_uri}")

    def changed(match: re.Match[str]) -> str:
        before, link, after = match.group(1, 2, 3) if match[1] else match.group(4, 5, 6)
        return f"{before}{_target(link, here, page, config, is_readme=is_readme)}{after}"

    return _LINK.sub(changed, markdown)


def _target(link: str, here: str, page: Page, config: Any, *, is_readme: bool) -> str:  # noqa: ANN401
    path, mark, anchor = link.partition("#")
    if not path or ":" in path:
        return link
    found = posixpath.normpath(posixpath.join(here, path))
    if not (REPOSITORY / found).exists():
        _log.warning("%s: the link to %s leads to no file", page.file.src_uri, link)
        return link
    is_page = found.startswith(_INSIDE) and (REPOSITORY / found).is_file()
    if is_page:
        return f"{found.removeprefix(_INSIDE)}{mark}{anchor}" if is_readme else link
    if found == "README.md":
        return f"{posixpath.relpath('docs/index.md', here)}{mark}{anchor}"
    return f"{config.repo_url.rstrip('/')}/blob/main/{found}{mark}{anchor}"
