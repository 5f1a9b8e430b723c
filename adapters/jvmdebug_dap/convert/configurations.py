# SPDX-License-Identifier: Apache-2.0
"""Converts launch and attach attributes to arguments of `jvmdebug.launch` and `attach`.

Also names the attributes that have no effect, so that a launch.json of another debugger is not
silently obeyed in part.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jvmdebug
from jvmdebug.platform import paths
from jvmdebug_dap.convert.env_files import variables_of
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.launch import AttachArguments, LaunchArguments

if TYPE_CHECKING:
    from jvmdebug import SessionSettings
    from jvmdebug_dap.models.launch import (
        Configuration,
        StepFilterAttributes,
        ValueAttributes,
    )
    from jvmdebug_dap.session import AdapterSession

_OF_PROJECT: Final = frozenset({"$Auto", "$Runtime", "$Test"})
"""In java-debug's paths: those of the project; `jvmdebug.launch` knows them."""


def words(text: str | list[str], attribute: str) -> list[str]:
    """A command line as a list; a string is split as by a shell. Raises RequestError."""
    if isinstance(text, list):
        return text
    try:
        return paths.words(text)
    except ValueError as error:
        shown = f"arguments.{attribute}: {error} in {text!r}"
        raise RequestError(ErrorId.ILL_FORMED, shown, show_user=True) from error


def launch_options(asked: LaunchArguments) -> dict[str, Any]:
    """Keyword arguments of `jvmdebug.launch`."""
    main = main_program(asked)
    # Relative paths are relative to the program's directory, as for the VM itself.
    base = Path(asked.cwd) if asked.cwd else Path.cwd()
    if "program" in main:
        main["program"] = str(base / main["program"])
    return {
        **main,
        "class_path": paths_of_program(asked.class_paths, base),
        "module_path": paths_of_program(asked.module_paths, base),
        "args": words(asked.args, "args"),
        "vm_args": words(asked.vm_args, "vmArgs"),
        "cwd": asked.cwd or None,
        "env": environment(asked, base),
        "shorten": asked.shorten_command_line.replace("jarmanifest", "argfile"),
        "java": asked.java_exec or None,
        "source_path": [base / each for each in usable_paths(asked.source_paths)],
        "agent": asked.agent,
        "mode": asked.mode,
        "probes": asked.probes,
        "virtual_threads": asked.virtual_threads,
        "project": project_of(asked, base),
        "build": asked.build,
        "tests": asked.test,
        "stop_on_entry": asked.stop_on_entry and not asked.no_debug,
        "encoding": asked.encoding,
        "launcher": [asked.launcher_script] if asked.launcher_script else [],
    }


def paths_of_program(paths: list[str], base: Path) -> list[str | Path]:
    """Directories and jars, and java-debug's words that `jvmdebug.launch` takes as well."""
    return [each if each.startswith(("$", "!")) else base / each for each in words_known(paths)]


def words_known(paths: list[str]) -> list[str]:
    """The words without variables that are not known."""
    return [each for each in paths if each in _OF_PROJECT or not each.startswith("$")]


def environment(asked: LaunchArguments, base: Path) -> dict[str, str | None]:
    """The variables of `env`, before those of the files that `envFile` names."""
    files = [asked.env_file] if isinstance(asked.env_file, str) else asked.env_file
    found: dict[str, str | None] = {}
    for each in files:
        found |= variables_of(base / each)
    return found | asked.env


def main_program(asked: LaunchArguments) -> dict[str, str]:
    """What to run: java-debug's mainClass may also be a `.java` file or `module/class`.

    Beside a `.java` or `.kt` program, mainClass is one of the classes in it.
    """
    if asked.main_class and (asked.program or "").endswith((".java", ".kt")):
        return {"program": asked.program or "", "main_class": asked.main_class}
    if (asked.project or asked.test) and not asked.main_class and not asked.program:
        return {}
    if bool(asked.main_class) == bool(asked.program):
        text = (
            "arguments: give either `mainClass` (a class) or `program` (a .java, .kt or .jar file),"
            " or neither beside `project`"
        )
        raise RequestError(ErrorId.ILL_FORMED, text, show_user=True)
    if asked.program:
        return {"program": asked.program}
    main = asked.main_class or ""
    if main.endswith((".java", ".jar", ".kt")):
        return {"program": main}
    return {"module" if "/" in main else "main_class": main}


def attach_options(asked: AttachArguments) -> dict[str, Any]:
    """Keyword arguments of `jvmdebug.attach`. RequestError for a `processId` that is none."""
    where: dict[str, Any] = {"host": asked.host_name, "port": int(asked.port)}
    if asked.process_id is not None:
        where = {"pid": process_id(str(asked.process_id))}
    for name in ("container", "pod", "main_class", "debug_image"):
        if (value := getattr(asked, name)) is not None:
            where[name] = value
    if asked.source_map:
        where["source_map"] = asked.source_map
    return {
        **where,
        "class_path": [each for each in usable_paths(asked.class_paths) if Path(each).exists()],
        "source_path": usable_paths(asked.source_paths),
        "timeout_s": asked.timeout / 1000,
        "take_over": asked.take_over,
        "token_file": asked.token_file,
        "fingerprint": asked.fingerprint,
        "on_disconnect": asked.on_disconnect,
        "reconnect_s": asked.reconnect,
        "read_only": asked.read_only,
    }


