// SPDX-License-Identifier: Apache-2.0
#include "heap/dump.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "heap/names.h"
#include "heap/records.h"

namespace jvmdebug::heap {
namespace {

constexpr std::string_view kMagic = "JAVA PROFILE 1.0.";

// Whether the record may follow the objects: our agent writes the stacks of threads there.
bool may_follow_end(std::uint8_t tag) {
  return tag == tags::kText || tag == tags::kFrame || tag == tags::kTrace ||
         tag == tags::kStartThread;
}

}  // namespace

Dump::Dump(const std::string& path, const Progress& progress) : file_(path) {
  try {
    read_records(progress);
    finish();
  } catch (const DumpError& error) {
    throw DumpError(path + " " + error.what());
  }
}

void Dump::read_header(Cursor& cursor) {
  const auto all = file_.bytes();
  if (all.size() > 1 && all[0] == 0x1F && all[1] == 0x8B) {
    throw DumpError("is compressed: unpack it first (gunzip -k)");
  }
  if (all.size() < kMagic.size() || std::memcmp(all.data(), kMagic.data(), kMagic.size()) != 0) {
    throw DumpError(
        "is no heap dump: those begin with JAVA PROFILE (HPROF, as written by jcmd "
        "GC.heap_dump or `jvmdebug heap TARGET dump FILE`)");
  }
  while (cursor.u1() != 0) {
  }
  id_size_ = cursor.u4();
  if (id_size_ != sizeof(std::uint32_t) && id_size_ != sizeof(std::uint64_t)) {
    throw DumpError("has object ids of " + std::to_string(id_size_) + " bytes; 4 and 8 are known");
  }
  cursor.skip(sizeof(std::uint64_t));  // when it was written
}

void Dump::read_records(const Progress& progress) {
  constexpr std::size_t kHead = 1 + 2 * sizeof(std::uint32_t);
  Cursor cursor(file_.bytes(), id_size_);
  read_header(cursor);
  cursor = Cursor(file_.bytes(), id_size_, cursor.position());
  std::size_t cut = 0;     // bytes of an incomplete record
  bool has_ended = false;  // the segments have ended
  bool is_one = false;     // a dump in one record, from a VM before Java 6, which has no end record
  while (!cursor.at_end()) {
    const std::size_t left = cursor.left();
    if (left < kHead) {
      (has_ended ? ignored_ : cut) = left;
      break;
    }
    const std::uint8_t tag = cursor.u1();
    cursor.skip(sizeof(std::uint32_t));  // since the beginning
    std::size_t length = cursor.u4();
    if (tag == tags::kHeap && length == 0) {
      length = cursor.left();  // too long for the record: old VMs write 0
    }
    if (has_ended && (length > cursor.left() || !may_follow_end(tag))) {
      ignored_ = left;
      break;
    }
    if (length > cursor.left()) {
      cut = left;
      length = cursor.left();
    }
    const bool is_heap = tag == tags::kHeap || tag == tags::kHeapSegment;
    const std::size_t start = cursor.position();
    cursor.skip(length);
    if (cut == 0 || is_heap) {
      read_record(tag, Cursor(file_.bytes().first(start + length), id_size_, start), progress);
    }
    has_ended = tag == tags::kHeapEnd || has_ended;
    is_one = tag == tags::kHeap || (is_one && tag != tags::kHeapSegment);
  }
  is_cut_ = cut > 0 || !(has_ended || is_one) || !open_.empty();
  open_ = {};
}

void Dump::read_record(std::uint8_t tag, Cursor record, const Progress& progress) {
  switch (tag) {
    case tags::kText: {
      const std::uint64_t id = record.id();
      const auto bytes = record.take(record.left());
      texts_[id] = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
      break;
    }
    case tags::kLoadClass:
      read_load_class(record);
      break;
    case tags::kFrame:
      read_frame(record);
      break;
    case tags::kTrace:
      read_trace(record);
      break;
    case tags::kStartThread:
      read_start_thread(record);
      break;
    case tags::kHeap:
    case tags::kHeapSegment:
      read_segment(record, progress);
      break;
    default:
      break;
  }
}

void Dump::read_load_class(Cursor record) {
  const std::uint32_t serial = record.u4();
  const std::uint64_t id = record.id();
  record.skip(sizeof(std::uint32_t));
  ClassOf& type = classes_[class_with(id)];
  type.name = java_name(text(record.id()));
  class_serials_[serial] = id;
}

void Dump::read_frame(Cursor record) {
  const std::uint64_t id = record.id();
  FrameOf frame;
  frame.method = text(record.id());
  record.skip(id_size_);
  frame.source = text(record.id());
  const auto found = class_serials_.find(record.u4());
  if (found != class_serials_.end()) {
    frame.class_name = classes_[class_with(found->second)].name;
  }
  frame.line = static_cast<std::int32_t>(record.u4());
  frames_[id] = std::move(frame);
}

void Dump::read_trace(Cursor record) {
  const std::uint32_t serial = record.u4();
  record.skip(sizeof(std::uint32_t));  // of the thread, 0 if it belongs to none
  auto& frames = traces_[serial];
  frames.clear();
  for (std::uint32_t count = record.u4(); count > 0; --count) {
    frames.push_back(record.id());
  }
}

void Dump::read_start_thread(Cursor record) {
  const std::uint32_t serial = record.u4();
  record.skip(id_size_ + sizeof(std::uint32_t));
  thread_names_[serial] = text(record.id());
}

void Dump::read_segment(Cursor segment, const Progress& progress) {
  read_rest(segment);
  std::size_t until_report = 1;
  while (!segment.at_end()) {
    if (--until_report == 0) {
      until_report = kBetweenReports;
      const auto done = static_cast<double>(segment.position());
      if (progress && !progress(done / static_cast<double>(file_.bytes().size()))) {
        throw CancelledError();
      }
    }
    if (!read_whole(segment, 0)) {
      const auto rest = segment.take(segment.left());
      open_.assign(rest.begin(), rest.end());
    }
  }
}

// Reads the rest of a record that the previous segment has begun. Only the record itself tells its
// length, so it is tried with more and more of the segment.
void Dump::read_rest(Cursor& segment) {
  constexpr std::size_t kFirst = 64;
  const std::size_t before = open_.size();
  for (std::size_t more = kFirst; !open_.empty() && !segment.at_end(); more *= 2) {
    Cursor ahead = segment;
    const auto bytes = ahead.take(std::min(more, ahead.left()));
    open_.resize(before);
    open_.insert(open_.end(), bytes.begin(), bytes.end());
    Cursor record(open_, id_size_);
    if (read_whole(record, file_.bytes().size() + joined_.size())) {
      joined_.insert(joined_.end(), open_.begin(),
                     open_.begin() + static_cast<std::ptrdiff_t>(record.position()));
      segment.skip(record.position() - before);
      open_.clear();
    } else if (ahead.at_end()) {
      segment = ahead;
    }
  }
}

// Reads one record completely; nothing if the bytes end inside it. `base` is the position of the
// first of these bytes.
bool Dump::read_whole(Cursor& segment, std::size_t base) {
  const std::size_t objects = ids_.size();
  const std::size_t roots = roots_.size();
  const Cursor begin = segment;
  try {
    const std::size_t start = base + segment.position();
    const std::uint8_t tag = segment.u1();
    if (tag == tags::kClass) {
      read_class(start, segment);
    } else if (!read_root(tag, segment)) {
      read_object(tag, start, segment);
    }
    return true;
  } catch (const CutError&) {
    ids_.resize(objects);
    positions_.resize(objects);
    roots_.resize(roots);
    root_ids_.resize(roots);
    segment = begin;
    return false;
  }
}

bool Dump::read_root(std::uint8_t tag, Cursor& segment) {
  RootOf root{.kind = tag};
  switch (tag) {
    case tags::kRootUnknown:
    case tags::kRootSystemClass:
    case tags::kRootMonitor:
      root_ids_.push_back(segment.id());
      break;
    case tags::kRootJniGlobal:
      root_ids_.push_back(segment.id());
      segment.skip(id_size_);
      break;
    case tags::kRootNativeStack:
    case tags::kRootThreadBlock:
      root_ids_.push_back(segment.id());
      root.thread = segment.u4();
      break;
    case tags::kRootJniLocal:
    case tags::kRootFrame:
    case tags::kRootSlot:
      root_ids_.push_back(segment.id());
      root.thread = segment.u4();
      root.frame = static_cast<std::int32_t>(segment.u4());
      if (tag == tags::kRootSlot) {
        root.slot = static_cast<std::int32_t>(segment.u4());
        root.kind = tags::kRootFrame;
      }
      break;
    case tags::kRootThread: {
      const std::uint64_t object = segment.id();
      root.thread = segment.u4();
      threads_[root.thread] = {.object = object, .trace = segment.u4()};
      root_ids_.push_back(object);
      break;
    }
    default:
      return false;
  }
  roots_.push_back(root);
  return true;
}

void Dump::read_object(std::uint8_t tag, std::size_t start, Cursor& segment) {
  if (tag < tags::kInstance ||
      (tag > tags::kPrimitiveArray && tag != tags::kArrayWithoutContents)) {
    throw DumpError("has a record of the unknown kind " + std::to_string(tag) + " at byte " +
                    std::to_string(start));
  }
  add(segment.id(), start);
  segment.skip(sizeof(std::uint32_t));  // where it was allocated
  if (tag == tags::kInstance) {
    segment.skip(id_size_);
    segment.skip(segment.u4());
    return;
  }
  const std::size_t length = segment.u4();
  if (tag == tags::kObjectArray) {
    segment.skip(id_size_ + length * id_size_);
    return;
  }
  const std::size_t size = size_of(static_cast<BasicType>(segment.u1()));
  segment.skip(tag == tags::kPrimitiveArray ? length * size : 0);
}

void Dump::read_class(std::size_t start, Cursor& segment) {
  const std::size_t begin = segment.position() - 1;  // behind the tag
  const std::uint64_t id = segment.id();
  add(id, start);
  segment.skip(sizeof(std::uint32_t));
  ClassOf& type = classes_[class_with(id)];
  type.is_known = true;
  type.statics.clear();
  type.fields.clear();
  type.super_id = segment.id();
  type.loader_id = segment.id();
  constexpr std::size_t kOthers = 4;  // signers, protection domain, and two that are reserved
  segment.skip(kOthers * id_size_ + sizeof(std::uint32_t));
  for (std::uint16_t constants = segment.u2(); constants > 0; --constants) {
    segment.skip(sizeof(std::uint16_t));
    segment.skip(size_of(static_cast<BasicType>(segment.u1())));
  }
  for (std::uint16_t count = segment.u2(); count > 0; --count) {
    FieldOf field{.name = text(segment.id())};
    field.type = static_cast<BasicType>(segment.u1());
    field.position = start + (segment.position() - begin);
    segment.skip(size_of(field.type));
    type.statics.push_back(field);
  }
  for (std::uint16_t count = segment.u2(); count > 0; --count) {
    FieldOf field{.name = text(segment.id())};
    field.type = static_cast<BasicType>(segment.u1());
    type.fields.push_back(field);
  }
}

void Dump::add(std::uint64_t id, std::size_t start) {
  if (positions_.size() == kNone - 1) {
    throw DumpError("has more than four thousand million objects");
  }
  ids_.push_back(id);
  positions_.push_back(start);
}

std::uint32_t Dump::class_with(std::uint64_t id) {
  const auto [entry, is_new] =
      class_numbers_.try_emplace(id, static_cast<std::uint32_t>(classes_.size()));
  if (is_new) {
    classes_.push_back({.id = id});
  }
  return entry->second;
}

std::string_view Dump::text(std::uint64_t id) const {
  const auto found = texts_.find(id);
  return found == texts_.end() ? std::string_view() : found->second;
}

std::size_t Dump::size_of(BasicType type) const {
  switch (type) {
    case BasicType::kObject:
      return id_size_;
    case BasicType::kBoolean:
    case BasicType::kByte:
      return 1;
    case BasicType::kChar:
    case BasicType::kShort:
      return 2;
    case BasicType::kFloat:
    case BasicType::kInt:
      return 4;
    case BasicType::kDouble:
    case BasicType::kLong:
      return 8;
  }
  throw DumpError("has a value of the unknown type " + std::to_string(static_cast<unsigned>(type)));
}

}  // namespace jvmdebug::heap
