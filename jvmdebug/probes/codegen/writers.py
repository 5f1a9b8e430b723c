# SPDX-License-Identifier: Apache-2.0
"""The functions that write the code of nodes of the bound tree, by the class of the node. Used by
`check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.probes.codegen.creation_code import CREATION
from jvmdebug.probes.codegen.flow_code import FLOW
from jvmdebug.probes.codegen.member_code import MEMBERS
from jvmdebug.probes.codegen.store_code import STORES
from jvmdebug.probes.codegen.values import VALUES
from jvmdebug.probes.codegen.written_code import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.bind.bound import BoundNode
    from jvmdebug.probes.codegen.code import Writer

WRITERS: Final[Mapping[type[BoundNode], Writer]] = {
    **VALUES,
    **MEMBERS,
    **CREATION,
    **STORES,
    **FLOW,
    **WRITTEN,
}
