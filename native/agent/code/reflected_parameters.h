// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes MethodParameters of a class by reflection: java.lang.reflect.Executable and
// its Parameters, with their modifiers. Reflection loads the classes of all parameters, which the
// program may notice, and which may wait for a thread that the debugger holds. So it is used only
// where the memory of the VM is not read (jvm/vm_parameters.h), and on a thread that may wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

struct NamedParameter {
  std::optional<std::string> name;  // modified UTF-8; none if the parameter has no name
  std::uint16_t access = 0;

  friend bool operator==(const NamedParameter&, const NamedParameter&) = default;
};

// Maps the name and descriptor of each method that has the attribute to its parameters.
using NamedParameters = std::map<std::string, std::vector<NamedParameter>>;

// Returns none if reflection fails for one of the methods, for instance because a class is missing.
[[nodiscard]] std::optional<NamedParameters> reflected_parameters(const jvm::Env& env,
                                                                  const jvm::Jni& jni, jclass type);

}  // namespace jvmdebug::agent::code
