# SPDX-License-Identifier: Apache-2.0
"""Source files, lines and the classes that came from them.

Finds the text for a class (directories, sources jars, the JDK's src.zip), says which lines of a
class can hold a breakpoint, maps through JSR-45 source maps, and reads the breakpoint notation of
users. Sets no breakpoint. Called by breakpoints, stepping and the session.
"""

from jvmdebug.sources.class_lines import (
    SourceLine,
    breakable_lines,
    breakable_lines_of,
    source_line,
    source_paths,
)
from jvmdebug.sources.code_addresses import CodeAddresses
from jvmdebug.sources.code_lines import CodeLine, code_lines
from jvmdebug.sources.disassembly import constant_pool, method_text
from jvmdebug.sources.finder import SourceFinder
from jvmdebug.sources.listing import ClassListing
from jvmdebug.sources.paths import imports_declared, is_same_source, package_declared, source_path
from jvmdebug.sources.smap import SourceMap, Stratum
from jvmdebug.sources.source_file import SourceFile
from jvmdebug.sources.spec import (
    InstructionSpec,
    LineSpec,
    MethodSpec,
    Spec,
    parse_method,
    parse_spec,
)

__all__ = [
    "ClassListing",
    "CodeAddresses",
    "CodeLine",
    "InstructionSpec",
    "LineSpec",
    "MethodSpec",
    "SourceFile",
    "SourceFinder",
    "SourceLine",
    "SourceMap",
    "Spec",
    "Stratum",
    "breakable_lines",
    "breakable_lines_of",
    "code_lines",
    "constant_pool",
    "imports_declared",
    "is_same_source",
    "method_text",
    "package_declared",
    "parse_method",
    "parse_spec",
    "source_line",
    "source_path",
    "source_paths",
]
