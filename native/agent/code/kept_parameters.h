// SPDX-License-Identifier: Apache-2.0
//
// Keeps the attribute MethodParameters of classes that the agent changes.
//
// JDK-8240908 (..19): the class file that the VM makes of a class for its retransformation has no
// such attributes. The class then lacks them for good: Parameter.isNamePresent() is false for all
// of its methods, and frameworks that bind by the names of parameters fail. So they are read from
// the version that the class has now, and put into the file. Where the VM is not read reflection
// tells them, before the change; where it does not in time they are lost, and a line on the
// standard error says so. What another agent's retransformation has removed before is gone.
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

// What reflection has told of classes.
using ToldParameters = std::vector<std::pair<jvm::GlobalRef<jclass>, NamedParameters>>;

class KeptParameters {
 public:
  // `vm_reads`: whether the memory of the VM may be read.
  KeptParameters(const jvm::Env& env, bool vm_reads)
      : parameters_(vm_reads ? jvm::VmParameters(env) : jvm::VmParameters()) {}

  // Runs something on a thread of the agent; whether it has begun.
  using Starter = std::function<bool(std::function<void()> work)>;

  // Before a change: asks reflection for those of classes where they cannot be read. Null if there
  // are none. Agent threads.
  [[nodiscard]] std::shared_ptr<const ToldParameters> tell(const jvm::Env& env,
                                                           std::span<const jclass> types,
                                                           const Starter& starter) const;

  // The class file with the attributes that the class has and the file lacks; none if it lacks
  // none. The environment needs the capability to read constant pools. Any thread.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> put_back(
      const jvm::Env& env, jclass type, std::span<const std::uint8_t> class_file,
      const ToldParameters* told) const;

 private:
  jvm::VmParameters parameters_;
};

}  // namespace jvmdebug::agent::code
