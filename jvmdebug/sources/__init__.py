# SPDX-License-Identifier: Apache-2.0
"""Source files, lines, and classes without source as bytecode.

Owns finding the source of a class (`finder`), which lines of a class can hold a breakpoint
(`class_lines`, through JSR-45 maps), disassembly (`listing`, `disassembly`), and the notation for
locations (`spec`). Sets no breakpoint. Called by breakpoints, stepping and the session. Begin with
`class_lines`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names
from jvmdebug.source_text import imports_declared, package_declared

if TYPE_CHECKING:
    from jvmdebug.sources.class_lines import (
        breakable_lines,
        breakable_lines_of,
        calling_line,
        line_places,
        source_class,
        source_line,
        source_paths,
    )
    from jvmdebug.sources.class_path_names import ClassPathNames
    from jvmdebug.sources.class_places import LinePlaces, SourceLine
    from jvmdebug.sources.code_addresses import CodeAddresses
    from jvmdebug.sources.disassembly import constant_pool, method_text
    from jvmdebug.sources.finder import SourceFinder
    from jvmdebug.sources.inlining import InlineScope, around_function, inline_scopes
    from jvmdebug.sources.kotlin_functions import kotlin_function
    from jvmdebug.sources.kotlin_variables import (
        BOXING,
        FUNCTION_RECEIVER,
        InlineCopy,
        inline_copies,
        is_kotlin,
        is_kotlin_file,
        names_elsewhere,
        source_variables,
    )
    from jvmdebug.sources.listed_lines import CodeLine, code_lines
    from jvmdebug.sources.listing import ClassListing
    from jvmdebug.sources.paths import guessed_name, is_same_source, source_path
    from jvmdebug.sources.prologues import first_line
    from jvmdebug.sources.smap import SourceMap, Stratum
    from jvmdebug.sources.source_file import SourceFile
    from jvmdebug.sources.spec import (
        InstructionSpec,
        LinePart,
        LineSpec,
        MethodSpec,
        Spec,
        parse_function,
        parse_method,
        parse_spec,
    )
    from jvmdebug.sources.state_machines import (
        CONTINUATION,
        RESUMED,
        SuspensionPoint,
        continuation_of,
        is_suspending,
        resumed_point,
        suspension_points,
    )

_HOMES: Final = {
    "class_lines": (
        "breakable_lines",
        "breakable_lines_of",
        "calling_line",
        "line_places",
        "source_class",
        "source_line",
        "source_paths",
    ),
    "class_path_names": ("ClassPathNames",),
    "code_addresses": ("CodeAddresses",),
    "class_places": ("LinePlaces", "SourceLine"),
    "listed_lines": ("CodeLine", "code_lines"),
    "disassembly": ("constant_pool", "method_text"),
    "finder": ("SourceFinder",),
    "inlining": ("InlineScope", "around_function", "inline_scopes"),
    "kotlin_functions": ("kotlin_function",),
    "kotlin_variables": (
        "BOXING",
        "FUNCTION_RECEIVER",
        "InlineCopy",
        "inline_copies",
        "is_kotlin",
        "is_kotlin_file",
        "names_elsewhere",
        "source_variables",
    ),
    "listing": ("ClassListing",),
    "paths": ("guessed_name", "is_same_source", "source_path"),
    "prologues": ("first_line",),
    "smap": ("SourceMap", "Stratum"),
    "source_file": ("SourceFile",),
    "spec": (
        "InstructionSpec",
        "LinePart",
        "LineSpec",
        "MethodSpec",
        "Spec",
        "parse_function",
        "parse_method",
        "parse_spec",
    ),
    "state_machines": (
        "CONTINUATION",
        "RESUMED",
        "SuspensionPoint",
        "continuation_of",
        "is_suspending",
        "resumed_point",
        "suspension_points",
    ),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "BOXING",
    "CONTINUATION",
    "FUNCTION_RECEIVER",
    "RESUMED",
    "ClassListing",
    "ClassPathNames",
    "CodeAddresses",
    "CodeLine",
    "InlineCopy",
    "InlineScope",
    "InstructionSpec",
    "LinePart",
    "LinePlaces",
    "LineSpec",
    "MethodSpec",
    "SourceFile",
    "SourceFinder",
    "SourceLine",
    "SourceMap",
    "Spec",
    "Stratum",
    "SuspensionPoint",
    "around_function",
    "breakable_lines",
    "breakable_lines_of",
    "calling_line",
    "code_lines",
    "constant_pool",
    "continuation_of",
    "first_line",
    "guessed_name",
    "imports_declared",
    "inline_copies",
    "inline_scopes",
    "is_kotlin",
    "is_kotlin_file",
    "is_same_source",
    "is_suspending",
    "kotlin_function",
    "line_places",
    "method_text",
    "names_elsewhere",
    "package_declared",
    "parse_function",
    "parse_method",
    "parse_spec",
    "resumed_point",
    "source_class",
    "source_line",
    "source_path",
    "source_paths",
    "source_variables",
    "suspension_points",
]
