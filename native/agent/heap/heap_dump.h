// SPDX-License-Identifier: Apache-2.0
//
// Writes the heap as HPROF from one walk over all references (FollowReferences), while the VM is
// stopped. Memory: the classes, 16 bytes for each array of objects, and one part of the dump; also
// a tag for each object if the VM does not let objects be told apart without tags (ObjectIdentity).
// Called by the command Heap.Dump, on the thread that runs commands.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/heap/class_layouts.h"
#include "agent/heap/hprof_stream.h"
#include "agent/heap/object_identity.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

enum class Contents : std::uint8_t { kAll, kRedacted, kReferences };

class HeapDump {
 public:
  // Makes a separate environment. `known` are the tags of the objects in the agent's environment.
  // `vm_reads`: whether the memory beside the tags may be read to identify objects.
  [[nodiscard]] static jvm::Result<HeapDump> create(const jvm::Env& env,
                                                    std::span<const jlong> known, Contents contents,
                                                    bool vm_reads);

  // Leaves these objects, and what only they refer to, out of the dump. Called before `write`.
  [[nodiscard]] jvm::Result<void> leave_out(std::span<const jvm::LocalRef<jobject>> objects);

  // Returns the id that the object will have in the dump. Called before `write`.
  [[nodiscard]] jvm::Result<std::uint64_t> name(jobject object);

  [[nodiscard]] jvm::Result<void> write(HprofStream& stream);

  [[nodiscard]] std::uint64_t object_count() const { return object_count_; }

  [[nodiscard]] std::chrono::microseconds standstill() const { return standstill_; }

 private:
  // The object that is being written: its record is put together from consecutive callbacks.
  struct Current {
    const ClassLayout* type = nullptr;
    std::uint64_t class_id = 0;
    std::uint64_t id = 0;
    std::vector<std::uint8_t> fields = {};
    std::vector<std::uint64_t> elements = {};
    bool is_written = true;
  };

  struct Frame {
    jmethodID method = nullptr;
    jlocation location = 0;
  };

  struct Thread {
    jlong tag = 0;
    std::string name = {};
    std::vector<Frame> frames = {};  // topmost first
  };

  HeapDump(jvm::Env env, ClassLayouts classes, Contents contents, bool vm_reads);

  [[nodiscard]] jvm::Result<void> tag_threads();
  [[nodiscard]] jvm::Result<void> tag_known(const jvm::Env& env, std::span<const jlong> known);
  void write_names(HprofStream& stream);
  [[nodiscard]] std::uint32_t size_of_classes() const;
  [[nodiscard]] std::vector<std::uint8_t> records_of_classes();
  void write_stacks(HprofStream& stream);
  void write_frame(HprofStream& stream, std::uint64_t id, const Frame& frame);

  static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info,
                                   jlong class_tag, jlong referrer_class_tag, jlong size,
                                   jlong* tag, jlong* referrer_tag, jint length, void* context);
  static jint JNICALL on_primitive(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info,
                                   jlong class_tag, jlong* tag, jvalue value,
                                   jvmtiPrimitiveType type, void* context);
  static jint JNICALL on_array(jlong class_tag, jlong size, jlong* tag, jint count,
                               jvmtiPrimitiveType type, const void* elements, void* context);

  [[nodiscard]] jint visit(jlong class_tag, const jlong* tag) const;
  void found(std::uint64_t id, jlong class_tag, jlong tag, jint length);
  void write_class_object(std::uint64_t id);
  void add_to_class(ClassLayout& type, jvmtiHeapReferenceKind kind,
                    const jvmtiHeapReferenceInfo* info, std::uint64_t id);
  void add_to_object(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo& info,
                     std::uint64_t id);
  void begin(std::uint64_t id, jlong class_tag);
  void end();
  void write_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info, std::uint64_t id,
                  jlong tag);
  void write_local(const jvmtiHeapReferenceInfoStackLocal& local, std::uint64_t id);
  [[nodiscard]] std::uint32_t serial_of_thread(jlong tag);

  jvm::Env env_;
  ClassLayouts classes_;
  Contents contents_;
  bool vm_reads_;
  ObjectIdentity identity_;
  jlong next_tag_;
  jlong class_class_ = 0;      // tag of java.lang.Class
  jlong virtual_threads_ = 0;  // tag of their class; 0: all may be followed
  // Objects that the debugger knows: while all threads are suspended the agent has a global
  // reference to each, which does not belong to the program.
  std::unordered_set<jlong> known_;
  std::unordered_set<jlong> left_out_;  // tags
  std::vector<Thread> threads_;
  std::unordered_map<jlong, std::uint32_t> serials_;  // by tag of the thread
  HprofStream* stream_ = nullptr;
  Current current_;
  std::unordered_map<std::uint64_t, jint> array_lengths_;
  std::uint64_t object_count_ = 0;
  std::chrono::microseconds standstill_{};
};

}  // namespace jvmdebug::agent::heap
