# SPDX-License-Identifier: Apache-2.0
"""Runs tests of a project one source set after the other, or opens the prompt on some.

Called by `subcommands.test`, which imports it when it is needed. What is shown is `test_report`'s.
"""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import jvmdebug
from jvmdebug_cli import prompt, terminal, test_coverage, test_recording
from jvmdebug_cli.exit_codes import DONE, FAILED, WrongUsageError
from jvmdebug_cli.options import initial_commands
from jvmdebug_cli.project_choice import BuildProgress
from jvmdebug_cli.subcommands import coverage
from jvmdebug_cli.subcommands.asking import printers
from jvmdebug_cli.test_report import TestReport

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.test_coverage import TestCoverage
    from jvmdebug_cli.test_recording import TestRecording

    Groups: TypeAlias = tuple[jvmdebug.projects.TestGroup, ...]

_MOST_NAMED: Final = 5


def run(parsed: argparse.Namespace) -> int:
    """Run the tests that the command line names; the exit code."""
    if parsed.debug and parsed.json:
        raise WrongUsageError("--json is for running tests: it does not go with --debug")
    if not parsed.debug and (parsed.command or parsed.commands or parsed.batch):
        raise WrongUsageError("--command, --commands and --batch go with --debug")
    if sum(map(bool, (parsed.failed, parsed.tests, parsed.covering))) > 1:
        raise WrongUsageError(
            "name tests, or take those that failed, or those that ran a line: one of these"
        )
    if parsed.record:
        test_recording.check(parsed)
    elif not test_coverage.is_wanted(parsed) and (parsed.output or parsed.format):
        raise WrongUsageError("-o is for --coverage and --record, --format for --coverage")
    else:
        coverage.check_output(parsed)
    progress = BuildProgress()
    try:
        with jvmdebug.projects.find(parsed.project, java=parsed.java) as project:
            work = jvmdebug.projects.Work(progress.say)
            if parsed.failed:
                groups = _failed(parsed, project, work)
                if not groups:
                    progress.clear()
                    printers(parsed)[1].write("no test of this project failed the last time")
                    return DONE
            else:
                if parsed.covering:
                    parsed.tests = test_coverage.tests_covering(project, parsed.covering)
                chosen = jvmdebug.projects.choose_tests(
                    project, parsed.tests or ["*"], work, how=parsed.build
                )
                groups = chosen.groups
                progress.clear()
                _say_left_out(parsed, chosen)
            progress.clear()
            if parsed.debug:
                return _debugged(parsed, groups, progress)
            return _run_all(parsed, project, groups, progress)
    finally:
        progress.clear()


def _failed(
    parsed: argparse.Namespace, project: jvmdebug.projects.Project, work: jvmdebug.projects.Work
) -> Groups:
    """The tests that failed when they last ran. Names and forgets those that are gone."""
    before = project.failed_tests()
    sets: dict[str, jvmdebug.projects.SourceSet] = {}
    for each in before:
        if source_set := _set_of(each, parsed, project, work):
            sets[source_set.title] = source_set
    for source_set in sets.values():  # class files of sources that are gone go, too
        project.compile(source_set, how=parsed.build, work=work)
    there = [each for each in before if _set_of(each, parsed, project, work)]
    for each in before:
        if each not in there:
            printers(parsed)[1].write(f"{each} is no longer there")
    if there != before:
        project.remember_failed(there)
    return jvmdebug.projects.choose_tests(project, there, work, how=parsed.build).groups


def _say_left_out(parsed: argparse.Namespace, chosen: jvmdebug.projects.ChosenTests) -> None:
    if chosen.left_out:
        names = ", ".join(chosen.left_out[:_MOST_NAMED])
        more = ", …" if len(chosen.left_out) > _MOST_NAMED else ""
        printers(parsed)[1].write(
            f"left out, as the build does not run them with its tests: {names}{more}"
            " (name one to run it)"
        )


