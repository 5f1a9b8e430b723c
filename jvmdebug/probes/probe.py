# SPDX-License-Identifier: Apache-2.0
"""One probe: the check of a breakpoint request, installed in the VM, changed, and taken out again.

What is not possible is answered with a reason, a text for people, and the request stays an event of
the VM. Called by `breakpoints.probe_checker`.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.frame import Frame
from jvmdebug.probes import check_requests
from jvmdebug.probes.codegen.binding import check_with_log, written_by
from jvmdebug.probes.codegen.check import FAILED, UNASKED, compile_check
from jvmdebug.probes.codegen.check_form import Check, CheckForm
from jvmdebug.probes.codegen.counting import FULL
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.codegen.timing_code import timing_class
from jvmdebug.probes.deferring import current_deferring
from jvmdebug.probes.leaf_callers import LeafCallers
from jvmdebug.probes.numbers import ProbeNumbers
from jvmdebug.probes.question import ProbeHit, ProbeQuestion, SharedCounts
from jvmdebug.probes.taken import Taken, named, variants
from jvmdebug.sources import is_kotlin

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.codegen.log_code import LogFormat
    from jvmdebug.probes.codegen.written_local import WrittenLocal
    from jvmdebug.probes.count_test import CountTest


class Probe:
    """The probe of one request."""

    def __init__(
        self,
        vm: VirtualMachine,
        request_id: RequestId,
        location: Location,
        add_format: Callable[[LogFormat], object],
        is_watched: Callable[[Method], bool] = lambda _: False,
        field: Field | None = None,
        local: WrittenLocal | None = None,
        *,
        hands_over: bool = False,
    ) -> None:
        """`add_format` is called with each format before the first record of it is written.
        `is_watched`: whether there is a breakpoint in a method that the check calls. `field` and
        `local`: what the instruction writes, for a watch of it. `hands_over`: the VM reports no
        breakpoints, so the thread stays in a check that holds, which hands its variables over. Then
        one check replaces another without a moment in which there is none.
        """
        self._vm = vm
        self._add_format = add_format
        self._is_watched = is_watched
        self._asking = asyncio.Lock()
        self.request_id: Final = request_id
        self._location = location
        self._field, self._local = field, local
        self._hands_over = hands_over
        self._takes_object = False
        """Whether the check takes the object that has the field."""
        self._check: Check | None = None
        self._taken = Taken.ALL
        self.question: ProbeQuestion | None = None
        """The question that the installed check answers."""
        self.install_s: float | None = None
        """The time that putting it into the program took."""
        self._count: CountTest | None = None
        """The count test of the check in the program."""
        self._stands_in = False
        self.writes_log = False
        """Whether the check writes the log messages."""
        self._is_log_unknown = False
        self.is_uncompiled = False
        """Whether the last question could not be compiled, so that nothing is wrong with the
        method.
        """
        self._is_stale = False
        self._callers = vm.companion(LeafCallers)
        self.why_not_written: str | None = None
        """Why the debugger writes the log messages in place of the program."""
        self._counts = SharedCounts()
        """What its check counts together with others of the breakpoint."""
        self._refused: tuple[ProbeQuestion, Taken, str] | None = None
        """The question that was refused when it was put in together with others, with its variant
        and the reason.
        """

    async def ask(self, question: ProbeQuestion) -> str | None:
        """Have the program answer this question from now on. Returns the reason if it cannot."""
        async with self._asking:
            return await self._ask(question)

    async def _ask(self, question: ProbeQuestion) -> str | None:
        if self.question is not None and self.question.asks_as(question) and not self._is_stale:
            await self._write_log_now(question)
            return None
        self.question = None
        self._is_stale = False
        reason: str | None = None
        found = await variants(self._location, question, self._field, hands_over=self._hands_over)
        for taken, takes_object in found:
            self._taken, self._takes_object = taken, takes_object
            reason = self._known_refusal(question) or await self._tried(question)
            if reason is None:
                self.question = question
                return None
            if not self._hands_over:
                await self.remove()
        return reason

    def refused(self, reason: str) -> None:
        """Note that it could not be put in together with others. The next question is not tried in
        the same way again at once.
        """
        if self.question is not None:
            self._refused = (self.question, self._taken, reason)
        self._check = None
        self._forget()

    @property
    def is_refused(self) -> bool:
        """Whether it could not be put in, and was not asked anything since."""
        return self._refused is not None

    def put_in(self, seconds: float) -> None:
        """Note that it was put in together with others."""
        self.install_s = seconds

    def _known_refusal(self, question: ProbeQuestion) -> str | None:
        known = self._refused
        if known is None or known[1] is not self._taken:
            return None
        self._refused = None
        return known[2] if known[0].asks_as(question) else None

    async def _tried(self, question: ProbeQuestion) -> str | None:
        self.is_uncompiled = False
        try:
            if question.shared is None:
                return await self._install(question)
            async with question.shared.lock:  # the first one has what the others share
                return await self._install(question)
        except NotCompiledError as error:
            self.is_uncompiled = True
            return str(error)
        except (EvaluationError, VmError) as error:
            self.is_uncompiled = True
            return f"it cannot be compiled: {error}"

    @property
    def method(self) -> Method:
        """The method that the probe is in."""
        return self._location.method

    @property
    def may_write_log_later(self) -> bool:
        """Whether the program may be able to write the messages when more classes are loaded; then
        it is asked the same again.
        """
        return self._is_log_unknown

    def compile_again(self) -> None:
        """Have the next question compiled even if it is the same, because a called method has other
        code or a breakpoint now.
        """
        self._is_stale = True

    async def _write_log_now(self, question: ProbeQuestion) -> None:
        """Have the program write the messages if that has become possible. Only replaces the check
        that is there: a new call of a check may be impossible while threads are in the method.
        """
        old = self._check
        if old is None or not self._is_log_unknown:
            return
        try:
            check = await self._compiled(question, old.number, old.name)
        except (NotCompiledError, EvaluationError):
            return
        if check.format is not None and not await self._change(old, check):
            self.why_not_written = "a class that it names was not loaded when it was set"

    async def _change(self, old: Check, check: Check) -> bool:
        """Replace the check that is there, if the other one keeps the same objects."""
        change = check_requests.change_to(self.request_id, old, check)
        if change is None:
            return False
        if check.format is not None:
            self._add_format(check.format)
        changed = await self._vm.request(change)
        if changed.changed:
            self._check, self.writes_log = check, check.format is not None
            self._callers.note(self, check.leaves)
        return changed.changed

    async def _install(self, question: ProbeQuestion) -> str | None:
        if self._vm.connection.is_read_only:
            return "the session is read-only"
        numbers = self._vm.companion(ProbeNumbers)
        old = self._check
        number = numbers.take() if old is None else old.number
        check = await self._compiled(question, number, old.name if old else None)
        if old is not None and self._goes_on(question) and await self._change(old, check):
            self._stands_in = question.stands_in
            return None
        if old is not None:
            if not self._hands_over:
                await self.remove()
            check = await self._compiled(question, numbers.take(), None)
        self._callers.note(self, check.leaves)  # a breakpoint in a leaf may be set meanwhile
        if check.format is not None:
            self._add_format(check.format)
        # Noted before the first hit, which may come before the reply.
        self._count, self.writes_log = question.count, check.format is not None
        self._stands_in = question.stands_in
        shares = 0 if question.shared is None else question.shared.first_but(self.request_id)
        self._counts = question.counts or SharedCounts()
        if shares == 0 and question.count is not None:
            self._counts.begin(question.count.start)
        installed = await self._put(question, check, shares)
        if installed.installed and question.shared is not None:
            question.shared.forget(self.request_id)  # the request of the check before
            question.shared.requests.append(self.request_id)
        if installed.installed or not self._hands_over:  # else the check before is still there
            self._check = check if installed.installed else None
        return None if installed.installed else installed.reason

    async def _put(self, question: ProbeQuestion, check: Check, shares: int) -> wire.InstallReply:
        """Put the check into the program, at once or together with others."""
        others = current_deferring(self._vm) if self._check is None else None
        waits = (
            others is not None
            and (not self._takes_object or self._taken.has_this)  # else the VM may refuse it alone
        )
        begun = time.monotonic()
        install = check_requests.install(
            self.request_id, check, shares, writes_log=question.log is not None, waits=waits
        )
        if others is not None and waits:
            installed = await others.install(self, install)
        else:
            installed = await self._vm.request(install)
        self.install_s = time.monotonic() - begun
        return installed

    async def _compiled(self, question: ProbeQuestion, number: int, name: str | None) -> Check:
        location = self._location
        if question.timing is not None:
            name = name or self._new_name(number)
            made = timing_class(name, question.timing.end)
            return Check(name, number, made, "()V", (), calls_methods=False, keeps=None)
        asked = None if question.stands_in else question.condition
        if asked is not None and await is_kotlin(location.type):
            raise NotCompiledError("the code is Kotlin")
        frame = Frame(self._vm.thread(ThreadId(ObjectId(0))), 0, location, None, 0, (0, 0))
        condition = None
        of_field = await written_by(
            self._field, question, location, takes_object=self._takes_object
        )
        written = self._local or of_field
        names = None if written is None else written.names
        if asked is not None:
            where = location if self._local is None else self._local.behind
            condition = await asked.bound_at(where, names)
            if condition is None:
                raise NotCompiledError(asked.why_unbound_at(where))
        name = name or self._new_name(number)
        variables = () if self._taken is Taken.NOTHING else await frame.variables()
        if self._taken is not Taken.ALL:
            variables = named(variables, question)
        self.why_not_written, self._is_log_unknown = None, False
        form = CheckForm(
            has_this=self._taken.has_this,
            stays=self._hands_over,
            is_watched=self._is_watched,
            leaves_it_open=question.leaves_it_open,
            only_thread=question.only_thread,
            only=question.only,
            written=written,
        )
        given = (number, name, location, variables, condition, question.count)
        if question.log is None:
            return await compile_check(*given, None, form)
        logging = await check_with_log(given, question, names, form)
        check, self.why_not_written, self._is_log_unknown = logging
        return check

    def _new_name(self, number: int) -> str:
        return self._vm.companion(ProbeNumbers).name(self._location.type.signature, number)

    @property
    def calls_methods(self) -> bool:
        """Whether its check calls methods of the program, which may take long."""
        return self._check is not None and self._check.calls_methods

    @property
    def counts_for(self) -> str | None:
        """The hit condition for which its check counts, as it was written."""
        return None if self._count is None else self._count.text

    async def last_hit(self, thread: Thread) -> ProbeHit | None:
        """What the thread has stopped for. None if the VM has reported it, in an older frame, or if
        the check has left open whether it is a hit.
        """
        last = await self._vm.request(wire.LastHit(int(self.request_id), thread.id))
        if not last.by_probe or last.outcome == UNASKED:
            return None
        has_failed, is_full = last.outcome == FAILED, last.outcome == FULL
        count = self._count
        if count is not None and not has_failed and last.count == 0:
            return None  # it is of an earlier check, which did not count
        is_limited = count is not None and self._is_limited(count)
        if has_failed or not is_limited or last.count <= self._counts.start:
            return ProbeHit(has_failed, last.count)  # not limited, or of an earlier check
        self._counts.reported += not is_full
        left_out = self.left_out_until(last.count)
        return ProbeHit(has_failed, last.count, is_limited=True, is_full=is_full, left_out=left_out)

    async def count(self) -> int | None:
        """Count a hit that the debugger has found. Returns its number, or None if the program
        counts none.
        """
        if (test := self._count) is None:
            return None
        try:
            count = (await self._vm.request(wire.Count(int(self.request_id)))).count
        except VmError:  # the request has gone
            return None
        self._counts.reported += test.fitting(count - 1, count) if count > 0 else 0
        return count if count > 0 else None

    def left_out_until(self, count: int) -> int:
        """The number of hits, up to this one, that it has only counted, beyond those that an
        earlier call has returned.
        """
        test, counts = self._count, self._counts
        if test is None or not self._is_limited(test):
            return 0
        known, counts.highest = counts.left_out, max(counts.highest, count)
        counts.left_out = test.fitting(counts.start, counts.highest) - counts.reported
        return counts.left_out - known

    def _is_limited(self, count: CountTest) -> bool:
        return count.most_per_second is not None and not (self.writes_log or self._stands_in)

    def _goes_on(self, question: ProbeQuestion) -> bool:
        """Whether the count in the program is right for this question too."""
        before, after = self._count, question.count
        if before is None or after is None:
            return before is after
        if question.counts is not None and question.counts is not self._counts:
            return False
        return after == replace(
            before,
            most_per_second=after.most_per_second,
            most_lines_per_second=after.most_lines_per_second,
        )

    async def remove(self) -> None:
        """Take the probe out: the request becomes an event of the VM again."""
        self._forget()
        if self._check is not None:
            self._check = None
            await self._vm.request(wire.Remove(int(self.request_id)))

    def _forget(self) -> None:
        if self.question is not None and self.question.timing is not None:
            self.question.timing.forget(self.request_id)
        self._counts.forget(self.request_id)
        self.question = self._count = None
        self._callers.note(self, frozenset())
        self.writes_log = False


async def stop_always(vm: VirtualMachine, request_id: RequestId, location: Location) -> str | None:
    """Have a breakpoint request hit each time by a probe, where the VM reports no breakpoints.
    Returns the reason if that is impossible. The probe ends with the request.
    """
    return await Probe(vm, request_id, location, lambda _: None, hands_over=True).ask(
        ProbeQuestion()
    )
