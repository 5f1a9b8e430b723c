# SPDX-License-Identifier: Apache-2.0
"""Messages for syntax errors: where the text is wrong, and what was expected there.

The grammar's own errors only say how far it got. This scans the tokens once and tracks whether an
operand or an operator is expected, and which brackets are open. It is asked only about texts that
the grammar has rejected. Called by `parser`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.parse import literals

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN: Final = re.compile(
    r"""
    (?P<space>[ \t\f\r\n]+|//[^\n]*|/\*.*?\*/)
  | (?P<open_comment>/\*)
  | (?P<text>\"{3}.*?(?<!\\)\"{3}|"(?!"")(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<open_text>\"{3}|["'])
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<word>[^\W\d][\w$]*|\$[\w$]*)
  | (?P<operator>>>>=|<<=|>>=|>>>|\+\+|--|->|::|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|[-+*/%&|^=!<>~?:.,;])
  | (?P<bracket>[()\[\]{}])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_FLOATING: Final = re.compile(r"(?!0[xX])[\w.]*[.eEfFdD]|0[xX][\w.]*[.pP]")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "?": ":"}
_PREFIX: Final = frozenset({"+", "-", "!", "~", "++", "--"})
_PRIMITIVES: Final = frozenset(
    {"int", "long", "short", "byte", "char", "boolean", "float", "double", "void"}
)
_BEFORE_TYPE: Final = frozenset({"new", "instanceof"})
_OPENED: Final = {"/*": "comment", "'": "character", '"': "string", '"""': "text block"}
_ASSIGNMENTS: Final = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="}
)
_STATEMENTS: Final = frozenset({"return", "throw", "break", "continue", "assert"})
_CONDITIONS: Final = frozenset({"if", "while", "switch", "synchronized"})
_WITH_BLOCK: Final = ("if", "while", "for", "switch", "synchronized", "try", "catch")
_MODIFIERS: Final = ("final", "static", "public", "private", "protected", "abstract")
_BEFORE_NAME: Final = frozenset(
    {
        *_MODIFIERS,
        *("class", "enum", "interface", "record", "extends", "implements", "throws", "import"),
        *("package", "case", "default", "break", "continue", "else"),
    }
)
_BEFORE_OPERAND: Final = frozenset({"return", "throw", "yield", "case", "else", "do", "assert"})


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int


def diagnose(text: str) -> tuple[str, int] | None:
    """The message and its column (from 0); None when no error is found."""
    return _Diagnosis(text).message()


