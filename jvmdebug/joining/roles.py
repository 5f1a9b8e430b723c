# SPDX-License-Identifier: Apache-2.0
"""What a guest with the role `read-only` may call. The owner's process asks this before it calls
anything.

Such a guest sees all: stops, stacks, variables, output, breakpoints. It does not set breakpoints,
resume, step, suspend or end anything, and nothing of the program is run or changed for it: the
connection refuses those commands as in a read-only session (`jvmdebug.jdwp.read_only`). A method
that is in neither list is refused, so that a new one has to be put here (a unit test does it).
"""

from __future__ import annotations

from typing import Final

from jvmdebug.errors import ReadOnlyError

_LOOKS: Final = """
__aiter__ __anext__ __bool__ __contains__ __eq__ __float__ __format__ __ge__ __getitem__ __gt__
__hash__ __index__ __int__ __iter__ __le__ __len__ __lt__ __repr__ __str__ _repr_html_ address_of
agent_can all all_classes all_fields all_methods all_threads as_text beginning breakable_lines
breakable_parts bytecodes calls child_count children class_file class_loader class_object
classes_by_signature code_address compare_code completions constant_pool contains contended_monitor
data_target declaration definition diff disassembly elements equals evaluate fetch fields find
find_original find_path find_source frame frame_count frames frames_with_inlined full_text
generic_signature get get_available_processors get_bytes get_capabilities get_carrier_thread
get_current_thread_cpu_time get_current_thread_cpu_timer_info get_error_name get_extension_events
get_extension_functions get_jlocation_format get_named_module get_object_hash_code get_object_size
get_phase get_potential_capabilities get_system_properties get_system_property get_thread_cpu_time
get_thread_cpu_timer_info get_thread_group_info get_thread_info get_thread_state get_time
get_timer_info get_values get_version_number get_virtual_thread group group_name has_definition
has_views histogram in_lines instance_counts instance_fields instances interfaces
is_class_unloading_enabled is_collected is_indexed is_invoking is_library is_modifiable_module
is_subtype_of is_virtual items jni_calls kept known_type length line line_of line_of_spec line_table
lines listing listing_of locals location location_at locations locations_of_line memory method
methods modifiers module module_details module_of modules moment monitor_state name names
nested_types next_stop original_of original_source origins own_frame owned_monitors
owned_monitors_with_depth parameter_names parent paths_to_roots plain probes read read_ahead
read_outline reference reference_type referrers referring_objects reflected_type refresh_name
require_current require_own retained_size scopes search size slots_by_position snapshot source
source_debug_extension source_file source_path sources spec_at static_values status step_in_targets
stopped_at stream_stages style subscribe superclass superclasses supertypes suspend_count tags this
this_object thread thread_dump thread_group threads thrown top_level_thread_groups type type_name
type_of_object value values variable variable_of_exception variable_of_return variable_table
variables views visible_classes wait warm_up when who_wrote
"""
LOOKS: Final = frozenset(_LOOKS.split())
"""Methods that only look, of whatever class."""

NEVER: Final = frozenset(
    {"close_by", "dispose", "use_suspensions", "initialize", "end", "require", "watch_late"}
)
"""What no guest may call: the session would no longer be the owner's."""


def require_allowed(name: str, *, is_read_only: bool) -> None:
    """Raise ReadOnlyError if a guest with that role may not call methods of this name."""
    if is_read_only and name not in LOOKS:
        raise ReadOnlyError(f"cannot {name.replace('_', ' ')}: you have joined as read-only")


def require_settable(*, is_read_only: bool) -> None:
    """Raise ReadOnlyError if a guest with that role may not set attributes."""
    if is_read_only:
        raise ReadOnlyError("cannot change a setting: you have joined as read-only")
