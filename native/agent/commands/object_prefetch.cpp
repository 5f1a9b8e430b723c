// SPDX-License-Identifier: Apache-2.0
#include "agent/commands/object_prefetch.h"

#include <algorithm>
#include <array>
#include <string_view>

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

// A larger constant pool of a class with a toString() is not sent, and no code of other methods
// without parameters that is longer than a getter.
constexpr std::size_t kMostConstants = std::size_t{16} * 1024;
constexpr std::size_t kLongestGetter = 8;
constexpr int kMostGetters = 20;
constexpr std::array<std::string_view, 5> kOfJdk{"Ljava/", "Ljavax/", "Ljdk/", "Lsun/",
                                                 "Lcom/sun/"};

bool is_of_jdk(std::string_view signature) {
  return std::ranges::any_of(kOfJdk,
                             [&](std::string_view each) { return signature.starts_with(each); });
}

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
  while (!queue_.empty() && !replies_.is_full() && replies_.size() < limits_.bytes) {
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
      own_text(type_of->type_id);
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

// Adds what tells whether the objects' toString() only joins fields: the methods of the class and
// of its superclasses up to the one that declares it, its code, that of getters, and the constants.
void ObjectPrefetch::own_text(protocol::ReferenceTypeId type_id) {
  if (!replies_.is_new("own text", type_id)) {
    return;
  }
  auto current = agent_.objects().type(type_id);
  while (current && *current) {
    const auto signature = agent_.jvmti().get_class_signature_only(*current);
    if (!signature || is_of_jdk(signature->view()) ||
        own_text_of(agent_.objects().type_id(*current), *current)) {
      return;
    }
    current = agent_.jni().superclass(*current);
  }
}

// The same for one class. Returns whether it declares toString().
bool ObjectPrefetch::own_text_of(protocol::ReferenceTypeId id, jclass type) {
  replies_.add_constant(reference_type::methods_with_generic, {.type_id = id});
  const jvm::Env& env = agent_.jvmti();
  const auto declared = env.get_class_methods(type);
  if (!declared) {
    return false;
  }
  std::vector<jmethodID> short_ones;
  jmethodID to_string = nullptr;
  for (auto* const method : *declared) {
    const auto names = env.get_method_name(method);
    if (!names || !names->signature.view().starts_with("()")) {
      continue;
    }
    if (names->name.view() == "toString") {
      to_string = method;
    } else if (short_ones.size() < kMostGetters && !names->name.view().starts_with('<')) {
      short_ones.push_back(method);
    }
  }
  const auto pool = to_string == nullptr
                        ? std::unexpected(jvm::Error{JVMTI_ERROR_ABSENT_INFORMATION})
                        : env.get_constant_pool(type);
  if (!pool || pool->bytes.size() > kMostConstants) {
    return to_string != nullptr;
  }
  replies_.add_constant(reference_type::constant_pool, {.type_id = id});
  const auto add_code = [&](jmethodID method) {
    replies_.add_constant(method::bytecodes,
                          {.type_id = id, .method_id = agent_.method_ids().id(method, type)});
  };
  add_code(to_string);
  for (auto* const method : short_ones) {
    const auto code = env.get_bytecodes(method);
    if (code && !code->empty() && code->size() <= kLongestGetter) {
      add_code(method);
    }
  }
  return true;
}

}  // namespace jvmdebug::agent::commands
