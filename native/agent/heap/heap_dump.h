// SPDX-License-Identifier: Apache-2.0
//
// Writes the heap as HPROF from one walk over all references (FollowReferences), while the VM
// stands still. Memory: classes, 16 bytes for each array of objects, and one part; the objects
// themselves only where the VM does not let them be told apart without tags (ObjectIdentity).
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
  // Takes an environment of its own from that of the agent, whose objects have the tags `known`.
  // `vm_reads`: whether objects may be named by what stands beside their tags.
  [[nodiscard]] static jvm::Result<HeapDump> create(const jvm::Env& env,
                                                    std::span<const jlong> known, Contents contents,
                                                    bool vm_reads);

  // What the object will be called in the dump. Called before `write`.
  [[nodiscard]] jvm::Result<std::uint64_t> name(jobject object);

  [[nodiscard]] jvm::Result<void> write(HprofStream& stream);

  [[nodiscard]] std::uint64_t object_count() const { return object_count_; }

  [[nodiscard]] std::chrono::microseconds standstill() const { return standstill_; }

 private:
  // One that is about to be written: its record is put together from callbacks that follow each
  // other.
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
  jlong virtual_threads_ = 0;  // tag of their class; 0: all may be looked into
  // Objects that the debugger knows: as long as all threads are suspended the agent has a global
  // reference to each, which is none of the program's.
  std::unordered_set<jlong> known_;
  std::vector<Thread> threads_;
  std::unordered_map<jlong, std::uint32_t> serials_;  // by tag of the thread
  HprofStream* stream_ = nullptr;
  Current current_;
  std::unordered_map<std::uint64_t, jint> array_lengths_;
  std::uint64_t object_count_ = 0;
  std::chrono::microseconds standstill_{};
};

}  // namespace jvmdebug::agent::heap
