// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/frame_values.h"

#include <algorithm>
#include <utility>

namespace jvmdebug::agent::probes {

FrameValues::FrameValues(const jvm::Jni& jni, std::span<const Load> loads, jobjectArray references,
                         jlongArray others, jint height)
    : height_(height) {
  jsize next_reference = 0;
  jsize next_other = 0;
  const jsize all_references = references == nullptr ? 0 : jni->GetArrayLength(references);
  const jsize all_others = others == nullptr ? 0 : jni->GetArrayLength(others);
  values_.reserve(loads.size());
  for (const Load& load : loads) {
    const bool is_array = load.type == kArrayStore;
    if (is_array || load.type == kFieldStore) {  // array and index, or the object; then the value
      const bool is_reference = load.slot == 'A';
      next_reference += is_reference ? 2 : 1;
      next_other += (is_reference ? 0 : 1) + (is_array ? 1 : 0);
      continue;
    }
    Kept kept{.load = load, .bits = 0, .reference = {}};
    if (load.type == 'A') {
      if (next_reference >= all_references) {
        continue;
      }
      const auto object = jni.adopt(jni->GetObjectArrayElement(references, next_reference++));
      if (object) {
        kept.reference = jni.global(object.get());
      }
    } else {
      if (next_other >= all_others) {
        continue;
      }
      jni->GetLongArrayRegion(others, next_other++, 1, &kept.bits);
    }
    values_.push_back(std::move(kept));
  }
}

std::optional<SlotValue> FrameValues::at(jint slot) const {
  const auto found = std::ranges::find_if(
      values_, [&](const Kept& kept) { return std::cmp_equal(kept.load.slot, slot); });
  if (found == values_.end()) {
    return std::nullopt;
  }
  return SlotValue{
      .type = found->load.type, .bits = found->bits, .reference = found->reference.get()};
}

}  // namespace jvmdebug::agent::probes
