// SPDX-License-Identifier: Apache-2.0
//
// The part of HeapDump before and after the walk: names, classes, stacks. See heap_dump_walk.cpp.
#include "agent/heap/heap_dump.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "agent/heap/hprof_tags.h"
#include "agent/jvm/capabilities.h"
#include "agent/jvm/heap_walk.h"
#include "agent/jvm/thread_name.h"

namespace jvmdebug::agent::heap {
namespace {

constexpr std::int32_t kNative = -3;
constexpr std::int32_t kUnknown = -1;

std::string_view name_of(const ClassLayout& type) {
  std::string_view name = type.signature;
  if (!type.is_array && name.size() > 2) {
    name = name.substr(1, name.size() - 2);  // Lshop/Cart;
  }
  return name;
}

std::uint8_t basic_type(char letter) {
  constexpr std::string_view kLetters = "ZCFDBSIJ";
  constexpr std::uint8_t kObject = 2;
  constexpr std::uint8_t kBoolean = 4;
  const std::size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? kObject : static_cast<std::uint8_t>(kBoolean + at);
}

}  // namespace

jvm::Result<HeapDump> HeapDump::create(const jvm::Env& env, std::span<const jlong> known,
                                       Contents contents, bool vm_reads) {
  JVMDEBUG_ASSIGN(auto own, jvm::Env::create(env.vm()));
  JVMDEBUG_ASSIGN(const auto taken,
                  jvm::take(own, {jvm::Capability::kTagObjects, jvm::Capability::kGetSourceFileName,
                                  jvm::Capability::kGetLineNumbers}));
  if (!taken.has(jvm::Capability::kTagObjects)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  JVMDEBUG_ASSIGN(auto classes, ClassLayouts::create(own));
  HeapDump dump(std::move(own), std::move(classes), contents, vm_reads);
  JVMDEBUG_CHECK(dump.tag_threads());
  JVMDEBUG_CHECK(dump.tag_known(env, known));
  return dump;
}

HeapDump::HeapDump(jvm::Env env, ClassLayouts classes, Contents contents, bool vm_reads)
    : env_(std::move(env)),
      classes_(std::move(classes)),
      contents_(contents),
      vm_reads_(vm_reads),
      identity_(false, 0),
      next_tag_(classes_.next_tag()) {
  const auto& all = classes_.all();
  const auto found = std::ranges::find(all, "Ljava/lang/Class;", &ClassLayout::signature);
  class_class_ = found == all.end() ? -1 : static_cast<jlong>(found - all.begin()) + 1;
}

jvm::Result<std::uint64_t> HeapDump::name(jobject object) {
  JVMDEBUG_ASSIGN(jlong tag, env_.get_tag(object));
  if (tag == 0) {
    tag = next_tag_++;
    JVMDEBUG_CHECK(env_.set_tag(object, tag));
  }
  return ObjectIdentity::of_tag(tag);
}

jvm::Result<void> HeapDump::leave_out(std::span<const jvm::LocalRef<jobject>> objects) {
  for (const auto& each : objects) {
    JVMDEBUG_CHECK(name(each));
    JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(each));
    left_out_.insert(tag);
  }
  return {};
}

jvm::Result<void> HeapDump::tag_known(const jvm::Env& env, std::span<const jlong> known) {
  if (known.empty()) {
    return {};
  }
  JVMDEBUG_ASSIGN(const auto objects, env.get_objects_with_tags(known));
  const jvm::Jni jni = env_.jni();
  for (jobject each : objects) {
    const auto owned = jni.adopt(each);
    JVMDEBUG_CHECK(name(owned));
    JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(owned));
    known_.insert(tag);
  }
  return {};
}

