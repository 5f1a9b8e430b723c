// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/vm_parameters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace jvmdebug::agent::jvm {
namespace {

// The first version that the agent supports, and the last one before JDK-8240908.
constexpr jint kFirstNeeded = 11;
constexpr jint kLastNeeded = 19;

// A field of each of these structures.
template <class T>
std::optional<std::vector<T>> read_at(VmMemory& memory,
                                      const std::optional<std::vector<Address>>& structures,
                                      std::uint64_t offset) {
  if (!structures) {
    return std::nullopt;
  }
  std::vector<Address> addresses(*structures);
  for (Address& each : addresses) {
    each += offset;
  }
  return memory.read_each<T>(addresses);
}

}  // namespace

bool VmParameters::are_needed(const Env& env) {
  return env.feature_version() >= kFirstNeeded && env.feature_version() <= kLastNeeded;
}

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

// Finds the end of the parameters. A ConstMethod ends with, from the end: a word for each kind of
// annotations, the number of the generic signature, the count of the parameters, and the
// parameters.
Address VmParameters::end_of(const Layout& layout, Address code, std::int32_t words,
                             std::uint16_t flags) {
  const auto has = [&](std::int32_t flag) { return (flags & flag) != 0; };
  if (!has(layout.has_parameters) || words <= 0) {
    return nullptr;
  }
  std::int32_t behind = 0;
  for (const std::int32_t flag : {layout.has_annotations, layout.has_parameter_annotations,
                                  layout.has_type_annotations, layout.has_default}) {
    behind += has(flag) ? 1 : 0;
  }
  const auto size = static_cast<std::size_t>(words - behind) * sizeof(void*);
  return code + size - sizeof(std::uint16_t) * (has(layout.has_signature) ? 2 : 1);
}

std::optional<std::vector<VmParameters::OfMethod>> VmParameters::of(
    std::span<const jmethodID> methods) const {
  constexpr std::uint16_t kMost = 255;  // the count is one byte in a class file
  if (!layout_) {
    return std::nullopt;
  }
  std::vector<OfMethod> found(methods.size());
  const Layout& layout = *layout_;
  VmMemory memory;
  std::vector<Address> ids;
  for (auto* const method : methods) {
    ids.push_back(reinterpret_cast<Address>(method));
  }
  const auto versions = memory.read_each<Address>(ids);
  const auto codes = read_at<Address>(memory, versions, layout.code);
  const auto words = read_at<std::int32_t>(memory, codes, layout.size);
  const auto flags = read_at<std::uint16_t>(memory, codes, layout.flags);
  if (!codes || !words || !flags) {
    return std::nullopt;
  }
  std::vector<std::size_t> numbers;  // of the methods that have parameters
  std::vector<Address> ends;
  for (std::size_t number = 0; number < methods.size(); ++number) {
    if (const auto* const end =
            end_of(layout, (*codes)[number], (*words)[number], (*flags)[number])) {
      numbers.push_back(number);
      ends.push_back(end);
    }
  }
  const auto counts = memory.read_each<std::uint16_t>(ends);
  if (!counts || std::ranges::any_of(*counts, [](auto count) { return count > kMost; })) {
    return std::nullopt;
  }
  std::vector<Range> ranges;
  for (std::size_t at = 0; at < ends.size(); ++at) {
    const std::size_t size = (*counts)[at] * sizeof(VmParameter);
    ranges.push_back({.address = ends[at] - size, .size = size});
  }
  std::vector<VmParameter> all(std::accumulate(counts->begin(), counts->end(), std::size_t{0}));
  if (!memory.read(ranges, std::as_writable_bytes(std::span(all))) ||
      memory.read_each<Address>(ids) != versions) {
    return std::nullopt;
  }
  auto next = all.begin();
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    found[numbers[at]] = std::vector<VmParameter>(next, next + (*counts)[at]);
    next += (*counts)[at];
  }
  return found;
}

}  // namespace jvmdebug::agent::jvm
