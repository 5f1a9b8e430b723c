# SPDX-License-Identifier: Apache-2.0
"""The methods of the JDK that a plan may call: those that join texts and open boxes."""

from __future__ import annotations

from typing import Final

from jvmdebug.model.primitives import BOXES

_TEXT: Final = "Ljava/lang/String;"
_OBJECT: Final = "Ljava/lang/Object;"
_SEQUENCE: Final = "Ljava/lang/CharSequence;"

STRING: Final = "java/lang/String"
BUILDERS: Final = ("java/lang/StringBuilder", "java/lang/StringBuffer")
JOINER: Final = "java/util/StringJoiner"
OF_BUILDERS: Final = frozenset(
    (
        *(("<init>", f"({each})V") for each in ("", "I", _TEXT)),
        *(
            ("append", f"({each})L{owner};")
            for owner in BUILDERS
            for each in ("Z", "C", "I", "J", "F", "D", _TEXT, _OBJECT, _SEQUENCE)
        ),
        ("toString", f"(){_TEXT}"),
    )
)
MAKERS: Final = {
    **dict.fromkeys(BUILDERS, OF_BUILDERS),
    JOINER: frozenset(
        (
            ("<init>", f"({_SEQUENCE})V"),
            ("<init>", f"({_SEQUENCE * 3})V"),
            ("add", f"({_SEQUENCE})L{JOINER};"),
            ("toString", f"(){_TEXT}"),
        )
    ),
}
"""The classes of which a plan makes objects, and their methods."""
OF_STRINGS: Final = frozenset({("concat", f"({_TEXT}){_TEXT}")})
"""Methods of a string that have a parameter."""
KINDS: Final = {name.replace(".", "/"): kind.value for kind, name in BOXES.items()}
"""The descriptor of the value in each box."""
STATIC: Final[dict[tuple[str, str, str], str]] = {
    **{("java/lang/String", "valueOf", f"({each}){_TEXT}"): each for each in "ZCIJFD"},
    ("java/lang/String", "valueOf", f"({_OBJECT}){_TEXT}"): _OBJECT,
    ("java/util/Objects", "toString", f"({_OBJECT}){_TEXT}"): _OBJECT,
    **{(box, "toString", f"({kind}){_TEXT}"): kind for box, kind in KINDS.items()},
    **{(box, "valueOf", f"({kind})L{box};"): f"box {kind}" for box, kind in KINDS.items()},
    ("java/util/Objects", "toString", f"({_OBJECT}{_TEXT}){_TEXT}"): "or",
    ("kotlin/jvm/internal/Intrinsics", "stringPlus", f"({_TEXT}{_OBJECT}){_TEXT}"): "plus",
}
"""Static methods: the descriptor of what they write, `box` with that of what they put into a box,
`or` for a text in place of null, `plus` for a text and an object.
"""
UNBOXING: Final = {(f"{kind.java_name}Value", f"(){kind.value}") for kind in BOXES}
OF_ANY_OBJECT: Final = frozenset(
    (
        ("toString", f"(){_TEXT}"),
        ("name", f"(){_TEXT}"),
        ("ordinal", "()I"),
        ("getClass", "()Ljava/lang/Class;"),
        ("getSimpleName", f"(){_TEXT}"),
        ("getName", f"(){_TEXT}"),
        ("length", "()I"),
        ("isEmpty", "()Z"),
        *UNBOXING,
    )
)
"""Methods without parameters that are known of some classes of the JDK: objects, enums, classes,
strings, boxes.
"""
OF_JDK: Final = ("java/", "javax/", "jdk/", "sun/", "com/sun/")