def process_id(text: str) -> int:
    """A `processId`, which an editor may give as a text."""
    if not (text.isascii() and text.isdecimal()):
        wrong = f"arguments.processId: should be the number of a process, got {text!r}"
        raise RequestError(ErrorId.NOT_POSSIBLE, wrong, show_user=True)
    return int(text)


def project_of(asked: LaunchArguments, base: Path) -> str | None:
    """The project that is named, or needed: for tests, and for the file of a program with
    java-debug's `$Auto` in a path.
    """
    if asked.project or asked.test:
        return str(base / (asked.project or "."))
    if not _OF_PROJECT.intersection([*asked.class_paths, *asked.module_paths]):
        return None
    file = asked.program or asked.main_class or ""
    return str(base / file) if file.endswith((".java", ".kt")) else None


def has_project(asked: LaunchArguments) -> bool:
    """Whether what runs has a project by now: it is named, or that of the file, or not needed."""
    paths = [*asked.class_paths, *asked.module_paths]
    has_paths = any(not each.startswith(("$", "!")) for each in paths)
    is_whole = has_paths and not _OF_PROJECT.intersection(paths)
    named = asked.program or asked.main_class or ""
    return bool(asked.project) or is_whole or named.endswith((".java", ".kt", ".jar"))


def in_project(asked: Configuration, folder: Path) -> Configuration:
    """The same with the folder that `projectName` names: as the project, and as the first place for
    sources.
    """
    changes: dict[str, Any] = {"source_paths": [str(folder), *asked.source_paths]}
    if isinstance(asked, LaunchArguments) and not has_project(asked):
        changes["project"] = str(folder)
    return asked.model_copy(update=changes)


def named_folder(asked: Configuration) -> Path | None:
    """The folder of `projectName`, below the directory of the program, or where its sources are;
    None if nothing is called so.
    """
    base = Path(getattr(asked, "cwd", None) or ".")
    places = [base, *(base / each for each in usable_paths(asked.source_paths))]
    for each in places:
        found = jvmdebug.projects.folder_called(asked.project_name or "", each)
        if found is not None:
            return found
    return None


def usable_paths(paths: list[str]) -> list[str]:
    """The paths without words that begin with `$` or `!`."""
    return [path for path in paths if not path.startswith(("$", "!"))]


def step_filters(asked: StepFilterAttributes) -> jvmdebug.StepFilters:
    standard = jvmdebug.StepFilters()
    skipped = asked.class_name_filters if asked.skip_classes is None else asked.skip_classes
    if skipped is not None:
        known = ("$JDK", "$Libraries")
        skipped = [each for each in skipped if not each.startswith("$") or each in known]
    return jvmdebug.StepFilters(
        skip_classes=standard.skip_classes if skipped is None else tuple(skipped),
        skip_synthetic=chosen(asked.skip_synthetics, standard.skip_synthetic),
        skip_static_initializers=chosen(
            asked.skip_static_initializers, standard.skip_static_initializers
        ),
        skip_constructors=chosen(asked.skip_constructors, standard.skip_constructors),
        allow_classes=tuple(asked.allow_classes),
    )


def apply_filters(session: AdapterSession) -> None:
    """Set the filters of the configuration, as they were changed since."""
    configuration = session.configuration
    if configuration is None:
        return
    asked, mine = session.step_filters or configuration.step_filters, session.is_just_my_code
    filters = jvmdebug.StepFilters() if asked is None else step_filters(asked)
    if configuration.just_my_code if mine is None else mine:
        filters = just_my_code(filters)
    session.core.settings.step_filters = (
        filters if session.are_steps_filtered else jvmdebug.NO_FILTERS
    )


def just_my_code(filters: jvmdebug.StepFilters) -> jvmdebug.StepFilters:
    """Adds the JDK and libraries to those filters."""
    skipped = dict.fromkeys([*jvmdebug.JUST_MY_CODE.skip_classes, *filters.skip_classes])
    return dataclasses.replace(filters, skip_classes=tuple(skipped))


def apply_values(asked: ValueAttributes, settings: SessionSettings) -> None:
    """Set how values are shown; attributes that are not given stay as they are."""
    style = settings.style
    settings.style = dataclasses.replace(
        style,
        hex=chosen(asked.hex, style.hex),
        qualified_names=chosen(asked.qualified_names, style.qualified_names),
        max_length=style.max_length if asked.max_length is None else asked.max_length,
    )
    if isinstance(asked.to_string, bool):
        settings.to_string = "call" if asked.to_string else "join"
    elif asked.to_string is not None:
        settings.to_string = asked.to_string


def chosen(asked: bool | None, standard: bool) -> bool:  # noqa: FBT001 - two values of one setting
    return standard if asked is None else asked


def notes(asked: Configuration) -> list[str]:
    """One line for each attribute, or part of an attribute, that has no effect."""
    lines = [f"attribute `{name}` is not used by jvmdebug" for name in asked.unknown_attributes()]
    for attribute in ("class_paths", "module_paths", "source_paths"):
        paths: list[str] = getattr(asked, attribute, [])
        is_of_program = isinstance(asked, LaunchArguments) and attribute != "source_paths"
        usable = words_known(paths) if is_of_program else usable_paths(paths)
        dropped = [path for path in paths if path not in usable]
        if dropped:
            name = attribute.replace("_p", "P")
            lines.append(f"`{name}`: {', '.join(dropped)} was left out: list directories and jars")
    if isinstance(asked, AttachArguments):
        named = usable_paths(asked.class_paths)
        if named and not any(Path(each).exists() for each in named):
            lines.append(f"`classPaths`: nothing of {', '.join(named)} exists on this machine")
    return lines
