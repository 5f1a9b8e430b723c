// SPDX-License-Identifier: Apache-2.0
//
// Object ids. Every object that the client hears of gets a number: object → id by JVM TI tag, id →
// object by a weak reference, both O(1). Ids do not keep objects alive (but for pinned ones), die
// with the object or when the client disposes of them, and dead ones are swept as the table grows.
// Reference types are ids of their java.lang.Class objects, threads ids of their Thread objects.
// The tags of the agent's main environment belong to this table: heap walks that need tags take an
// environment of their own. Thread safe; all of it is guarded by monitor() (rank kIds).
//
// Agent gives it as objects(), beside method_ids(), field_ids() and frame_ids().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/monitor.h"
#include "codec/generated/constants.h"
#include "codec/ids.h"
#include "codec/result.h"
#include "codec/values.h"

namespace jvmdebug::agent::ids {

// What an object is, as far as JDWP tells objects apart.
enum class Kind : std::uint8_t {
  kObject,
  kArray,
  kString,
  kThread,
  kThreadGroup,
  kClassLoader,
  kClassObject,
  kModule,
};

// The classes that decide the kind of an object. Loaded once, in the live phase.
class KnownClasses {
 public:
  static Result<KnownClasses> load(const jvm::Jni& jni);

  [[nodiscard]] Kind kind_of(const jvm::Env& env, const jvm::Jni& jni, jobject object) const;

  [[nodiscard]] jclass throwable() const { return throwable_; }

 private:
  jvm::GlobalRef<jclass> string_;
  jvm::GlobalRef<jclass> thread_;
  jvm::GlobalRef<jclass> thread_group_;
  jvm::GlobalRef<jclass> class_loader_;
  jvm::GlobalRef<jclass> class_;
  jvm::GlobalRef<jclass> module_;
  jvm::GlobalRef<jclass> throwable_;
};

class ObjectTable {
 public:
  // In the live phase (VMInit or later). `env` must outlive the table and own can_tag_objects.
  static Result<std::unique_ptr<ObjectTable>> create(jvm::Env& env);
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;
  ObjectTable(ObjectTable&&) = delete;
  ObjectTable& operator=(ObjectTable&&) = delete;
  ~ObjectTable();

  [[nodiscard]] const jvm::Monitor& monitor() const { return monitor_; }

  [[nodiscard]] const KnownClasses& known_classes() const { return known_; }

  // --- object → id. Each call is one reference of the client's, given back by dispose(). Null → 0;
  // also 0 when the VM has no memory for a reference.
  [[nodiscard]] protocol::ObjectId object_id(jobject object);
  [[nodiscard]] protocol::TaggedObject tagged_id(jobject object);

  [[nodiscard]] protocol::ThreadId thread_id(jthread thread) {
    return protocol::ThreadId{hand_out(thread).id};
  }

  [[nodiscard]] protocol::ThreadGroupId thread_group_id(jthreadGroup group) {
    return protocol::ThreadGroupId{hand_out(group).id};
  }

  [[nodiscard]] protocol::StringId string_id(jstring string) {
    return protocol::StringId{hand_out(string).id};
  }

  [[nodiscard]] protocol::ClassLoaderId class_loader_id(jobject loader) {
    return protocol::ClassLoaderId{hand_out(loader).id};
  }

  [[nodiscard]] protocol::ClassObjectId class_object_id(jclass type) {
    return protocol::ClassObjectId{hand_out(type).id};
  }

  [[nodiscard]] protocol::ModuleId module_id(jobject module) {
    return protocol::ModuleId{hand_out(module).id};
  }

  [[nodiscard]] protocol::ReferenceTypeId type_id(jclass type) {
    return protocol::ReferenceTypeId{hand_out(type).id};
  }

  // --- object → key: the same number without a reference of the client's; for tables in the agent.
  [[nodiscard]] std::uint64_t key(jobject object);

