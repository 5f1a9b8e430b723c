// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/field_ids.h"

#include <algorithm>
#include <string>
#include <utility>

namespace jvmdebug::agent::ids {
namespace {

// JVM specification, table 4.5-A.
constexpr jint kStatic = 0x0008;
constexpr jint kFinal = 0x0010;

}  // namespace

Result<Field> FieldIds::declared(jclass type, protocol::FieldId id) {
  const jvm::Lock lock(objects_.monitor());
  const Fields& fields = fields_of(type);
  const auto found = fields.find(id.raw);
  if (found == fields.end()) {
    return fail(protocol::Error::kInvalidFieldid);
  }
  const Entry& entry = found->second;
  return Field{env_.jni().local(type), entry.id, entry.signature, (entry.modifiers & kStatic) != 0,
               (entry.modifiers & kFinal) != 0};
}

Result<Field> FieldIds::member(jclass type, protocol::FieldId id) {
  const jvm::Jni jni = env_.jni();
  for (auto current = jni.local(type); current; current = jni.superclass(current)) {
    if (auto field = declared(current, id)) {
      return field;
    }
    const auto interfaces = env_.get_implemented_interfaces(current);
    if (!interfaces) {
      continue;  // not prepared: no field of it can be found either
    }
    for (auto* const raw : *interfaces) {
      const auto interface = jni.adopt(raw);
      if (auto field = member(interface, id)) {
        return field;
      }
    }
  }
  return fail(protocol::Error::kInvalidFieldid);
}

const FieldIds::Fields& FieldIds::fields_of(jclass type) {
  static const Fields kNone;
  sweep_if_grown();
  const std::uint64_t key = objects_.key(type);
  if (const auto known = by_class_.find(key); known != by_class_.end()) {
    return known->second;
  }
  const auto listed = env_.get_class_fields(type);
  if (!listed) {
    return kNone;  // not prepared yet: ask again the next time
  }
  Fields fields;
  for (auto* const field : *listed) {
    const auto names = env_.get_field_name(type, field);
    const auto modifiers = env_.get_field_modifiers(type, field);
    if (names && modifiers) {
      fields.emplace(reinterpret_cast<std::uintptr_t>(field),
                     Entry{field, std::string(names->signature.view()), *modifiers});
    }
  }
  return by_class_.emplace(key, std::move(fields)).first->second;
}

void FieldIds::clear() {
  const jvm::Lock lock(objects_.monitor());
  by_class_.clear();
}

void FieldIds::sweep_if_grown() {
  if (by_class_.size() < sweep_at_) {
    return;
  }
  std::erase_if(by_class_, [&](const auto& item) { return !objects_.is_alive(item.first); });
  sweep_at_ = std::max<std::size_t>(256, by_class_.size() * 2);
}

}  // namespace jvmdebug::agent::ids
