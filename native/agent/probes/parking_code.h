// SPDX-License-Identifier: Apache-2.0
//
// The code with which a thread that the debugger has stopped waits in Java, so that a virtual one
// holds no carrier. Used by the classes that checks and constructors of exceptions call.
#pragma once

#include <cstdint>

#include "agent/probes/assembler.h"

namespace jvmdebug::agent::probes {

// Parks until `static native boolean waits()` of the class says that the thread may go on, and
// returns. Of the local variables it takes the one that is named. An interrupt that comes meanwhile
// is left for the program, and so is a permit to go on behind its own park().
void add_parking(Assembler& code, const char* owner, std::uint8_t interrupted);

}  // namespace jvmdebug::agent::probes
