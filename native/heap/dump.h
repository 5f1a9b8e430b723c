// SPDX-License-Identifier: Apache-2.0
//
// A heap dump in the format HPROF 1.0.1 or 1.0.2, as written by the JDK, our agent and others: the
// objects, their positions in the file, their classes, and the roots. Read in one pass over the
// file, with 24 bytes of memory for each object and the table of ids; contents stay in the file. An
// object is a number, in the order of the file. Owns the file; Graph, Dominators and Strings build
// on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heap/cursor.h"
#include "heap/mapped_file.h"

namespace jvmdebug::heap {

using Object = std::uint32_t;
inline constexpr Object kNone = 0xFFFF'FFFF;

// Types of fields and elements, as HPROF numbers them.
enum class BasicType : std::uint8_t {
  kObject = 2,
  kBoolean = 4,
  kChar = 5,
  kFloat = 6,
  kDouble = 7,
  kByte = 8,
  kShort = 9,
  kInt = 10,
  kLong = 11,
};

enum class Shape : std::uint8_t { kInstance, kObjectArray, kPrimitiveArray, kClass };

struct FieldOf {
  std::string_view name;
  BasicType type = BasicType::kObject;
  std::size_t position = 0;  // if static: where its value is, for Dump::at
};

struct ClassOf {
  std::uint64_t id = 0;
  std::string name = {};  // in the form of Java: shop.Cart$Item, int[][]
  std::uint64_t super_id = 0;
  std::uint64_t loader_id = 0;
  std::vector<FieldOf> statics = {};
  std::vector<FieldOf> fields = {};  // its own

  // A reference field of instances, including inherited ones.
  struct Reference {
    std::uint32_t offset = 0;
    std::string_view name;
    bool is_weak = false;
  };

  std::vector<Reference> references = {};
  std::uint32_t shallow_size = 0;  // of an instance
  bool is_known = false;           // the dump has its record
};

struct RootOf {
  Object object = kNone;
  std::uint8_t kind = 0;     // the tag of the record
  std::uint32_t thread = 0;  // serial number, 0 for none
  std::int32_t frame = -1;   // depth in the stack, -1 for none
  std::int32_t slot = -1;    // of a local variable; only in dumps of our agent
};

struct FrameOf {
  std::string method;
  std::string class_name;
  std::string source;
  std::int32_t line = -1;
};

// Called with the progress (0 to 1); false ends the work with CancelledError.
using Progress = std::function<bool(double)>;

// Progress is reported once for this many objects, or bytes of a dump.
inline constexpr std::size_t kBetweenReports = std::size_t{1} << 16;

class CancelledError : public std::runtime_error {
 public:
  CancelledError() : std::runtime_error("cancelled") {}
};

class Dump {
 public:
  Dump(const std::string& path, const Progress& progress);

  [[nodiscard]] std::size_t object_count() const { return positions_.size(); }

  [[nodiscard]] std::uint64_t id_of(Object object) const { return ids_[object]; }

  [[nodiscard]] Shape shape_of(Object object) const;

  // Finds an object by id; kNone for 0 and for an id that no record has.
  [[nodiscard]] Object find(std::uint64_t id) const;

  [[nodiscard]] const std::vector<ClassOf>& classes() const { return classes_; }

  [[nodiscard]] std::uint32_t class_index(Object object) const { return types_[object]; }

  // Returns the class that a class object stands for; kNone for other objects.
  [[nodiscard]] std::uint32_t class_of_mirror(Object object) const;

  [[nodiscard]] const ClassOf& class_of(Object object) const { return classes_[types_[object]]; }

  [[nodiscard]] const std::vector<RootOf>& roots() const { return roots_; }

  [[nodiscard]] std::uint64_t shallow_size(Object object) const;
  // Returns the number of elements; 0 if the object is not an array.
  [[nodiscard]] std::uint32_t length_of(Object object) const;
  // Returns the contents: fields of an instance or elements of an array; empty if the dump does not
  // have them.
  [[nodiscard]] std::span<const std::uint8_t> contents(Object object) const;
  [[nodiscard]] BasicType element_type(Object object) const;

