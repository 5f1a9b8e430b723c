# SPDX-License-Identifier: Apache-2.0
"""What several tests need: JDKs, debuggees, VMs that tests start, peers for the wire."""
