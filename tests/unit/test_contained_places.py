# SPDX-License-Identifier: Apache-2.0
"""How JVMs in containers and pods are written, and which of several is meant."""

from __future__ import annotations

import pytest

from jvmdebug.attaching.choosing import RunningJvm, chosen
from jvmdebug.attaching.containers import is_group_of
from jvmdebug.attaching.pod_script import jvms_in
from jvmdebug.contained_places import ContainerPlace, PodPlace, place_in, text_of
from jvmdebug.errors import LaunchError

ID = "4f" * 32


def test_the_texts() -> None:
    assert place_in("localhost:5005") is None
    assert place_in("container:shop") == ContainerPlace("shop")
    assert place_in("container:shop/a.b/c") == ContainerPlace("shop", "a.b/c")
    assert place_in("pod:n/p") == PodPlace("n", "p")
    assert place_in("pod:n/p/c/shop.Main") == PodPlace("n", "p", "c", "shop.Main")
    assert text_of("shop", None, "") == "container:shop"
    assert text_of(None, "n/p", "") == "pod:n/p"
    assert place_in(text_of(None, "n/p", "7")) == PodPlace("n", "p", "", "7")
    assert place_in(text_of(None, "n/p/c", "7")) == PodPlace("n", "p", "c", "7")


@pytest.mark.parametrize(
    "text",
    [
        "container:",
        "container:/x",
        "container:-f",
        "pod:",
        "pod:n",
        "pod:/p",
        "pod:n/--all",
        "pod:n/p/-c",
    ],
)
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(LaunchError, match=r"is no (container|pod): write"):
        place_in(text)


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("shop", "0::/system.slice/shop.service\n"),
        ("shop", "0::/machine.slice/machine-shop.scope\n"),
        ("shop", "0::/lxc.payload.shop/init.scope\n"),
        (ID, f"0::/system.slice/docker-{ID}.scope\n"),
        (ID[:12], f"12:memory:/kubepods/burstable/pod1/{ID}\n0::/\n"),
        (ID[:12], f"0::/kubepods.slice/cri-containerd-{ID}.scope\n"),
        (ID[:12], f"0::/system.slice:cri-containerd:{ID}\n"),
    ],
)
def test_a_control_group_of_a_container(name: str, group: str) -> None:
    assert is_group_of(name, group)
    assert not is_group_of("hop", group)
    assert not is_group_of(ID[2:14].replace("f", "e"), group)


def test_which_of_several() -> None:
    jvms = [RunningJvm(11, 1, "shop.Main"), RunningJvm(12, 7, None)]
    assert chosen(jvms[:1], "", "it").pid == 11
    assert chosen(jvms, "7", "it").pid == 12
    assert chosen(jvms, "shop.Main", "it").pid == 11
    for of, program, why in (
        ([], "", "no JVM runs in it"),
        (jvms, "", r"several JVMs run in it: 1 \(shop.Main\), 7 \(unknown program\); say which"),
        (jvms, "11", "no JVM in it is '11'"),
        ([*jvms, jvms[0]], "shop.Main", "run shop.Main: .*; say which by --pid"),
    ):
        with pytest.raises(LaunchError, match=why):
            chosen(of, program, "it")


WRITTEN = b"""\
@@ system aarch64 0
@@ jvm 12 7 1000 musl none /proc/12/root /opt/java/bin/jcmd
@@ words
/opt/java/bin/java
-Xmx1g
shop.Main
@@ options
-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005
@@ tcp
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:138D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 5 1 0
@@ mounts
tmpfs /tmp tmpfs rw,noexec 0 0
@@ writable
/tmp
@@ end
"""


def test_what_the_script_has_written() -> None:
    (jvm,) = jvms_in(WRITTEN)
    assert (jvm.pid, jvm.own_pid, jvm.program) == (12, 7, "shop.Main")
    assert (jvm.platform, jvm.asker, jvm.user) == ("linux-musl-aarch64", 0, 1000)
    assert (jvm.root, jvm.jcmd) == ("/proc/12/root", "/opt/java/bin/jcmd")
    assert jvm.agent is not None
    assert (jvm.agent.is_listening, jvm.agent.address) == (True, "127.0.0.1:5005")
    assert (jvm.mounts, jvm.writable) == ("tmpfs /tmp tmpfs rw,noexec 0 0", ("/tmp",))
    assert jvms_in(b"@@ system x86_64 0\n@@ end\n") == []
    for cut in (b"", b"hello\n", WRITTEN[:300]):
        with pytest.raises(LaunchError, match="does not answer as it should"):
            jvms_in(cut)
