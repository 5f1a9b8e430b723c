# SPDX-License-Identifier: Apache-2.0
"""What the Makefile and CI run. Not part of the distribution."""
