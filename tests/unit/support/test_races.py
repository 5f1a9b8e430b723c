# SPDX-License-Identifier: Apache-2.0
"""Tests which ThreadSanitizer reports are about the agent's own accesses."""

from __future__ import annotations

from tools.races import races

_HEAD = "==================\nWARNING: ThreadSanitizer: data race (pid=1)\n"
_OURS = "    #0 agent::Sender::run() /a/sender.cpp:128 (libjvmdebug.so+0x1234)\n"
_COPY = "    #0 memcpy /sanitizer/x.inc:1 (libtsan.so.2+0x5)\n" + _OURS.replace("#0", "#1")
_VM = "    #0 Method::link (libjvm.so+0x99)\n" + _OURS.replace("#0", "#1")


def _report(write: str, read: str) -> str:
    return (
        f"{_HEAD}  Write of size 8 at 0x7b by thread T1:\n{write}\n"
        f"  Previous read of size 8 at 0x7b by main thread:\n{read}\n"
        f"  Thread T1 (tid=2) created by main thread at:\n{_OURS}\n"
        "SUMMARY: ThreadSanitizer: data race /a/sender.cpp:128\n==================\n"
    )


def test_a_race_between_two_accesses_of_the_agent_counts() -> None:
    assert len(races(_report(_OURS, _OURS))) == 1
    assert len(races(_report(_OURS, _COPY) * 2)) == 2


def test_what_the_vm_does_below_the_agent_does_not() -> None:
    assert races(_report(_VM, _OURS)) == []
    assert races(_report(_OURS, _VM)) == []
    assert races(_report(_VM, _VM)) == []


def test_a_stack_that_was_lost_is_not_taken_for_ours() -> None:
    assert races(_report("    [failed to restore the stack]\n", _OURS)) == []
    assert races("") == []


def test_the_lock_in_an_atomic_pointer_is_not_seen_by_the_sanitizer() -> None:
    load = "    #0 std::_Sp_atomic<std::shared_ptr<S> >::load() (libjvmdebug.so+0x1)\n" + _OURS
    assert races(_report(_OURS, load)) == []
    called = _OURS + load.replace("#0", "#1")
    assert len(races(_report(called, _OURS))) == 1
