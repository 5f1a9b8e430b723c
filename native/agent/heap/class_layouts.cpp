// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/class_layouts.h"

#include <algorithm>
#include <utility>

#include "agent/heap/hprof_tags.h"

namespace jvmdebug::agent::heap {
namespace {

constexpr jint kStatic = 0x0008;

}  // namespace

std::uint32_t size_in_dump(char type) {
  switch (type) {
    case 'Z':
    case 'B':
      return 1;
    case 'C':
    case 'S':
      return 2;
    case 'I':
    case 'F':
      return 4;
    case 'J':
    case 'D':
      return 8;
    default:
      return kIdSize;
  }
}

jvm::Result<ClassLayouts> ClassLayouts::create(const jvm::Env& env) {
  JVMDEBUG_ASSIGN(const auto types, env.get_loaded_classes());
  const jvm::Jni jni = env.jni();
  ClassLayouts layouts;
  layouts.classes_.resize(types.size());
  jlong tag = 0;
  for (jclass type : types) {
    JVMDEBUG_CHECK(env.set_tag(type, ++tag));
  }
  std::size_t number = 0;
  for (jclass type : types) {
    const auto owned = jni.adopt(type);
    // A class that is not prepared has no fields yet, and no instances.
    (void)layouts.describe(env, type, layouts.classes_[number++]);
  }
  std::vector<bool> done(types.size());
  for (number = 0; number < types.size(); ++number) {
    layouts.inherit_interfaces(number, done);
  }
  done.assign(types.size(), false);
  for (number = 0; number < types.size(); ++number) {
    layouts.lay_out(number, done);
  }
  return layouts;
}

jvm::Result<void> ClassLayouts::describe(const jvm::Env& env, jclass type, ClassLayout& layout) {
  const jvm::Jni jni = env.jni();
  JVMDEBUG_ASSIGN(const auto signature, env.get_class_signature_only(type));
  layout.signature = signature.view();
  layout.is_array = layout.signature.starts_with('[');
  layout.is_object_array = layout.signature.starts_with("[[") || layout.signature.starts_with("[L");
  if (const auto above = jni.superclass(type)) {
    JVMDEBUG_ASSIGN(layout.super_tag, env.get_tag(above));
  }
  if (layout.is_array) {
    return {};
  }
  JVMDEBUG_ASSIGN(const auto interfaces, env.get_implemented_interfaces(type));
  for (jclass each : interfaces) {
    const auto owned = jni.adopt(each);
    JVMDEBUG_ASSIGN(const jlong tag, env.get_tag(each));
    layout.interface_tags.push_back(tag);
  }
  JVMDEBUG_ASSIGN(const auto fields, env.get_class_fields(type));
  for (jfieldID each : fields) {
    JVMDEBUG_ASSIGN(const auto names, env.get_field_name(type, each));
    JVMDEBUG_ASSIGN(const jint modifiers, env.get_field_modifiers(type, each));
    FieldLayout field{.name = std::string(names.name.view()), .type = names.signature.view()[0]};
    field.is_static = (modifiers & kStatic) != 0;
    layout.static_count += field.is_static ? 1 : 0;
    layout.fields.push_back(std::move(field));
  }
  layout.static_values.resize(layout.static_count);
  return {};
}

// Adds the interfaces of the superclass and the superinterfaces.
void ClassLayouts::inherit_interfaces(std::size_t number, std::vector<bool>& done) {
  if (done[number]) {
    return;
  }
  done[number] = true;
  ClassLayout& type = classes_[number];
  std::vector<jlong> above = type.interface_tags;
  above.push_back(type.super_tag);
  for (const jlong tag : above) {
    if (ClassLayout* each = with_tag(tag)) {
      inherit_interfaces(static_cast<std::size_t>(tag) - 1, done);
      type.interface_tags.insert(type.interface_tags.end(), each->interface_tags.begin(),
                                 each->interface_tags.end());
    }
  }
  std::ranges::sort(type.interface_tags);
  const auto rest = std::ranges::unique(type.interface_tags);
  type.interface_tags.erase(rest.begin(), rest.end());
}

// Computes indices and offsets of fields. JVM TI numbers the fields of all interfaces first, then
// those of the classes from the topmost one down. In the record the fields of the class itself come
// first, then those of the superclass.
void ClassLayouts::lay_out(std::size_t number, std::vector<bool>& done) {
  if (done[number]) {
    return;
  }
  done[number] = true;
  ClassLayout& type = classes_[number];
  const auto fields_of_interfaces = [this](const ClassLayout& each) {
    std::size_t count = 0;
    for (const jlong tag : each.interface_tags) {
      const ClassLayout* found = with_tag(tag);
      count += found == nullptr ? 0 : found->fields.size();
    }
    return count;
  };
  type.first_index = fields_of_interfaces(type);
  std::uint32_t inherited = 0;
  if (const ClassLayout* above = with_tag(type.super_tag)) {
    lay_out(static_cast<std::size_t>(type.super_tag) - 1, done);
    const std::size_t of_classes = above->first_index - fields_of_interfaces(*above);
    type.first_index += of_classes + above->fields.size();
    inherited = above->record_size;
  }
  std::uint32_t own = 0;
  std::uint32_t statics = 0;
  for (FieldLayout& field : type.fields) {
    field.place = field.is_static ? statics++ : own;
    own += field.is_static ? 0 : size_in_dump(field.type);
  }
  type.record_size = own + inherited;
}

ClassLayouts::FoundField ClassLayouts::field(const ClassLayout& type, std::size_t index) {
  const ClassLayout* each = &type;
  std::size_t first = type.first_index;
  while (index < first) {
    each = with_tag(each->super_tag);
    if (each == nullptr || each->fields.size() > first) {
      return {.type = 0};
    }
    first -= each->fields.size();
  }
  if (index - first >= each->fields.size()) {
    return {.type = 0};
  }
  const FieldLayout& found = each->fields[index - first];
  const std::uint32_t before = type.record_size - each->record_size;
  return {.type = found.type, .place = found.place + (found.is_static ? 0 : before)};
}

}  // namespace jvmdebug::agent::heap
