# SPDX-License-Identifier: Apache-2.0
"""Plans, results and formats of coverage, without a program."""