  // --- id → object. A number that was never given out, was disposed of, or whose object was
  // collected: INVALID_OBJECT. An object of another kind, or 0: the error of the kind.
  [[nodiscard]] Result<jvm::LocalRef<jobject>> object(protocol::ObjectId id) const;
  // As object(), but 0 is null and no error.
  [[nodiscard]] Result<jvm::LocalRef<jobject>> object_or_null(protocol::ObjectId id) const;
  [[nodiscard]] Result<jvm::LocalRef<jthread>> thread(
      protocol::ThreadId id) const;  // INVALID_THREAD
  [[nodiscard]] Result<jvm::LocalRef<jthreadGroup>> thread_group(
      protocol::ThreadGroupId id) const;  // INVALID_THREAD_GROUP
  [[nodiscard]] Result<jvm::LocalRef<jstring>> string(
      protocol::StringId id) const;                                               // INVALID_STRING
  [[nodiscard]] Result<jvm::LocalRef<jarray>> array(protocol::ArrayId id) const;  // INVALID_ARRAY
  [[nodiscard]] Result<jvm::LocalRef<jobject>> class_loader(
      protocol::ClassLoaderId id) const;  // INVALID_CLASS_LOADER
  [[nodiscard]] Result<jvm::LocalRef<jobject>> module(
      protocol::ModuleId id) const;  // INVALID_MODULE
  [[nodiscard]] Result<jvm::LocalRef<jclass>> type(
      protocol::ReferenceTypeId id) const;  // INVALID_CLASS
  [[nodiscard]] Result<jvm::LocalRef<jclass>> class_object(
      protocol::ClassObjectId id) const;  // INVALID_CLASS
  // An object whose class is Throwable or below it, else INVALID_OBJECT.
  [[nodiscard]] Result<jvm::LocalRef<jthrowable>> throwable(protocol::ObjectId id) const;

  // The kind of a live object: its JDWP tag is tag_of(kind).
  [[nodiscard]] Kind kind_of(jobject object) const;

  // --- life of ids ------------------------------------------------------------------------------
  // Gives `count` references back; the id is forgotten when none is left. Unknown ids are ignored.
  void dispose(protocol::ObjectId id, std::int64_t count);
  // Keeps the object alive until as many unpins. INVALID_OBJECT when unknown or collected.
  [[nodiscard]] Result<void> pin(protocol::ObjectId id);
  // Takes one pin back; an id that is unknown or not pinned is ignored.
  void unpin(protocol::ObjectId id);
  // True also for an id that is not known (any more).
  [[nodiscard]] bool is_collected(protocol::ObjectId id);
  // True while the id of a key stands for a living object.
  [[nodiscard]] bool is_alive(std::uint64_t key) const;
  // Forgets all ids and pins: when the client has gone.
  void clear();
  // Number of ids that the table holds, dead and not yet swept ones included.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Entry {
    jvm::WeakRef weak;
    jvm::GlobalRef<jobject> pinned;
    std::int64_t references = 0;
    std::int64_t pins = 0;
    Kind kind = Kind::kObject;
  };

  struct Handle {
    std::uint64_t id = 0;
    Kind kind = Kind::kObject;
  };

  ObjectTable(jvm::Env& env, jvm::Monitor monitor, KnownClasses known);
  [[nodiscard]] Handle hand_out(jobject object);
  [[nodiscard]] Handle enter(jobject object, std::int64_t references);
  [[nodiscard]] Handle insert(const jvm::Jni& jni, jobject object, std::int64_t references);
  [[nodiscard]] Result<jvm::LocalRef<jobject>> resolve(std::uint64_t id, Kind kind,
                                                       protocol::Error mismatch) const;
  void forget(const jvm::Jni& jni, std::uint64_t id);
  void sweep_if_grown(const jvm::Jni& jni);

  jvm::Env& env_;
  jvm::Monitor monitor_;
  KnownClasses known_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t next_id_ = 1;
  std::size_t sweep_at_;
};

// The JDWP tag of an object of a kind: 'L', '[', 's', 't', 'g', 'l', 'c'.
[[nodiscard]] protocol::Tag tag_of(Kind kind);

}  // namespace jvmdebug::agent::ids
