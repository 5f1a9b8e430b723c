# SPDX-License-Identifier: Apache-2.0
from jvmdebug.sync.generated.api import *
from jvmdebug.sync.generated.api import __all__ as __all__
