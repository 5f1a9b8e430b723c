# SPDX-License-Identifier: Apache-2.0
"""What a guest may call that may only look: each method of the API is in one of two lists."""

from __future__ import annotations

import importlib
import inspect

import pytest

from jvmdebug.errors import ReadOnlyError
from jvmdebug.joining.roles import LOOKS, NEVER, require_allowed, require_settable
from jvmdebug.sync.generated.members import MEMBERS

_ACTS = """
__aenter__ __aexit__ add add_module_exports add_module_opens add_module_provides add_module_reads
add_module_uses add_to_bootstrap_class_loader_search add_to_system_class_loader_search allocations
arm assign break_at break_on_allocation break_on_exception call changed close close_by collect
collected command contention copy count count_jni_calls coverage create_string describe_agent detach
disable disable_collection dispose dump enable enable_collection end events exceptions exit fail
forbid_changes force_early_return force_return forget forget_members forget_types frame_ids_changed
gc_events go_to go_to_failure go_to_line in_copy initialize interrupt invalidate
invalidate_suspended_state invoke jump_to keep kill look_back lose mark new_instance next on_object
on_type open pop pop_frame profile profile_allocations profile_locks record redefine
redefine_classes redirect_native refresh region_values release remember remove renew replace
replace_sources replaced report_virtual_threads require require_of_agent restart restart_frame
restore_native resume retransform reverse_continue run run_to sample session sessions set set_again
set_condition set_hit_condition set_log_message set_native_method_prefix set_native_method_prefixes
set_options set_static_value set_system_property set_tag set_value set_verbose_flag start step_back
step_into step_out step_over steps_of stop stop_at_uncaught stop_counting_jni_calls stops suspend
suspend_by_default tag_instances tagged take take_test telling_its_end terminate throw throw_death
time_between trace transform_classes use_breakpoints use_suspensions wait_done watch watch_late
who_reads who_sets write write_stdin
"""
ACTS = frozenset(_ACTS.split())
"""Methods that run, change, stop or resume something, or that only the owner calls."""


def _methods() -> set[str]:
    found = set()
    for full, names in MEMBERS.items():
        module, _, class_name = full.partition(":")
        class_ = getattr(importlib.import_module(module), class_name)
        for name in names:
            member = inspect.getattr_static(class_, name, None)
            if callable(member) and not isinstance(member, property):
                found.add(name)
    return found


def test_each_method_of_the_api_looks_or_acts() -> None:
    """One that is new is refused until somebody has said which it is."""
    assert _methods() - LOOKS == ACTS
    assert not ACTS & LOOKS


def test_who_may_only_look_is_refused_the_rest() -> None:
    for name in LOOKS:
        require_allowed(name, is_read_only=True)
    for name in [*ACTS, *NEVER, "a_method_of_next_year"]:
        with pytest.raises(ReadOnlyError, match="you have joined as read-only"):
            require_allowed(name, is_read_only=True)
        require_allowed(name, is_read_only=False)
    with pytest.raises(ReadOnlyError):
        require_settable(is_read_only=True)
    require_settable(is_read_only=False)
