# SPDX-License-Identifier: Apache-2.0
"""How values are shown: as one line of text, and as children, page by page.

Owns the texts of known classes (`texts`), logical views of collections (`views`) and users' own
`renderers`. Reads the debuggee in few round trips and runs none of the program's code; code of the
JDK only for pages far into a large collection without our agent (`views.streamed`). Knows no front
end. Called by the session, and by breakpoints for log messages. Begin with `rendering` (a line) and
`child_pages`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.display.child_pages import (
        Child,
        ViewMode,
        child_count,
        children,
        is_indexed,
        is_understood,
        other_view_modes,
        statics_of,
    )
    from jvmdebug.display.closures import objects_around_closure
    from jvmdebug.display.elements import (
        collection,
        element_count,
        enum_constant_name,
        map_entries,
        python_primitive,
        python_value,
    )
    from jvmdebug.display.expressions import EvaluateName
    from jvmdebug.display.renderers import (
        Plain,
        RenderedChild,
        RenderedObject,
        Renderer,
        installed_renderers,
    )
    from jvmdebug.display.rendering import (
        full_text,
        head_of,
        plain_text,
        render,
        render_all,
        type_name,
    )
    from jvmdebug.display.shared_variables import opened
    from jvmdebug.display.style import DEFAULT_MAX_LENGTH, ValueStyle
    from jvmdebug.display.views.streamed import use_calls
    from jvmdebug.display.views.view import Entry

_HOMES: Final = {
    "child_pages": (
        "Child",
        "ViewMode",
        "child_count",
        "children",
        "is_indexed",
        "is_understood",
        "other_view_modes",
        "statics_of",
    ),
    "closures": ("objects_around_closure",),
    "elements": (
        "collection",
        "element_count",
        "enum_constant_name",
        "map_entries",
        "python_primitive",
        "python_value",
    ),
    "expressions": ("EvaluateName",),
    "renderers": ("Plain", "RenderedChild", "RenderedObject", "Renderer", "installed_renderers"),
    "rendering": ("full_text", "head_of", "plain_text", "render", "render_all", "type_name"),
    "shared_variables": ("opened",),
    "style": ("DEFAULT_MAX_LENGTH", "ValueStyle"),
    "views.streamed": ("use_calls",),
    "views.view": ("Entry",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "DEFAULT_MAX_LENGTH",
    "Child",
    "Entry",
    "EvaluateName",
    "Plain",
    "RenderedChild",
    "RenderedObject",
    "Renderer",
    "ValueStyle",
    "ViewMode",
    "child_count",
    "children",
    "collection",
    "element_count",
    "enum_constant_name",
    "full_text",
    "head_of",
    "installed_renderers",
    "is_indexed",
    "is_understood",
    "map_entries",
    "objects_around_closure",
    "opened",
    "other_view_modes",
    "plain_text",
    "python_primitive",
    "python_value",
    "render",
    "render_all",
    "statics_of",
    "type_name",
    "use_calls",
]
