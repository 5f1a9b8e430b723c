// SPDX-License-Identifier: Apache-2.0
//
// Names jvm::CodeLocation for this room and those above it.
#pragma once

#include "agent/jvm/code_location.h"

namespace jvmdebug::agent::events {

using jvm::CodeLocation;
using jvm::CodeLocationHash;
using jvm::CodeLocations;

}  // namespace jvmdebug::agent::events
