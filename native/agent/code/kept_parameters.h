// SPDX-License-Identifier: Apache-2.0
//
// Keeps the attribute MethodParameters of classes that the agent changes.
//
// JDK-8240908 (..19): the class file that the VM makes for a retransformation lacks this attribute.
// The class then loses it for good: Parameter.isNamePresent() is false for all of its methods, and
// frameworks that bind by parameter names fail. So the agent reads the attributes from the memory
// of the VM and puts them into the class file. Where that memory may not be read, it asks
// reflection before the change. If reflection does not answer in time, the names are lost, and a
// line on the standard error says so. Attributes that another agent's retransformation has removed
// before stay lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/code/reflected_parameters.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/vm_parameters.h"

namespace jvmdebug::agent::code {

// What reflection has returned for classes.
using ToldParameters = std::vector<std::pair<jvm::GlobalRef<jclass>, NamedParameters>>;

class KeptParameters {
 public:
  // `vm_reads`: whether the memory of the VM may be read.
  KeptParameters(const jvm::Env& env, bool vm_reads)
      : parameters_(vm_reads ? jvm::VmParameters(env) : jvm::VmParameters()) {}

  // Runs `work` on a thread of the agent. Returns whether it has begun.
  using Starter = std::function<bool(std::function<void()> work)>;

  // Asks reflection for the parameters of those classes whose parameters cannot be read. Called
  // before a change. Null if there are none. Agent threads.
  [[nodiscard]] std::shared_ptr<const ToldParameters> tell(const jvm::Env& env,
                                                           std::span<const jclass> types,
                                                           const Starter& starter) const;

  // Returns the class file with the attributes that it lacks and the class has; none if it lacks
  // none. The environment needs the capability to read constant pools. Any thread.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> put_back(
      const jvm::Env& env, jclass type, std::span<const std::uint8_t> class_file,
      const ToldParameters* told) const;

 private:
  jvm::VmParameters parameters_;
};

}  // namespace jvmdebug::agent::code