// Tags the threads, and reads their stacks just before the walk.
jvm::Result<void> HeapDump::tag_threads() {
  constexpr jint kMostFrames = 1000;
  JVMDEBUG_ASSIGN(const auto virtual_threads, jvm::HeapWalk::virtual_threads_to_visit(env_));
  if (virtual_threads.type) {
    JVMDEBUG_ASSIGN(virtual_threads_, env_.get_tag(virtual_threads.type));
    for (const auto& each : virtual_threads.built) {
      JVMDEBUG_CHECK(name(each));
    }
  }
  const jvm::Jni jni = env_.jni();
  JVMDEBUG_ASSIGN(const auto all, env_.get_all_threads());
  std::vector<jvmtiFrameInfo> frames(kMostFrames);
  for (jthread each : all) {
    const auto owned = jni.adopt(each);
    JVMDEBUG_CHECK(name(each));
    JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(each));
    Thread thread{.tag = tag};
    thread.name = jvm::shown_name(env_, each).value_or(std::string());
    if (const auto count = env_.get_stack_trace(each, 0, frames)) {  // else it has ended
      for (const jvmtiFrameInfo& frame :
           std::span(frames).first(static_cast<std::size_t>(*count))) {
        thread.frames.push_back({.method = frame.method, .location = frame.location});
      }
    }
    threads_.push_back(std::move(thread));
    serials_[tag] = static_cast<std::uint32_t>(threads_.size());
  }
  return {};
}

jvm::Result<void> HeapDump::write(HprofStream& stream) {
  stream_ = &stream;
  identity_ = ObjectIdentity(vm_reads_ && ObjectIdentity::find_addresses(env_), next_tag_);
  write_names(stream);
  const auto classes = stream.leave_out(tags::kSegment, size_of_classes());
  stream.begin_heap();
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_reference_callback = on_reference;
  callbacks.array_primitive_value_callback = on_array;
  if (contents_ == Contents::kAll) {
    callbacks.primitive_field_callback = on_primitive;
  }
  const auto start = std::chrono::steady_clock::now();
  auto walked = env_.follow_references(0, nullptr, nullptr, callbacks, this);
  end();
  stream.end_heap();
  standstill_ = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  if (!walked) {
    return walked;
  }
  write_stacks(stream);
  stream.flush();
  stream.fill(classes, records_of_classes());
  return {};
}

void HeapDump::write_names(HprofStream& stream) {
  constexpr std::string_view kMagic = "JAVA PROFILE 1.0.2";
  stream.bytes({reinterpret_cast<const std::uint8_t*>(kMagic.data()), kMagic.size()});
  stream.u1(0);
  stream.u4(kIdSize);
  stream.u8(static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                           std::chrono::system_clock::now().time_since_epoch())
                                           .count()));
  std::uint32_t serial = 0;
  for (const ClassLayout& type : classes_.all()) {
    const std::uint64_t name = stream.text(name_of(type));
    for (const FieldLayout& field : type.fields) {
      (void)stream.text(field.name);
    }
    constexpr std::uint32_t kLength = 4 + kIdSize + 4 + kIdSize;
    stream.begin_record(tags::kLoadClass, kLength);
    stream.u4(++serial);
    stream.id(ObjectIdentity::of_tag(serial));
    stream.u4(kNoTrace);
    stream.id(name);
  }
}

std::uint32_t HeapDump::size_of_classes() const {
  constexpr std::uint32_t kFixed = 1 + kIdSize + 4 + 6 * kIdSize + 4 + 2 + 2 + 2;
  constexpr std::uint32_t kField = kIdSize + 1;
  std::uint32_t size = 0;
  for (const ClassLayout& type : classes_.all()) {
    size += kFixed;
    for (const FieldLayout& field : type.fields) {
      size += kField + (field.is_static ? size_in_dump(field.type) : 0);
    }
  }
  return size;
}

