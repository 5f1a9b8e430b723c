# SPDX-License-Identifier: Apache-2.0
"""Coverage of real programs, and that it agrees with JaCoCo's."""
