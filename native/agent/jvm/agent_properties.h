// SPDX-License-Identifier: Apache-2.0
//
// The VM's agent properties, which the attach API reads (VirtualMachine.getAgentProperties). Tools
// that attach to a process by its number find the address of its JDWP agent there.
#pragma once

#include <string>
#include <string_view>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::jvm {

// False when the VM does not have such properties, which only such tools will miss. Runs Java code:
// no lock may be held.
bool set_agent_property(const Jni& jni, std::string_view name, std::string_view value);

// The same, so that nothing is left of it.
bool remove_agent_property(const Jni& jni, std::string_view name);

}  // namespace jvmdebug::agent::jvm
