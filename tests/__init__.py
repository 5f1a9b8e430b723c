# SPDX-License-Identifier: Apache-2.0
"""The tests. A package only so that `tests.support` has one name everywhere."""
