# SPDX-License-Identifier: Apache-2.0
"""`python -m jvmdebug_cli` is the same as `jvmdebug`."""

import sys

from jvmdebug_cli.main import main

sys.exit(main())
