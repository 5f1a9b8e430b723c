// SPDX-License-Identifier: Apache-2.0
#include "agent/commands/object_prefetch.h"

#include <algorithm>

#include "agent/commands/generated/handlers.h"
#include "agent/ids/field_ids.h"
#include "codec/reader.h"

namespace jvmdebug::agent::commands {

namespace {

using protocol::Tag;

constexpr std::size_t kMostFields = 40;
constexpr std::int32_t kMostElements = 32;
constexpr jsize kLongestString = 1024;

constexpr std::uint32_t kStatic = 0x0008;

}  // namespace

void ObjectPrefetch::found(const protocol::TaggedObject& object, int depth) {
  if (!object.id.is_null() && depth <= kDeepest && seen_.size() < limits_.objects &&
      seen_.insert(object.id.raw).second) {
    queue_.push_back({object, depth});
  }
}

void ObjectPrefetch::found(const protocol::Value& value, int depth) {
  if (protocol::is_object(value.tag)) {
    found(protocol::TaggedObject{value.tag, protocol::ObjectId{value.bits}}, depth);
  }
}

void ObjectPrefetch::describe() {
  while (!queue_.empty() && replies_.size() < limits_.bytes) {
    const Found next = queue_.front();
    queue_.pop_front();
    describe(next);
  }
}

void ObjectPrefetch::type(protocol::ReferenceTypeId id) {
  replies_.add_constant(reference_type::signature_with_generic, {.type_id = id});
}

void ObjectPrefetch::describe(const Found& next) {
  const protocol::ObjectId id = next.object.id;
  const auto type_of = replies_.add(object_reference::reference_type, {.object = id});
  if (!type_of) {
    return;  // collected
  }
  type(type_of->type_id);
  switch (next.object.tag) {
    case Tag::kString:
      (void)members(type_of->type_id);
      string(id);
      break;
    case Tag::kArray:
      array(protocol::ArrayId{id.raw}, next.depth);
      break;
    case Tag::kObject:
      fields(next, type_of->type_id);
      break;
    default:
      break;  // threads and classes say little by their fields
  }
}

void ObjectPrefetch::string(protocol::ObjectId id) {
  const auto string = agent_.objects().string(protocol::StringId{id.raw});
  if (string && agent_.jni()->GetStringLength(*string) <= kLongestString) {
    (void)replies_.add(string_reference::value, {.string = id});
  }
}

void ObjectPrefetch::array(protocol::ArrayId id, int depth) {
  const auto length = replies_.add(array_reference::length, {.array = id});
  if (!length || !with_contents_ || length->length == 0) {
    return;
  }
  const auto elements = replies_.add(
      array_reference::get_values,
      {.array = id, .first_index = 0, .length = std::min(length->length, kMostElements)});
  if (elements) {
    for (const protocol::Value& value : codec::values_of(elements->values)) {
      found(value, depth + 1);
    }
  }
}

void ObjectPrefetch::fields(const Found& next, protocol::ReferenceTypeId type_id) {
  const auto& fields = members(type_id);
  if (!with_contents_ || fields.empty() || fields.size() > kMostFields) {
    return;
  }
  const auto values =
      replies_.add(object_reference::get_values, {.object = next.object.id, .fields = fields});
  if (values) {
    for (const protocol::Value& value : values->values) {
      found(value, next.depth + 1);
    }
  }
}

// Adds what tells whether a class is of an interface: a debugger asks which view fits its objects.
void ObjectPrefetch::interface(protocol::ReferenceTypeId id) {
  if (!interfaces_.insert(id.raw).second) {
    return;
  }
  type(id);
  replies_.add_constant(reference_type::fields_with_generic, {.type_id = id});
  replies_.add_constant(reference_type::interfaces, {.type_id = id});
  const auto found = agent_.objects().type(id);
  if (!found) {
    return;
  }
  if (const auto above = agent_.jvmti().get_implemented_interfaces(*found)) {
    for (auto* const each : *above) {
      interface(agent_.objects().type_id(each));
    }
  }
}

// Returns the instance fields, those of the class first, then those of its superclasses; adds the
// constant replies about the classes on the way.
const std::vector<protocol::FieldId>& ObjectPrefetch::members(protocol::ReferenceTypeId type_id) {
  const auto [known, is_new] = members_.try_emplace(type_id.raw);
  std::vector<protocol::FieldId>& members = known->second;
  if (!is_new) {
    return members;
  }
  const jvm::Env& env = agent_.jvmti();
  auto current = agent_.objects().type(type_id);
  while (current && *current) {
    const protocol::ReferenceTypeId id = agent_.objects().type_id(*current);
    type(id);
    replies_.add_constant(reference_type::fields_with_generic, {.type_id = id});
    replies_.add_constant(class_type::superclass, {.type_id = protocol::ClassId{id.raw}});
    // The evaluator requests this for an expression that names a member of the class.
    replies_.add_constant(reference_type::interfaces, {.type_id = id});
    replies_.add_constant(reference_type::modifiers, {.type_id = id});
    replies_.add_constant(reference_type::class_loader, {.type_id = id});
    if (const auto above = env.get_implemented_interfaces(*current)) {
      for (auto* const each : *above) {
        interface(agent_.objects().type_id(each));
      }
    }
    const auto declared = env.get_class_fields(*current);
    if (!declared) {
      members.clear();
      break;
    }
    for (auto* const field : *declared) {
      const auto modifiers = env.get_field_modifiers(*current, field);
      if (modifiers && (static_cast<std::uint32_t>(*modifiers) & kStatic) == 0) {
        members.push_back(ids::FieldIds::id(field));
      }
    }
    current = agent_.jni().superclass(*current);
  }
  return members;
}

}  // namespace jvmdebug::agent::commands