class _Diagnosis:
    def __init__(self, text: str) -> None:
        found = _TOKEN.finditer(text)
        kinds = ((each.lastgroup or "other", each) for each in found)
        self._tokens = [
            _Token(kind, each.group(), each.start()) for kind, each in kinds if kind != "space"
        ]
        self._end = len(text.rstrip())
        self._open: list[_Token] = []
        """Open brackets; their kind says what they enclose: `call`, `index`, `condition`, …"""
        self._is_pattern = False
        self._expects_operand = True
        self._before: _Token | None = None
        self._position = 0

    def message(self) -> tuple[str, int] | None:
        for position, token in enumerate(self._tokens):
            self._position = position
            following = self._tokens[position + 1] if position + 1 < len(self._tokens) else None
            message = self._read(token, following)
            if message is not None:
                return message, token.start
            self._before = token
        return self._at_end()

    def _read(self, token: _Token, following: _Token | None) -> str | None:
        match token.kind:
            case "open_text" | "open_comment":
                return f"the {_OPENED[token.text]} that begins here is not closed"
            case "other":
                return f"{token.text!r} means nothing in Java"
            case "number" | "text":
                return _wrong_literal(token) or self._operand(token)
            case "word":
                return self._word(token, following)
            case "bracket":
                return self._bracket(token, following)
            case _:
                return self._operator(token)

    def _operand(self, token: _Token) -> str | None:
        is_expected, self._expects_operand = self._expects_operand, False
        if is_expected or self._follows(")"):  # a cast
            return None
        return f"expected an operator before {token.text}"

    def _word(self, token: _Token, following: _Token | None) -> str | None:
        after = "" if following is None else following.text
        self._is_pattern = self._is_pattern or token.text in ("case", "instanceof")
        if token.text in _STATEMENTS and self._is_in_expression():
            return f"{token.text} begins a statement, and is not allowed in an expression"
        if token.text in _BEFORE_OPERAND or token.text in _BEFORE_TYPE:
            self._expects_operand = True
            is_last = token.text in _BEFORE_TYPE and following is None
            return f"expected a class after {token.text}" if is_last else None
        was_expected, self._expects_operand = self._expects_operand, False
        if not was_expected and self._is_second_operand(after):
            return f"expected an operator or ',' before {token.text}"
        if token.text in ("this", "super"):
            return self._this_or_super(token.text, after)
        is_alone = after in ("", ";", ")", ",") and not self._follows("(")
        if token.text in _PRIMITIVES and is_alone and was_expected:
            return f"{token.text} is a type: expected a value, or {token.text}.class"
        return None

    def _is_in_expression(self) -> bool:
        before = self._before
        if before is None or before.text in (";", "->", ":", "{", "}", ")"):
            return False
        return before.kind in ("operator", "bracket")

    def _is_second_operand(self, after: str) -> bool:
        """`f(a b)`, `x as T`: two adjacent names are valid in a declaration only, three never."""
        before = self._before
        if before is None or before.kind != "word" or before.text in _BEFORE_NAME:
            return False
        is_argument = bool(self._open) and self._open[-1].kind == "call" and not self._is_pattern
        return is_argument or (after.isidentifier() and after not in (*_BEFORE_TYPE, *_BEFORE_NAME))

    def _this_or_super(self, word: str, after: str) -> str | None:
        if after == "(" and self._before is None:
            return "a constructor cannot be called here: new T(…) makes an object"
        if word == "super" and after not in (".", "::"):
            return "super needs a member: super.x or super.m()"
        return None

    def _bracket(self, token: _Token, following: _Token | None) -> str | None:
        before = self._before
        if token.text in "([{":
            wrong = self._wrong_brace() if token.text == "{" else None
            self._open.append(replace(token, kind=self._opened_for(token)))
            self._expects_operand = True
            return wrong
        is_empty = self._may_be_empty(token, "" if following is None else following.text)
        if self._expects_operand and not is_empty and before is not None:
            return f"expected an expression between {before.text!r} and {token.text!r}"
        if self._open and self._open[-1].text == "?":
            return f"expected ':' before {token.text!r}, for the '?'"
        opened = self._open.pop() if self._open else None
        if opened is None:
            opening = next(key for key, value in _CLOSING.items() if value == token.text)
            return f"there is no {opening!r} for this {token.text!r}"
        if _CLOSING[opened.text] != token.text:
            return f"expected {_CLOSING[opened.text]!r} before {token.text!r}"
        self._expects_operand = token.text == "}" and bool(self._open) is False
        return None

    def _wrong_brace(self) -> str | None:
        """What is wrong before an opening brace."""
        if self._follows("]") and self._is_sized_array():
            return "an array with elements takes its length from them: new T[] {…}"
        return self._misspelled() if self._follows(")") else None

    def _is_sized_array(self) -> bool:
        """Whether the tokens before a brace are `new T[length]`."""
        texts = [each.text for each in self._tokens[: self._position]]
        if "new" not in texts:
            return False
        after = texts[len(texts) - texts[::-1].index("new") :]
        return "[" in after and after[after.index("[") + 1] != "]" and "(" not in after

    def _misspelled(self) -> str | None:
        """`synchronised (x) {`: the word before a parenthesis that a block follows."""
        depth = 0
        for at in range(self._position - 1, -1, -1):
            text = self._tokens[at].text
            depth += {")": 1, "(": -1}.get(text, 0)
            if not depth:
                word = self._tokens[at - 1] if at else None
                before = self._tokens[at - 2].text if at > 1 else ";"
                if word is None or word.kind != "word" or before not in (";", "}", "{", ")"):
                    return None
                if word.text in _WITH_BLOCK:
                    return None
                hint = did_you_mean(word.text, _WITH_BLOCK)
                return f"{word.text} (…) {{ is no statement{hint}" if hint else None
        return None

    def _opened_for(self, token: _Token) -> str:
        before = self._before
        if before is None or self._expects_operand or before.kind != "word":
            return "group"
        if before.text in _CONDITIONS:
            return "condition"
        if before.text in (*_BEFORE_NAME, "for", "try"):
            return "other"
        return "call" if token.text == "(" else "index"

    def _may_be_empty(self, closing: _Token, following: str) -> bool:
        """Whether the bracket may close right after the token before it."""
        if not self._follows("([{") or not self._open:
            return self._follows(";}") or (closing.text == "}" and self._follows(","))
        opened = self._open[-1]
        if opened.text == "(":
            return opened.kind in ("call", "other") or following == "->"
        # `int[] x`, `int[].class`, `String[]::new`, `new int[] {1}`
        is_type = following.isidentifier() or following in ("[", ".", "::", "{", ")", ">", ",")
        return opened.text == "{" or is_type

    def _operator(self, token: _Token) -> str | None:
        text, before = token.text, self._before
        self._is_pattern = self._is_pattern and text in (",", "<", ">", ".")
        if text in _ASSIGNMENTS and _cannot_be_assigned(before):
            return f"only a variable, a field or an array element is allowed before {text!r}"
        if self._expects_operand:
            if text in _PREFIX or text == ";" or self._is_generic(text):
                self._expects_operand = text in _PREFIX or text in (";", ",", "<")
                return None
            if text in ("->", "::") or (text == "," and self._follows("{}")):
                self._expects_operand = True
                return None
            return _operand_missing(before, text)
        if text == "?" and not self._follows("<,"):
            self._open.append(token)
        elif text == ":" and self._open and self._open[-1].text == "?":
            self._open.pop()
        self._expects_operand = text not in ("++", "--")
        return None

    def _is_generic(self, text: str) -> bool:
        """`<>`, `<?>`, `Map<String, ?>`."""
        return text in (">", ">>", "?", "<", "&") and self._follows("<,?.")

    def _follows(self, texts: str) -> bool:
        return self._before is not None and self._before.text in texts

    def _at_end(self) -> tuple[str, int] | None:
        before = self._before
        if before is None:
            return None
        names = [each.text for each in self._tokens]
        if (
            "new" in names[:-1]
            and names[-1] != ";"
            and not {"(", "[", "{"} & set(names[len(names) - 1 - names[::-1].index("new") :])
        ):
            return "expected the arguments in ( ), or a length in [ ], after new", self._end
        if self._expects_operand and before.text not in ("(", "[", "{", ";", "}"):
            what = "a name" if before.text in (".", "::") else "an expression"
            return f"expected {what} after {before.text!r}", self._end
        if self._open:
            opened = self._open[-1]
            closing = _CLOSING[opened.text]
            more = (
                "an expression or " if before.start == opened.start and opened.text != "?" else ""
            )
            opener = f"for the {opened.text!r} at column {opened.start + 1}"
            return f"expected {more}{closing!r} here, {opener}", self._end
        return None


def _cannot_be_assigned(token: _Token | None) -> bool:
    return token is not None and (
        token.kind in ("number", "text") or token.text in (")", "this", "null", "true", "false")
    )


def _operand_missing(before: _Token | None, operator: str) -> str:
    if before is None:
        return f"expected an expression before {operator!r}"
    if before.text == ".":
        return f"expected a name between '.' and {operator!r}"
    return f"expected an expression between {before.text!r} and {operator!r}"


def _wrong_literal(token: _Token) -> str | None:
    """The error in a number, character or string literal; None when there is none."""
    read: Callable[[str], object]
    if token.kind == "text":
        read = literals.character if token.text[0] == "'" else literals.string
    else:
        read = literals.floating if _FLOATING.match(token.text) else literals.integer
    try:
        read(token.text)
    except ValueError as error:
        return str(error)
    return None
