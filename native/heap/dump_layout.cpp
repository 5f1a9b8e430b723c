// SPDX-License-Identifier: Apache-2.0
//
// The part of Dump after its records were read: maps ids to objects, and finds the classes of
// objects, the places of their references, and their sizes.
#include <algorithm>
#include <array>
#include <bit>

#include "heap/dump.h"
#include "heap/names.h"
#include "heap/records.h"

namespace jvmdebug::heap {
namespace {

// Fibonacci hashing: ids are addresses, multiples of 8.
std::size_t hash(std::uint64_t id) {
  constexpr std::uint64_t kGolden = 0x9E37'79B9'7F4A'7C15;
  constexpr unsigned kUpper = 32;
  const std::uint64_t product = (id >> 3U) * kGolden;
  return static_cast<std::size_t>(product ^ (product >> kUpper));
}

constexpr std::array kWeakReferences{std::string_view("java.lang.ref.WeakReference"),
                                     std::string_view("java.lang.ref.PhantomReference")};

}  // namespace

void Dump::finish() {
  fill_table();
  choose_sizes();
  const auto named = [this](std::string_view name) {
    const auto found = std::ranges::find(classes_, name, &ClassOf::name);
    return found == classes_.end() ? kNone : static_cast<std::uint32_t>(found - classes_.begin());
  };
  class_class_ = named("java.lang.Class");
  if (class_class_ == kNone) {
    class_class_ = class_with(0);
    classes_[class_class_].name = "java.lang.Class";
  }
  resolve_types();
  for (ClassOf& type : classes_) {
    lay_out(type);
  }
  resolve_roots();
}

void Dump::fill_table() {
  constexpr std::size_t kSmallest = 16;
  const std::size_t size = std::bit_ceil(std::max(kSmallest, ids_.size() + ids_.size() / 2));
  table_.assign(size, kNone);
  mask_ = size - 1;
  for (Object object = 0; object < ids_.size(); ++object) {
    std::size_t at = hash(ids_[object]) & mask_;
    while (table_[at] != kNone) {
      at = (at + 1) & mask_;
    }
    table_[at] = object;
  }
}

Object Dump::find(std::uint64_t id) const {
  if (id == 0) {
    return kNone;
  }
  for (std::size_t at = hash(id) & mask_; table_[at] != kNone; at = (at + 1) & mask_) {
    if (ids_[table_[at]] == id) {
      return table_[at];
    }
  }
  return kNone;
}

// Chooses sizes as of a VM with a heap below 32 GB: references of 4 bytes, headers of 12.
void Dump::choose_sizes() {
  constexpr std::uint64_t kCompressible = std::uint64_t{32} << 30U;
  constexpr std::uint32_t kWideHeader = 16;
  if (id_size_ == sizeof(std::uint32_t)) {
    header_size_ = 8;
    return;
  }
  if (!ids_.empty() && *std::ranges::max_element(ids_) >= kCompressible) {
    reference_size_ = 8;
    header_size_ = kWideHeader;
  }
}

std::uint64_t Dump::aligned(std::uint64_t size) const {
  constexpr std::uint64_t kAlignment = 8;
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint32_t Dump::primitive_array_class(BasicType type) {
  constexpr std::string_view kLetters = "ZCFDBSIJ";
  const auto number =
      static_cast<std::size_t>(type) - static_cast<std::size_t>(BasicType::kBoolean);
  const std::string internal = {'[', kLetters[number]};
  const std::string name = java_name(internal);
  const auto found = std::ranges::find(classes_, name, &ClassOf::name);
  if (found != classes_.end()) {
    return static_cast<std::uint32_t>(found - classes_.begin());
  }
  classes_.push_back({.name = name});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

void Dump::resolve_types() {
  constexpr std::size_t kTypes = 12;
  std::array<std::uint32_t, kTypes> primitive_arrays{};
  primitive_arrays.fill(kNone);
  types_.resize(positions_.size());
  std::uint64_t last_id = 0;
  std::uint32_t last = kNone;
  for (Object object = 0; object < positions_.size(); ++object) {
    Cursor record = cursor_at(positions_[object]);
    const std::uint8_t tag = record.u1();
    if (tag == tags::kClass) {
      types_[object] = class_class_;
      continue;
    }
    record.skip(id_size_ + sizeof(std::uint32_t));
    if (tag == tags::kPrimitiveArray || tag == tags::kArrayWithoutContents) {
      record.skip(sizeof(std::uint32_t));
      const std::uint8_t type = record.u1();
      std::uint32_t& known = primitive_arrays.at(type);
      if (known == kNone) {
        known = primitive_array_class(static_cast<BasicType>(type));
      }
      types_[object] = known;
      continue;
    }
    if (tag == tags::kObjectArray) {
      record.skip(sizeof(std::uint32_t));
    }
    const std::uint64_t id = record.id();
    if (id != last_id || last == kNone) {
      last_id = id;
      last = class_with(id);
    }
    types_[object] = last;
  }
}

const ClassOf* Dump::superclass(const ClassOf& type) const {
  const auto found = class_numbers_.find(type.super_id);
  return type.super_id == 0 || found == class_numbers_.end() ? nullptr : &classes_[found->second];
}

void Dump::lay_out(ClassOf& type) {
  std::uint32_t offset = 0;
  std::uint64_t size = header_size_;
  std::size_t depth = 0;
  bool is_weak = false;
  for (const ClassOf* each = &type; each != nullptr; each = superclass(*each)) {
    if (++depth > classes_.size()) {
      throw DumpError("has a class that is its own superclass: " + type.name);
    }
    is_weak |= std::ranges::find(kWeakReferences, each->name) != kWeakReferences.end();
    for (const FieldOf& field : each->fields) {
      const bool is_reference = field.type == BasicType::kObject;
      if (is_reference) {
        const bool is_referent = is_weak && field.name == "referent";
        type.references.push_back({.offset = offset, .name = field.name, .is_weak = is_referent});
      }
      size += is_reference ? reference_size_ : size_of(field.type);
      offset += static_cast<std::uint32_t>(size_of(field.type));
    }
  }
  type.shallow_size = static_cast<std::uint32_t>(aligned(size));
}

void Dump::resolve_roots() {
  std::size_t kept = 0;
  for (std::size_t index = 0; index < roots_.size(); ++index) {
    RootOf root = roots_[index];
    root.object = find(root_ids_[index]);
    if (root.object != kNone) {
      roots_[kept++] = root;
    }
  }
  roots_.resize(kept);
  root_ids_ = {};
}

Cursor Dump::cursor_at(std::size_t position) const {
  const auto file = file_.bytes();
  return position < file.size() ? Cursor(file, id_size_, position)
                                : Cursor(joined_, id_size_, position - file.size());
}

Shape Dump::shape_of(Object object) const {
  switch (*at(positions_[object])) {
    case tags::kClass:
      return Shape::kClass;
    case tags::kInstance:
      return Shape::kInstance;
    case tags::kObjectArray:
      return Shape::kObjectArray;
    default:
      return Shape::kPrimitiveArray;
  }
}

std::uint32_t Dump::class_of_mirror(Object object) const {
  const auto found = class_numbers_.find(ids_[object]);
  return shape_of(object) != Shape::kClass || found == class_numbers_.end() ? kNone : found->second;
}

std::uint32_t Dump::length_of(Object object) const {
  const Shape shape = shape_of(object);
  if (shape == Shape::kInstance || shape == Shape::kClass) {
    return 0;
  }
  return load<std::uint32_t>(at(positions_[object] + 1 + id_size_ + 4));
}

BasicType Dump::element_type(Object object) const {
  if (shape_of(object) != Shape::kPrimitiveArray) {
    return BasicType::kObject;
  }
  return static_cast<BasicType>(*at(positions_[object] + 1 + id_size_ + 4 + 4));
}

std::span<const std::uint8_t> Dump::contents(Object object) const {
  Cursor record = cursor_at(positions_[object]);
  const std::uint8_t tag = record.u1();
  record.skip(id_size_ + sizeof(std::uint32_t));
  switch (tag) {
    case tags::kInstance:
      record.skip(id_size_);
      return record.take(record.u4());
    case tags::kObjectArray: {
      const std::size_t length = record.u4();
      record.skip(id_size_);
      return record.take(length * id_size_);
    }
    case tags::kPrimitiveArray: {
      const std::size_t length = record.u4();
      const std::size_t size = size_of(static_cast<BasicType>(record.u1()));
      return record.take(length * size);
    }
    default:
      return {};
  }
}

std::uint64_t Dump::shallow_size(Object object) const {
  const Shape shape = shape_of(object);
  if (shape == Shape::kInstance) {
    return class_of(object).shallow_size;
  }
  if (shape == Shape::kClass) {
    const std::uint32_t number = class_of_mirror(object);
    std::uint64_t size = header_size_;
    for (const FieldOf& field : classes_[number].statics) {
      size += field.type == BasicType::kObject ? reference_size_ : size_of(field.type);
    }
    return aligned(size);
  }
  const std::uint64_t element =
      shape == Shape::kObjectArray ? reference_size_ : size_of(element_type(object));
  const std::uint64_t header = header_size_ + sizeof(std::uint32_t);
  return aligned(header + element * length_of(object));
}

Dump::Place Dump::field(std::uint32_t class_index, std::string_view name) const {
  std::uint32_t offset = 0;
  for (const ClassOf* each = &classes_[class_index]; each != nullptr; each = superclass(*each)) {
    for (const FieldOf& field : each->fields) {
      if (field.name == name) {
        return {.offset = offset, .type = field.type, .found = true};
      }
      offset += static_cast<std::uint32_t>(size_of(field.type));
    }
  }
  return {};
}

std::vector<FrameOf> Dump::frames_of(std::uint32_t thread) const {
  std::vector<FrameOf> frames;
  const auto known = threads_.find(thread);
  const auto trace = known == threads_.end() ? traces_.end() : traces_.find(known->second.trace);
  if (trace == traces_.end()) {
    return frames;
  }
  for (const std::uint64_t id : trace->second) {
    const auto frame = frames_.find(id);
    frames.push_back(frame == frames_.end() ? FrameOf{} : frame->second);
  }
  return frames;
}

std::string_view Dump::thread_name(std::uint32_t thread) const {
  const auto known = thread_names_.find(thread);
  return known == thread_names_.end() ? std::string_view() : known->second;
}

Object Dump::thread_object(std::uint32_t thread) const {
  const auto known = threads_.find(thread);
  return known == threads_.end() ? kNone : find(known->second.object);
}

}  // namespace jvmdebug::heap
