// SPDX-License-Identifier: Apache-2.0
//
// The names by which this room and those above it know the location of an instruction.
#pragma once

#include "agent/jvm/code_location.h"

namespace jvmdebug::agent::events {

using jvm::CodeLocation;
using jvm::CodeLocationHash;
using jvm::CodeLocations;

}  // namespace jvmdebug::agent::events