def _set_of(
    selector: str,
    parsed: argparse.Namespace,
    project: jvmdebug.projects.Project,
    work: jvmdebug.projects.Work,
) -> jvmdebug.projects.SourceSet | None:
    """The source set of a test; None if its class is not there."""
    try:
        chosen = jvmdebug.projects.choose_tests(project, [selector], work, how=parsed.build)
    except jvmdebug.projects.BuildError:
        raise
    except jvmdebug.projects.ProjectError:
        return None
    return chosen.groups[0].source_set


def _launch(
    parsed: argparse.Namespace, selectors: Sequence[str], progress: BuildProgress
) -> Opening:
    opening = jvmdebug.launch(
        project=parsed.project,
        tests=selectors,
        build=parsed.build,
        vm_args=parsed.vm_arg,
        java=parsed.java,
        cwd=parsed.cwd,
        timeout_s=parsed.timeout,
        stdin="pipe" if parsed.debug and terminal.is_interactive() else "null",
        on_progress=progress.say,
    )
    return progress.around(opening)


def _debugged(parsed: argparse.Namespace, groups: Groups, progress: BuildProgress) -> int:
    if len(groups) > 1:
        titles = ", ".join(each.title for each in groups)
        raise jvmdebug.LaunchError(
            f"these tests are in several modules ({titles}), and one program is debugged at a time:"
            " name tests of one, or the folder of one as the project"
        )
    opening = _launch(parsed, groups[0].selectors, progress)
    return prompt.run(opening, initial_commands(parsed), batch=parsed.batch)


def _run_all(
    parsed: argparse.Namespace,
    project: jvmdebug.projects.Project,
    groups: Groups,
    progress: BuildProgress,
) -> int:
    out, beside = printers(parsed)
    report = TestReport(out, is_json=parsed.json)
    recorder: TestCoverage | TestRecording | None = test_coverage.recorder_of(parsed, groups)
    if parsed.record:
        recorder = test_recording.TestRecording(parsed)
    whole: set[str] = set()
    complete = 0
    try:
        for group in groups:
            if len(groups) > 1 and not parsed.json:
                out.write(f"{group.title}:")
            output = beside if parsed.json else out
            is_group_complete = True
            for selectors in _programs(group):
                asyncio.run(_run(_launch(parsed, selectors, progress), report, output, recorder))
                if report.is_complete:
                    whole.update(selectors)
                else:
                    is_group_complete = False
                    where = f" in {report.running}" if report.running else ""
                    beside.write(f"jvmdebug: the program ended before all tests were run{where}")
            complete += is_group_complete
    finally:
        is_complete = complete == len(groups)
        are_all = is_complete and not parsed.failed and parsed.tests in ([], ["*"])
        is_all_of_project = are_all and project.focus == project.root
        before = [] if is_all_of_project else project.failed_tests()
        project.remember_failed(report.to_run_again(before, whole))
    if not parsed.json:
        out.write(report.summary)
        if report.failed:
            words = ["jvmdebug", "test", "--failed", "--debug"]
            if Path(parsed.project) != Path():
                words += ["--project", parsed.project]
            out.write(f"to debug what failed: {shlex.join(words)}")
    code = DONE if is_complete and report.has_passed else FAILED
    return code if recorder is None else recorder.report(project, out, beside, code)


def _programs(group: jvmdebug.projects.TestGroup) -> list[Sequence[str]]:
    """The tests of each JVM: all in one, unless the build starts one for each class."""
    if group.settings is None or not group.settings.is_forked_each:
        return [group.selectors]
    by_class: dict[str, list[str]] = {}
    for each in group.selectors:
        by_class.setdefault(jvmdebug.projects.class_of(each), []).append(each)
    return list(by_class.values())


async def _run(
    opening: Opening,
    report: TestReport,
    output: Printer,
    recorder: TestCoverage | TestRecording | None,
) -> None:
    def show(event: jvmdebug.SessionEvent) -> None:
        match event:
            case jvmdebug.projects.TestEvent():
                report.take(event)
            case jvmdebug.Output(text=text):
                output.write_output(text)
            case _:
                pass

    async with opening as session:
        unsubscribe = session.subscribe(show)
        try:
            if recorder is None:
                await session.start()
                await session.wait()
            else:
                await recorder.record(session)
        finally:
            unsubscribe()
