# SPDX-License-Identifier: Apache-2.0
"""Tells which pairs of {agent} × {JDK} a run has, and which are left to `make matrix`.

A run that names versions (JVMDEBUG_TEST_VERSIONS) has every pair of them; `make matrix` names one
version after the other. A run that names none, as in CI, leaves out by the mark `slow`:

- the stock agent on all JDKs but the newest: it is here to be compared with;
- what `ON_ONE_PAIR` lists, with the reason, on all pairs but our agent with the newest JDK;
- what `CROSSWISE` lists on all pairs but two: our agent with the newest JDK, and, of a fifth of the
  tests, chosen by their names, the stock agent with the oldest. What an agent does on a JDK is
  tested below;
- what `ON_OLDEST` lists, with the reason, on all JDKs but the oldest;
- what `IN_MATRIX` lists, with the reason, on all pairs;
- what `ONE_SET` lists, with the reason, with all sets of parameters but the first, in each run
  but those of `make matrix` and `make asan` (JVMDEBUG_TEST_SETS=all);
- two thirds of the conversations about wrong fields (tests/conformance/differential), and all but
  a tenth on all JDKs but the newest: the checks of the agent that they reach are the same.

Called by the conftests that spread tests over the matrix.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final
from zlib import crc32

import pytest

from tests.support.jdks import REPOSITORY, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

ON_ONE_PAIR: Final = {
    "tests/e2e/evaluate": "expressions are parsed, bound and run above the wire; what they ask of "
    "an agent is tested on each pair in tests/conformance and tests/e2e/core",
    "tests/e2e/api": "the synchronous API, the pytest plugin and recipes call the session, which "
    "tests/e2e/script has on each pair",
    "tests/e2e/cli": "the prompt calls the session, which tests/e2e/script has on each pair",
    "tests/e2e/libraries": "they bring classes and sources of others, which the "
    "core reads; each test starts a large program",
    "tests/e2e/testing": "the runner of tests is a program as any other, above the wire",
    "tests/scale": "they count commands and memory, which grow alike on each pair",
    "tests/stress": "`make stress` plays for longer, on every JDK",
    "tests/unit/javac": "the compiler is a process beside the program",
    "tests/unit/launch": "commands and processes are made alike for every JDK",
    "tests/unit/projects": "builds and their compilers are beside the program",
}
"""Folder → why one pair says as much as all."""
CROSSWISE: Final = {
    "tests/e2e/core",
    "tests/e2e/dap",
    "tests/e2e/dropin",
    "tests/e2e/edge_cases",
    "tests/e2e/script",
    "tests/e2e/sources",
    # The agent reads tokens before it knows anything of the VM.
    "tests/conformance/jdwp/test_tokens.py",
    # They stop and interrupt methods that run for the debugger, which is up to agent and JDK.
    "tests/e2e/evaluate/test_safety.py",
    "tests/e2e/evaluate/test_threads.py",
}
"""Folders and files of front ends and the core; tests/conformance has the wire on more pairs."""
IN_MATRIX: Final = {
    "tests/conformance/jdwp/test_suspension.py::test_resume_of_one_while_all_are_suspended": "it "
    "waits for seconds; the others of the file resume one thread as well",
    "tests/e2e/attributes/test_web_controller.py::test_breakpoints_in_controllers": "the other "
    "test of the file has the same application, attached to",
    "tests/e2e/dap/test_inline_frames.py::test_pages_of_a_stack_with_inlined_frames": "pages are "
    "those of tests/e2e/dap/test_under_load.py, inlined frames those of "
    "tests/e2e/sources/test_kotlin.py",
    "tests/e2e/dap/test_restart_of_changed_source.py::"
    "test_what_is_mended_after_a_refused_restart_is_replaced": "the rest of the file has a restart "
    "that is refused, and one that replaces",
    "tests/e2e/evaluate/test_compiled_checks.py::test_compiled_expressions_have_the_values_of_javac"
    "": "tests/e2e/evaluate/test_compiled.py has the same code, beside Java's values",
    "tests/e2e/script/test_all_methods_change.py::test_a_watch_in_a_class_that_has_conditions": ""
    "the rest of the file changes all methods of a class in other ways",
    "tests/stress/test_sampling.py::test_sampling_for_four_seconds": "`make stress` samples for "
    "minutes, and tests/e2e/profiling reads the stacks of every kind of thread",
    "tests/e2e/script/test_source_languages.py::test_steps_stay_in_the_users_code_in_clojure": ""
    "the start of Clojure takes seconds; tests/unit has the names of its runtime",
    "tests/e2e/script/test_counted_hits.py::test_hits_of_several_locations_are_counted_together": ""
    "the hits of one location, by many threads, are counted in the rest of the file",
    "tests/e2e/script/test_frames_of_hot_loops.py::"
    "test_a_breakpoint_in_a_loop_is_hit_whatever_has_come_and_gone": "`make stress` changes code "
    "around hot loops too, and this one alone takes as long as a hundred others",
    "tests/e2e/script/test_probes_leave_together.py::test_changes_do_not_grow_with_the_classes": ""
    "tests/e2e/script/test_probes_together.py counts the changes of the way in",
    "tests/e2e/testing/test_selectors.py::test_tests_that_have_the_same_method_and_number_run_alone"
    "": "the ids that tell them apart are those of "
    "test_failed_runs_exactly_what_failed_and_remembers_what_it_did_not_run",
    "tests/e2e/testing/test_selectors.py::test_the_instances_of_a_factory_have_names_and_run_alone"
    "": "TestNG's selectors are those of the tests that depend on each other, in the same file",
    "tests/e2e/testing/test_selectors.py::"
    "test_a_method_of_testng_runs_with_what_it_needs_in_another_class": "what depends on "
    "what is read in tests/unit/projects; it starts builds",
    "tests/e2e/testing/test_selectors.py::"
    "test_tests_that_a_program_did_not_reach_stay_remembered": "the other test of what is "
    "remembered, in the same file, runs the same builds",
    "tests/e2e/testing/test_selectors.py::test_a_method_of_testng_runs_with_what_it_depends_on": ""
    "tests/unit/projects has what is asked of TestNG; it starts three builds",
    "tests/e2e/testing/test_inherited.py::test_the_exit_code_tells_a_class_that_is_left_out": ""
    "the other test of the file runs the same builds",
    "tests/e2e/testing/test_groups.py::test_groups_of_the_build": "tests/unit has what a build "
    "says of groups, and test_frameworks.py runs tests of each framework",
    "tests/e2e/script/test_source_languages.py::test_two_files_of_one_name_in_clojure": "the start "
    "of Clojure takes seconds; tests/unit/sources/test_paths.py has such files",
    "tests/e2e/script/test_swaps_that_leave_methods.py::"
    "test_a_breakpoint_after_swaps_leaves_values_right": "tests/e2e/script/"
    "test_all_methods_change.py has the same defects of the VM, one by one",
}
"""Test → why another one tells enough between two runs of `make matrix`. They are the slowest."""
ONE_SET: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "the sets are JDKs, agents and modes, and other tests of the same subject have each of them": {
        "tests/conformance/jdwp/test_end_of_vm.py": ("test_a_debugger_that_does_not_read",),
        "tests/conformance/jdwp/test_method_exits.py": (
            "test_each_method_of_all_classes_that_is_entered_returns",
        ),
        "tests/conformance/jdwp/test_step_exits.py": (
            "test_exits_in_virtual_threads",
            "test_rare_exits",
        ),
        "tests/conformance/jdwp/test_throws.py": (
            "test_an_exception_that_is_caught_costs_little_while_uncaught_ones_are_wanted",
            "test_requests_come_and_go_while_threads_throw",
            "test_the_code_that_throws_what_it_is_given_is_shown_as_it_was",
            "test_the_full_mode_reports_what_the_jdk_s_own_agent_does",
            "test_what_differs_from_the_full_mode_is_documented",
        ),
        "tests/e2e/attributes/test_kept_attributes.py": ("test_a_program_that_is_attached_to",),
        "tests/e2e/heap/test_live.py": ("test_visualvm_reads_our_dump",),
        "tests/e2e/heap/test_live_objects.py": ("test_objects_are_chosen_by_a_condition",),
        "tests/e2e/jvmti/test_each_event.py": ("test_each_other_event_arrives",),
        "tests/e2e/profiling/test_beginnings.py": (
            "test_every_object_of_a_thread_that_begins",
            "test_the_clock_of_waits_starts_when_they_are_observed",
            "test_the_command_says_what_is_missing",
        ),
        "tests/e2e/profiling/test_profile.py": (
            "test_a_planted_hot_spot_is_on_top",
            "test_signals_read_stacks_wherever_threads_are",
        ),
    },
    "the sets are seeds and orders of the same random play": {
        "tests/conformance/jdwp/test_method_exits.py": (
            "test_both_modes_report_the_same_returns",
            "test_both_modes_report_the_same_returns_but_of_libraries",
        ),
        "tests/conformance/jdwp/test_step_sequences.py": ("test_ends_are_the_same",),
        "tests/stress/test_stress.py": ("test_random_sessions_for_four_seconds",),
    },
    "the sets differ in what comes before, and not in what is compared": {
        "tests/e2e/evaluate/test_differential.py": (
            "test_every_construct_in_every_kind_of_place",
            "test_expressions_have_the_values_that_javac_gives_them",
            "test_names_inference_identity_and_enclosing_classes_as_javac_has_them",
            "test_statements_switches_and_patterns_do_what_javac_compiles",
            "test_typical_texts_have_the_values_of_javac",
        ),
        "tests/e2e/evaluate/test_nested_jar.py": (
            "test_classes_come_from_the_loaders_of_the_program",
        ),
        "tests/e2e/evaluate/test_reading.py": ("test_what_can_be_read_has_the_value_of_javac",),
        "tests/e2e/evaluate/test_virtual_waits.py": (
            "test_the_program_goes_on_after_an_evaluation_that_was_given_up",
        ),
        "tests/e2e/script/test_all_methods_change.py": (
            "test_conditions_in_all_methods_of_a_class",
            "test_hot_swaps_leave_frames_their_code",
        ),
        "tests/e2e/script/test_swaps_that_leave_methods.py": (
            "test_no_swap_leaves_the_only_method_of_a_class_alone",
        ),
        "tests/e2e/script/test_given_up_conditions.py": (
            "test_a_condition_stops",
            "test_frames_are_there_when_the_method_has_returned",
        ),
        "tests/e2e/script/test_lambda_counts.py": (
            "test_hits_are_counted_exactly_by_many_threads",
        ),
        "tests/e2e/script/test_log_lines.py": (
            "test_the_program_writes_what_the_debugger_would_write",
        ),
        "tests/e2e/script/test_one_pass.py": ("test_the_third_hit_is_the_third_pass",),
        "tests/e2e/script/test_restart.py": ("test_a_changed_source_file_is_compiled_again",),
        "tests/unit/breakpoints/test_arming.py": ("test_each_class_of_a_pattern_costs_the_same",),
        "tests/unit/projects/test_plain.py": (
            "test_a_runtime_without_a_compiler_gets_classes_of_its_release",
        ),
    },
    "the sets are versions of a language, of a library or of a collector": {
        "tests/e2e/heap/test_dump_files.py": ("test_dumps_of_jcmd_are_whole_and_cut_ones_are_not",),
        "tests/e2e/libraries/test_libraries.py": (
            "test_steps_pass_the_classes_that_guice_generates",
        ),
        "tests/e2e/profiling/test_profile.py": (
            "test_classes_are_unloaded_and_objects_moved_meanwhile",
        ),
        "tests/e2e/script/test_other_languages.py": (
            "test_a_step_into_goes_to_the_body_of_a_closure_in_scala",
            "test_breakpoints_by_path_in_nested_packages_of_scala",
        ),
        "tests/unit/projects/test_kotlin_dsl.py": ("test_it_is_found_asked_once_and_compiled",),
    },
}
"""Why one set of parameters says most of what all say → file → tests. Each set takes seconds of
processor time.
"""
ON_OLDEST: Final = {
    "tests/e2e/attributes/test_web_controller.py": "a VM from JDK 20 on keeps what the test is "
    "about by itself; each test starts a large program",
}
"""File → why only the oldest JDK tells something."""


def is_whole() -> bool:
    """Whether this run has every pair of the versions that it names."""
    return "JVMDEBUG_TEST_VERSIONS" in os.environ


def has_all_sets() -> bool:
    """Whether this run has all sets of parameters of each test."""
    return os.environ.get("JVMDEBUG_TEST_SETS") == "all"


def is_newest(jdk: Jdk) -> bool:
    """Whether it is the newest JDK of this run."""
    return jdk.version == max(each.version for each in jdks_to_test())


def _is_oldest(jdk: Jdk) -> bool:
    return jdk.version == min(each.version for each in jdks_to_test())


def marks_of(
    kind: AgentInVm | None, jdk: Jdk | None = None, *, file: Path | None = None, test: str = ""
) -> Sequence[pytest.MarkDecorator]:
    """The marks of a test in that file with this agent (None: it names none), on this JDK.

    `test` is the name of its function.
    """
    marks = (pytest.mark.agent,) if kind not in {"stock", None} else ()
    return (*marks, pytest.mark.slow) if _is_left_out(kind, jdk, file, test) else marks


def other_sets(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """What this run leaves out of the tests in `ONE_SET`: all sets of parameters but the first
    that is on a pair of this run.
    """
    if has_all_sets():
        return []
    listed = {
        f"{file}::{name}"
        for files in ONE_SET.values()
        for file, names in files.items()
        for name in names
    }
    seen: set[str] = set()
    others: list[pytest.Item] = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test not in listed or item.get_closest_marker("slow"):
            continue
        if test in seen:
            others.append(item)
        seen.add(test)
    return others


def _is_left_out(kind: AgentInVm | None, jdk: Jdk | None, file: Path | None, test: str) -> bool:
    if is_whole():
        return False
    name = "" if file is None else file.relative_to(REPOSITORY).as_posix()
    return f"{name}::{test}" in IN_MATRIX or _is_other_pair(kind, jdk, name, test)


def _is_other_pair(kind: AgentInVm | None, jdk: Jdk | None, name: str, test: str) -> bool:
    is_other_jdk = jdk is not None and not is_newest(jdk)
    folder = name.rpartition("/")[0]
    if name in CROSSWISE or folder in CROSSWISE:
        if kind == "stock" and jdk is not None:
            return not (_is_oldest(jdk) and crc32(test.encode()) % 5 == 0)
        return is_other_jdk
    if name in ON_OLDEST:
        return jdk is not None and not _is_oldest(jdk)
    if folder in ON_ONE_PAIR:
        return is_other_jdk or kind == "stock"
    return is_other_jdk and kind == "stock"
