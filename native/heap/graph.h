// SPDX-License-Identifier: Apache-2.0
//
// The graph of references between objects, in both directions: 8 bytes for each reference and 16
// for each object. Weak and phantom references do not count, because they keep nothing alive. A
// class loader refers to its classes. Used by Dominators and to find paths; the name of a reference
// is looked up on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heap/dump.h"

namespace jvmdebug::heap {

// Calls `visit(target id, via)` for each reference that is not null and not weak; via is the offset
// of a field in the instance, the index of an element or of a static field.
template <class Visit>
void for_each_reference(const Dump& dump, Object object, const Visit& visit) {
  const std::span<const std::uint8_t> contents = dump.contents(object);
  const std::size_t id_size = dump.id_size();
  switch (dump.shape_of(object)) {
    case Shape::kInstance:
      for (const auto& reference : dump.class_of(object).references) {
        if (!reference.is_weak && reference.offset + id_size <= contents.size()) {
          visit(dump.id_at(&contents[reference.offset]), reference.offset);
        }
      }
      break;
    case Shape::kObjectArray:
      for (std::size_t at = 0; at < contents.size(); at += id_size) {
        visit(dump.id_at(&contents[at]), static_cast<std::uint32_t>(at / id_size));
      }
      break;
    case Shape::kClass: {
      const ClassOf& type = dump.classes()[dump.class_of_mirror(object)];
      std::uint32_t index = 0;
      for (const FieldOf& field : type.statics) {
        if (field.type == BasicType::kObject) {
          visit(dump.id_at(dump.at(field.position)), index);
        }
        ++index;
      }
      break;
    }
    case Shape::kPrimitiveArray:
      break;
  }
}

class Graph {
 public:
  Graph(const Dump& dump, const Progress& progress);

  [[nodiscard]] std::span<const Object> from(Object object) const {
    return slice(out_starts_, out_, object);
  }

  [[nodiscard]] std::span<const Object> to(Object object) const {
    return slice(in_starts_, in_, object);
  }

  [[nodiscard]] std::size_t reference_count() const { return out_.size(); }

  // Returns the number of the object's first root among those of the dump; kNone if it is not a
  // root.
  [[nodiscard]] std::uint32_t root_of(Object object) const { return root_of_[object]; }

  // Returns how `from` refers to `to`: `.name`, `[3]`, or `.NAME` for a static field.
  [[nodiscard]] std::string name_of(Object from, Object to) const;

  // One of the shortest ways from a root to the object, beginning with the root.
  struct Path {
    std::uint32_t root = kNone;
    std::vector<Object> objects;
  };

  // Returns at most `most` paths, each from another root or by another first step; shortest first.
  // Empty for an object that nothing keeps alive. A path that reaches a class ends there, because a
  // static field explains enough; its root is kNone.
  [[nodiscard]] std::vector<Path> paths_to_roots(Object object, std::size_t most) const;

 private:
  [[nodiscard]] std::vector<Path> search(Object object, std::size_t most, bool ends_at_class) const;

  [[nodiscard]] static std::span<const Object> slice(const std::vector<std::uint64_t>& starts,
                                                     const std::vector<Object>& all,
                                                     Object object) {
    return std::span(all).subspan(starts[object], starts[object + 1] - starts[object]);
  }

  void collect(const Progress& progress);
  void invert();

  const Dump& dump_;
  std::vector<std::uint64_t> out_starts_;
  std::vector<Object> out_;
  std::vector<std::uint64_t> in_starts_;
  std::vector<Object> in_;
  std::vector<std::uint32_t> root_of_;
};

}  // namespace jvmdebug::heap
