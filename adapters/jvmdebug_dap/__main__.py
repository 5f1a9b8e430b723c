# SPDX-License-Identifier: Apache-2.0
"""`python -m jvmdebug_dap`, the same as `jvmdebug dap`."""

import sys

from jvmdebug_dap.command import main

sys.exit(main())