  [[nodiscard]] std::uint64_t id_at(const std::uint8_t* from) const {
    return id_size_ == sizeof(std::uint64_t) ? load<std::uint64_t>(from)
                                             : load<std::uint32_t>(from);
  }

  [[nodiscard]] std::size_t id_size() const { return id_size_; }

  // Returns the address of a value, by its position.
  [[nodiscard]] const std::uint8_t* at(std::size_t position) const {
    const auto file = file_.bytes();
    return position < file.size() ? &file[position] : &joined_[position - file.size()];
  }

  // Whether the dump is truncated: the end of the last record is missing, or the record that ends
  // all segments.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

  // The number of bytes behind the end, which are not read.
  [[nodiscard]] std::size_t ignored() const { return ignored_; }

  [[nodiscard]] std::size_t file_size() const { return file_.bytes().size(); }

  // The position of a field in the contents of instances, and its type.
  struct Place {
    std::uint32_t offset = 0;
    BasicType type = BasicType::kObject;
    bool found = false;
  };

  [[nodiscard]] Place field(std::uint32_t class_index, std::string_view name) const;

  [[nodiscard]] const ClassOf* superclass(const ClassOf& type) const;

  // Returns the frames of the thread with this serial number, topmost first.
  [[nodiscard]] std::vector<FrameOf> frames_of(std::uint32_t thread) const;
  [[nodiscard]] Object thread_object(std::uint32_t thread) const;
  // Returns the name of a thread; empty if only the fields of the thread object have it.
  [[nodiscard]] std::string_view thread_name(std::uint32_t thread) const;

  [[nodiscard]] std::size_t size_of(BasicType type) const;

 private:
  void read_records(const Progress& progress);
  void read_header(Cursor& cursor);
  void read_record(std::uint8_t tag, Cursor record, const Progress& progress);
  void read_load_class(Cursor record);
  void read_frame(Cursor record);
  void read_trace(Cursor record);
  void read_start_thread(Cursor record);
  void read_segment(Cursor segment, const Progress& progress);
  void read_rest(Cursor& segment);
  bool read_whole(Cursor& segment, std::size_t base);
  void read_object(std::uint8_t tag, std::size_t start, Cursor& segment);
  bool read_root(std::uint8_t tag, Cursor& segment);
  void read_class(std::size_t start, Cursor& segment);
  [[nodiscard]] Cursor cursor_at(std::size_t position) const;
  void add(std::uint64_t id, std::size_t start);
  std::uint32_t class_with(std::uint64_t id);
  std::uint32_t primitive_array_class(BasicType type);
  void finish();
  void fill_table();
  void resolve_types();
  void resolve_roots();
  void lay_out(ClassOf& type);
  void choose_sizes();
  [[nodiscard]] std::string_view text(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t aligned(std::uint64_t size) const;

  MappedFile file_;
  // Records that continue in the next segment, each in one piece; their positions are behind those
  // of the file.
  std::vector<std::uint8_t> joined_;
  std::vector<std::uint8_t> open_;  // the beginning of a record whose segment has ended
  bool is_cut_ = false;
  std::size_t ignored_ = 0;
  std::size_t id_size_ = sizeof(std::uint64_t);
  std::unordered_map<std::uint64_t, std::string_view> texts_;
  std::vector<ClassOf> classes_;
  std::unordered_map<std::uint64_t, std::uint32_t> class_numbers_;
  std::unordered_map<std::uint32_t, std::uint64_t> class_serials_;
  std::uint32_t class_class_ = kNone;
  std::unordered_map<std::uint64_t, FrameOf> frames_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> traces_;

  struct ThreadOf {
    std::uint64_t object = 0;
    std::uint32_t trace = 0;
  };

  std::unordered_map<std::uint32_t, ThreadOf> threads_;
  std::unordered_map<std::uint32_t, std::string_view> thread_names_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint64_t> positions_;
  std::vector<std::uint32_t> types_;
  std::vector<Object> table_;  // open addressing, by id
  std::size_t mask_ = 0;
  std::vector<RootOf> roots_;
  std::vector<std::uint64_t> root_ids_;
  std::uint32_t reference_size_ = 4;
  std::uint32_t header_size_ = 12;
};

}  // namespace jvmdebug::heap
