# SPDX-License-Identifier: Apache-2.0
"""What `tools.checked_jni` reads of what a VM says."""

from __future__ import annotations

from tools.checked_jni import warnings

SAID = """\
<args>
-Xcheck:jni {agent}transport=dt_socket </args>
<writer thread='8577'/>
WARNING in native method: JNI call made without checking exceptions when required to from Call
\tat Loop.main(Loop.java:7)
<writer thread='8578'/>
WARNING: JNI local refs: 33, exceeds capacity: 32
WARNING: java.lang.System::load has been called by Bad in an unnamed module
<tty_done stamp='0.589'/>
"""


def test_each_warning_has_its_stack() -> None:
    first, second = warnings(SAID.format(agent="-agentpath:/lib/libjvmdebug.so="))
    assert first.endswith("from Call\n\tat Loop.main(Loop.java:7)")
    assert second == "WARNING: JNI local refs: 33, exceeds capacity: 32"


def test_the_other_agent_may_do_what_it_likes() -> None:
    assert warnings(SAID.format(agent="-agentlib:jdwp=")) == []


def test_references_that_the_vm_leaves_behind_are_not_the_agent_s() -> None:
    of_program = "java.vm.specification.version={}\nsun.java.command=Returned \n"
    said = SAID.format(agent="-agentpath:/lib/libjvmdebug.so=")
    assert len(warnings(of_program.format(17) + said)) == 1
    assert len(warnings(of_program.format(21) + said)) == 2
