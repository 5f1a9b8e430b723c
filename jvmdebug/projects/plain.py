# SPDX-License-Identifier: Apache-2.0
"""Projects without a build tool: a folder (`src`, `lib/*.jar`, `bin`), a single file, a jar.

Owns the conventions by which their source sets are found. Reads names of files, runs nothing.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder
from jvmdebug.projects.detection import source_root_of
from jvmdebug.projects.layout import Layout, SourceSet
from jvmdebug.projects.modules import declared_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.projects.detection import Detected
    from jvmdebug.projects.modules import Module

_MAIN: Final = ("src/main/java", "src/main/kotlin", "src/main/groovy", "src/main/scala")
_TEST: Final = ("src/test/java", "src/test/kotlin", "test", "tests")
_OUTPUTS: Final = ("bin", "classes", "out/classes", "build/classes", "target/classes", "out")
_LIBRARIES: Final = ("lib", "libs")
_MOST_FOLDERS: Final = 2000


def plain_layout(found: Detected, release: int | None = None) -> Layout:
    """The source sets of a folder, a file or a jar. `release`: compiled for an older Java than that
    of the compiler, into folders of its own.
    """
    match found.kind:
        case "jar":
            jar = SourceSet("main", "", found.root.parent, class_path=(found.root,))
            return Layout((jar,))
        case "file":
            root = source_root_of(found.root)
            options, suffix = _for_release(release)
            output = _own_output(found.root, f"main{suffix}")
            return Layout(
                (
                    SourceSet(
                        "main",
                        "",
                        root,
                        source_folders=(root,),
                        output=output,
                        class_folders=(output,),
                        class_path=(output,),
                        compile_path=(),
                        javac_options=options,
                    ),
                )
            )
        case _:
            return _folder_layout(found.root, release)


def _folder_layout(root: Path, release: int | None) -> Layout:
    libraries = tuple(jar for name in _LIBRARIES for jar in sorted((root / name).glob("**/*.jar")))
    main = tuple(root / each for each in _MAIN if (root / each).is_dir())
    if not main:
        main = (root / "src",) if (root / "src").is_dir() else (root,)
    options, suffix = _for_release(release)
    output = None if release else _existing_output(root)
    output = output or _own_output(root, f"main{suffix}")
    resources = _folders(root, ("src/main/resources", "resources"))
    # Without a folder of their own, resources are beside the sources.
    beside = () if resources else main
    sets = [
        SourceSet(
            "main",
            "",
            root,
            source_folders=main,
            resource_folders=resources,
            output=output,
            class_folders=(output,),
            class_path=(output, *resources, *beside, *libraries),
            compile_path=libraries,
            javac_options=options,
            module_name=name_of(declared_in(main)),
        )
    ]
    tests = tuple(each for each in _folders(root, _TEST) if each not in main)
    if tests:
        test_output = _own_output(root, f"test{suffix}")
        test_resources = _folders(root, ("src/test/resources",))
        sets.append(
            SourceSet(
                "test",
                "",
                root,
                is_test=True,
                source_folders=tests,
                resource_folders=test_resources,
                output=test_output,
                class_folders=(test_output,),
                class_path=(test_output, *test_resources, *sets[0].class_path),
                compile_path=(output, *libraries),
                javac_options=options,
            )
        )
    return Layout(tuple(sets))


def _for_release(release: int | None) -> tuple[tuple[str, ...], str]:
    """Options of javac, and what the names of its outputs end with."""
    return ((), "") if release is None else (("--release", str(release)), f"-{release}")


def name_of(module: Module | None) -> str | None:
    return None if module is None else module.name


def _folders(root: Path, names: Sequence[str]) -> tuple[Path, ...]:
    return tuple(root / each for each in names if (root / each).is_dir())


def _existing_output(root: Path) -> Path | None:
    """The folder where classes are already: the user or an editor compiles into it."""
    for name in _OUTPUTS:
        if _has_classes(root / name):
            return root / name
    return None


def _has_classes(folder: Path) -> bool:
    for number, (_, _, files) in enumerate(os.walk(folder)):
        if any(each.endswith(".class") for each in files):
            return True
        if number > _MOST_FOLDERS:
            break
    return False


def _own_output(root: Path, name: str) -> Path:
    """A folder for the classes of a project that has none, kept from start to start."""
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    return cache_folder() / "classes" / f"{root.stem}-{digest}" / name
