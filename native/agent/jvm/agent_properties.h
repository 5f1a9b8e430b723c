// SPDX-License-Identifier: Apache-2.0
//
// The VM's agent properties, which the attach API reads (VirtualMachine.getAgentProperties). Tools
// that attach to a process by its id find the address of its JDWP agent there.
#pragma once

#include <string>
#include <string_view>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// Sets a property. False when the VM has no agent properties; only such tools are affected. Runs
// Java code, so no lock may be held.
bool set_agent_property(const Jni& jni, std::string_view name, std::string_view value);

// Removes a property completely; the rest as above.
bool remove_agent_property(const Jni& jni, std::string_view name);

}  // namespace jvmdebug::agent::jvm
