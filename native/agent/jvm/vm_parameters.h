// SPDX-License-Identifier: Apache-2.0
//
// Reads the attribute MethodParameters of a method from HotSpot's memory, see vm_memory.h.
// Reflection has it too, but loads the classes of all parameters, which the program would notice,
// and may wait for a lock of a suspended thread. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/vm_memory.h"
#include "agent/jvm/vm_structures.h"

namespace jvmdebug::agent::jvm {

struct VmParameter {
  std::uint16_t name = 0;  // a constant of the class; 0: it has none
  std::uint16_t access = 0;

  friend bool operator==(const VmParameter&, const VmParameter&) = default;
};

class VmParameters {
 public:
  // Whether the VM loses the attribute when it makes a class file of a class.
  [[nodiscard]] static bool are_needed(const Env& env);

  VmParameters() = default;  // for a VM that is not read
  explicit VmParameters(const Env& env);
  VmParameters(const VmExports& exports, jint feature_version);

  using OfMethod = std::optional<std::vector<VmParameter>>;

  // Returns the parameters of the newest version of each method; none if the method lacks the
  // attribute. Nothing if the VM cannot be read, or a method is being redefined.
  [[nodiscard]] std::optional<std::vector<OfMethod>> of(std::span<const jmethodID> methods) const;

 private:
  struct Layout {
    std::uint64_t code = 0;   // Method._constMethod
    std::uint64_t size = 0;   // ConstMethod._constMethod_size, in words
    std::uint64_t flags = 0;  // ConstMethod._flags
    std::int32_t has_signature = 0;
    std::int32_t has_parameters = 0;
    // A method has one word behind the parameters for each of these flags that is set.
    std::int32_t has_annotations = 0;
    std::int32_t has_parameter_annotations = 0;
    std::int32_t has_type_annotations = 0;
    std::int32_t has_default = 0;
  };

  // Returns where the parameters of a method end, before their count; null if it has none.
  [[nodiscard]] static Address end_of(const Layout& layout, Address code, std::int32_t words,
                                      std::uint16_t flags);

  std::optional<Layout> layout_;
};

}  // namespace jvmdebug::agent::jvm
