// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_parameters.h"

#include <array>
#include <cstddef>
#include <utility>

namespace jvmdebug::agent::jvm {
namespace {

// The first version that the agent supports, and the last one before JDK-8240908.
constexpr jint kFirstNeeded = 11;
constexpr jint kLastNeeded = 19;

}  // namespace

VmParameters::VmParameters(const Env& env) : VmParameters(exports_of(env), env.feature_version()) {}

VmParameters::VmParameters(const VmExports& exports, jint feature_version) {
  if (feature_version < kFirstNeeded || feature_version > kLastNeeded) {
    return;
  }
  Layout found;
  const std::array<WantedField, 3> fields{
      {{.type = "Method", .field = "_constMethod", .offset = &found.code},
       {.type = "ConstMethod", .field = "_constMethod_size", .offset = &found.size},
       {.type = "ConstMethod", .field = "_flags", .offset = &found.flags}}};
  const std::array<WantedConstant, 6> constants{
      {{.name = "ConstMethod::_has_generic_signature", .value = &found.has_signature},
       {.name = "ConstMethod::_has_method_parameters", .value = &found.has_parameters},
       {.name = "ConstMethod::_has_method_annotations", .value = &found.has_annotations},
       {.name = "ConstMethod::_has_parameter_annotations",
        .value = &found.has_parameter_annotations},
       {.name = "ConstMethod::_has_type_annotations", .value = &found.has_type_annotations},
       {.name = "ConstMethod::_has_default_annotations", .value = &found.has_default}}};
  if (find_fields(exports, fields) == fields.size() &&
      find_constants(exports, constants) == constants.size()) {
    layout_ = found;
  }
}

// A ConstMethod ends with, from the end: a word for each kind of annotations, the number of the
// generic signature, the count of the parameters, and the parameters.
std::optional<std::vector<VmParameter>> VmParameters::of(jmethodID method) const {
  constexpr std::uint16_t kMost = 255;  // the count is one byte in a class file
  if (!layout_) {
    return std::nullopt;
  }
  Address const id = reinterpret_cast<Address>(method);
  const auto version = read<Address>(id);
  const auto code = version ? read<Address>(*version + layout_->code) : std::nullopt;
  std::int32_t words = 0;
  std::uint16_t flags = 0;
  if (!code || !read(Field{.address = *code + layout_->size, .value = &words},
                     Field{.address = *code + layout_->flags, .value = &flags})) {
    return std::nullopt;
  }
  const auto has = [&](std::int32_t flag) { return (flags & flag) != 0; };
  if (!has(layout_->has_parameters) || words <= 0) {
    return std::nullopt;
  }
  std::int32_t behind = 0;
  for (const std::int32_t flag : {layout_->has_annotations, layout_->has_parameter_annotations,
                                  layout_->has_type_annotations, layout_->has_default}) {
    behind += has(flag) ? 1 : 0;
  }
  Address end = *code + static_cast<std::ptrdiff_t>(words - behind) * sizeof(void*);
  end -= has(layout_->has_signature) ? sizeof(std::uint16_t) : 0;
  end -= sizeof(std::uint16_t);
  const auto count = read<std::uint16_t>(end);
  if (!count || *count > kMost) {
    return std::nullopt;
  }
  std::vector<VmParameter> found;
  end -= *count * sizeof(VmParameter);
  for (std::size_t number = 0; number < *count; ++number) {
    const auto one = read<VmParameter>(end + number * sizeof(VmParameter));
    if (!one) {
      return std::nullopt;
    }
    found.push_back(*one);
  }
  return read<Address>(id) == version ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace jvmdebug::agent::jvm
