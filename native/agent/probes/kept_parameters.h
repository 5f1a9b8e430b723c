// SPDX-License-Identifier: Apache-2.0
//
// Keeps the attribute MethodParameters of classes that the agent changes.
//
// JDK-8240908 (..19): the class file that the VM makes of a class for its retransformation has no
// such attributes. The class then lacks them for good: Parameter.isNamePresent() is false for all
// of its methods, and frameworks that bind by the names of parameters fail. So they are read from
// the version that the class has now, and put into the file. What another agent's retransformation
// has removed before is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/vm_parameters.h"

namespace jvmdebug::agent::probes {

class KeptParameters {
 public:
  explicit KeptParameters(const jvm::Env& env) : parameters_(env) {}

  // The class file with the attributes that the class has and the file lacks; none if it lacks
  // none. The environment needs the capability to read constant pools. Any thread.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> put_back(
      const jvm::Env& env, jclass type, std::span<const std::uint8_t> class_file) const;

 private:
  jvm::VmParameters parameters_;
};

}  // namespace jvmdebug::agent::probes
