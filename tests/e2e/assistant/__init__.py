# SPDX-License-Identifier: Apache-2.0
"""The scripting API against real VMs."""
