# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sources`: answers an editor's questions on sources, until its standard input ends.

Owns the lines that go both ways: a question is a line of JSON with `id`, `ask` and what it asks
about; its answer a line with the same `id`, and `answer` or `error`. Whole folders are read beside
the others, which come in order. An editor keeps one such process: it debugs nothing and imports
little. Called by `main`.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.printable import one_line
from jvmdebug.projects import source_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

Question: TypeAlias = dict[str, Any]
_USAGE: Final = """\
usage: jvmdebug sources

Answer an editor's questions on Java and Kotlin sources: a line of JSON each on standard input, the
answers on standard output. docs/reference/sources.md has the questions.
"""


class SourcesServer:
    """Answers questions on two streams."""

    def __init__(self, questions: TextIO, answers: TextIO) -> None:
        self._questions = questions
        self._answers = answers
        self._writing = threading.Lock()
        self._folders = source_questions.SourceFolders()

    def serve(self) -> None:
        """Answer until the questions end."""
        whole: SimpleQueue[Question | None] = SimpleQueue()
        beside = threading.Thread(target=self._answer_whole, args=(whole,), name="whole folders")
        beside.start()
        try:
            for line in self._questions:
                question = self._parsed(line)
                if question.get("ask") == "below":
                    whole.put(question)
                else:
                    self._answer(question)
        finally:
            whole.put(None)
            beside.join()

    def _answer_whole(self, questions: SimpleQueue[Question | None]) -> None:
        while (question := questions.get()) is not None:
            self._answer(question)

    def _parsed(self, line: str) -> Question:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        return found if isinstance(found, dict) else {}

    def _answer(self, question: Question) -> None:
        reply: Question = {"id": question.get("id")}
        try:
            reply["answer"] = self._answer_to(question)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            reply["error"] = f"cannot answer {question.get('ask')!r}: {error!r}"
        with self._writing:
            self._answers.write(json.dumps(reply) + "\n")
            self._answers.flush()

    def _answer_to(self, question: Question) -> object:
        asked = question["ask"]
        if asked == "below":
            return self._folders.below(Path(question["folder"]), question.get("texts", {}))
        path = Path(question["path"])
        if asked == "declared":
            return source_questions.declared(path, question.get("text"))
        text, line = question["text"], question["line"]
        if asked == "names":
            return source_questions.names_above(path, text, line)
        return _AT_CURSOR[asked](path, text, line, question.get("word"))


_AT_CURSOR: Final[dict[str, Callable[[Path, str, int, str | None], str]]] = {
    "method": source_questions.method_at,
    "field": source_questions.field_at,
}


def main(arguments: Sequence[str]) -> int:
    """Serve standard input and output; 2 for arguments, there are none."""
    if list(arguments) in (["-h"], ["--help"]):
        print(_USAGE, end="")
        return 0
    if arguments:
        what = one_line(" ".join(arguments))
        print(f"jvmdebug sources: error: it takes no {what!r}; see --help", file=sys.stderr)
        return 2
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
    try:
        SourcesServer(sys.stdin, sys.stdout).serve()
    except BrokenPipeError:
        sys.stderr.close()  # the editor has ended
    return 0