std::vector<std::uint8_t> HeapDump::records_of_classes() {
  std::vector<std::uint8_t> content;
  HprofStream records([&content](std::uint64_t, std::span<const std::uint8_t> bytes) {
    content.insert(content.end(), bytes.begin(), bytes.end());
    return true;
  });
  jlong tag = 0;
  for (const ClassLayout& type : classes_.all()) {
    records.u1(tags::kClass);
    records.id(ObjectIdentity::of_tag(++tag));
    records.u4(kNoTrace);
    records.id(ObjectIdentity::of_tag(type.super_tag));
    records.id(type.loader);
    for (int other = 0; other < 4; ++other) {  // signers, protection domain, two reserved
      records.id(0);
    }
    records.u4(type.record_size);
    records.u2(0);  // constants
    records.u2(static_cast<std::uint16_t>(type.static_count));
    for (const FieldLayout& field : type.fields) {
      if (field.is_static) {
        records.id(stream_->text(field.name));  // written before
        records.u1(basic_type(field.type));
        records.number(type.static_values[field.place], size_in_dump(field.type));
      }
    }
    records.u2(static_cast<std::uint16_t>(type.fields.size() - type.static_count));
    for (const FieldLayout& field : type.fields) {
      if (!field.is_static) {
        records.id(stream_->text(field.name));
        records.u1(basic_type(field.type));
      }
    }
  }
  records.flush();
  return content;
}

void HeapDump::write_stacks(HprofStream& stream) {
  std::uint64_t frame_id = 0;
  std::uint32_t serial = 0;
  for (const Thread& thread : threads_) {
    const std::uint64_t first = frame_id;
    for (const Frame& frame : thread.frames) {
      write_frame(stream, ++frame_id, frame);
    }
    const auto count = static_cast<std::uint32_t>(thread.frames.size());
    const std::uint64_t name = stream.text(thread.name);
    stream.begin_record(tags::kStartThread, 4 + kIdSize + 4 + 3 * kIdSize);
    stream.u4(serial + 1);
    stream.id(ObjectIdentity::of_tag(thread.tag));
    stream.u4(serial + 1);
    stream.id(name);
    stream.id(0);  // its group, and the group above
    stream.id(0);
    stream.begin_record(tags::kTrace, 4 + 4 + 4 + kIdSize * count);
    stream.u4(++serial);
    stream.u4(serial);
    stream.u4(count);
    for (std::uint64_t id = first + 1; id <= frame_id; ++id) {
      stream.id(id);
    }
  }
}

void HeapDump::write_frame(HprofStream& stream, std::uint64_t id, const Frame& frame) {
  std::string_view method = "unknown";
  std::string_view signature;
  std::string_view source;
  std::uint32_t type_serial = 0;
  std::int32_t line = frame.location < 0 ? kNative : kUnknown;
  const jvm::Jni jni = env_.jni();
  const auto names = frame.method == nullptr ? jvm::Result<jvm::Names>(std::unexpect, jvm::Error{})
                                             : env_.get_method_name(frame.method);
  jvm::ModifiedUtf8 file;
  if (names) {  // else its class was unloaded
    method = names->name.view();
    signature = names->signature.view();
    if (const auto type = env_.get_method_declaring_class(frame.method)) {
      const auto owned = jni.adopt(*type);
      const auto tag = env_.get_tag(owned);
      type_serial =
          tag && classes_.with_tag(*tag) != nullptr ? static_cast<std::uint32_t>(*tag) : 0;
      if (auto found = env_.get_source_file_name(owned)) {
        file = *std::move(found);
        source = file.view();
      }
    }
    if (const auto lines = env_.get_line_number_table(frame.method); lines && line != kNative) {
      jlocation nearest = -1;
      for (const jvmtiLineNumberEntry& entry : *lines) {
        if (entry.start_location <= frame.location && entry.start_location > nearest) {
          nearest = entry.start_location;
          line = entry.line_number;
        }
      }
    }
  }
  const std::uint64_t method_id = stream.text(method);
  const std::uint64_t signature_id = stream.text(signature);
  const std::uint64_t source_id = source.empty() ? 0 : stream.text(source);
  constexpr std::uint32_t kLength = 4 * kIdSize + 4 + 4;
  stream.begin_record(tags::kFrame, kLength);
  stream.id(id);
  stream.id(method_id);
  stream.id(signature_id);
  stream.id(source_id);
  stream.u4(type_serial);
  stream.u4(static_cast<std::uint32_t>(line));
}

}  // namespace jvmdebug::agent::heap
