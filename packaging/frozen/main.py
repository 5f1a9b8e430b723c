# SPDX-License-Identifier: Apache-2.0
"""The program that is frozen: the command `jvmdebug`."""

import sys

from jvmdebug_cli.main import main

sys.exit(main())
