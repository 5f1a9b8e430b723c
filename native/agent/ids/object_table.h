// SPDX-License-Identifier: Apache-2.0
//
// Object ids. Each object that is sent to the client gets a number: object → id by JVM TI tag, id →
// object by a weak reference. Ids do not keep objects alive (except pinned ones). They are dropped
// when the client disposes of them or when the object dies; the VM reports a death with the tag, so
// the table is never searched for dead objects. An id costs 24 bytes here, in addition to the VM's
// own memory for a tag and a reference. A reference type has the id of its java.lang.Class object,
// a thread that of its Thread object. The tags of the agent's main environment belong to this
// table: heap walks that need tags take an environment of their own. Thread safe; all of it is
// guarded by monitor() (rank kIds).
//
// Owned by Agent: objects(), beside method_ids(), field_ids() and frame_ids().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <jvmti.h>

#include "agent/ids/known_classes.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/jvm/monitor.h"
#include "agent/locks/ranked_mutex.h"
#include "codec/generated/constants.h"
#include "codec/ids.h"
#include "codec/result.h"
#include "codec/values.h"

namespace jvmdebug::agent::ids {

class ObjectTable {
 public:
  // Called in the live phase (VMInit or later). `env` must outlive the table and own
  // can_tag_objects.
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
    return protocol::ThreadId{hand_out(thread, Kind::kThread).id};
  }

  [[nodiscard]] protocol::ThreadGroupId thread_group_id(jthreadGroup group) {
    return protocol::ThreadGroupId{hand_out(group, Kind::kThreadGroup).id};
  }

  [[nodiscard]] protocol::StringId string_id(jstring string) {
    return protocol::StringId{hand_out(string, Kind::kString).id};
  }

  [[nodiscard]] protocol::ClassLoaderId class_loader_id(jobject loader) {
    return protocol::ClassLoaderId{hand_out(loader, Kind::kClassLoader).id};
  }

  [[nodiscard]] protocol::ClassObjectId class_object_id(jclass type) {
    return protocol::ClassObjectId{hand_out(type, Kind::kClassObject).id};
  }

  [[nodiscard]] protocol::ModuleId module_id(jobject module) {
    return protocol::ModuleId{hand_out(module, Kind::kModule).id};
  }

  [[nodiscard]] protocol::ReferenceTypeId type_id(jclass type) {
    return protocol::ReferenceTypeId{hand_out(type, Kind::kClassObject).id};
  }

  // Counts one more reference of the client to an id that it was just given.
  void add_reference(protocol::ReferenceTypeId id);

  // --- object → key: the same number without a reference of the client's; for tables in the agent.
  [[nodiscard]] std::uint64_t key(jobject object);
  // The same, but 0 for an object that has no key yet.
  [[nodiscard]] std::uint64_t known_key(jobject object) const;
  // Returns the tags of all objects that have an id; some of them may be dead.
  [[nodiscard]] std::vector<jlong> tags() const;

  // --- id → object. A number that was never given out, was disposed of, or whose object was
  // collected: INVALID_OBJECT. An object of another kind, or 0: the error of the kind.
  [[nodiscard]] Result<jvm::LocalRef<jobject>> object(protocol::ObjectId id) const;
  // Like object(), but id 0 gives null instead of an error.
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
  // The object of an id if it is a Throwable, else INVALID_OBJECT.
  [[nodiscard]] Result<jvm::LocalRef<jthrowable>> throwable(protocol::ObjectId id) const;

  // The kind of a live object: its JDWP tag is tag_of(kind).
  [[nodiscard]] Kind kind_of(jobject object) const;

  // --- life of ids ------------------------------------------------------------------------------
  // Gives `count` references back; the id is forgotten when none is left. Unknown ids are ignored.
  void dispose(protocol::ObjectId id, std::int64_t count);
  // Keeps the object alive until it is unpinned as often. INVALID_OBJECT when it is unknown or
  // collected.
  [[nodiscard]] Result<void> pin(protocol::ObjectId id);
  // Removes one pin; an id that is unknown or not pinned is ignored.
  void unpin(protocol::ObjectId id);
  // True also for an id that is unknown or was forgotten.
  [[nodiscard]] bool is_collected(protocol::ObjectId id);
  // True while the object of a key is alive.
  [[nodiscard]] bool is_alive(std::uint64_t key) const;
  // Forgets all ids and pins; called when the client has disconnected.
  void clear();

  // Begins to keep alive each object whose id is handed out, while all threads are suspended, so
  // that the client can use during a stop what it was shown during that stop. retain_known() does
  // the same for the ids that were handed out before; it is called before something runs or
  // allocates during a stop.
  void begin_retaining();
  void retain_known();
  void end_retaining();

  // Notes that an object with this tag was freed (JVM TI's ObjectFree, in which no JNI call is
  // allowed). True when so many have died that forget_dead() should be called soon, on an agent
  // thread.
  [[nodiscard]] bool died(jlong tag);
  void forget_dead();

 private:
  // An entry of the table, which is ordered by id; ids only grow. A forgotten entry is a hole until
  // the next packing.
  struct Entry {
    std::uint64_t id = 0;
    jweak weak = nullptr;  // null: a hole
    std::int32_t references = 0;
    Kind kind = Kind::kObject;
    bool retained = false;
  };

  struct Pinned {
    jvm::GlobalRef<jobject> reference;
    std::int64_t pins = 0;
  };

  struct Handle {
    std::uint64_t id = 0;
    Kind kind = Kind::kObject;
  };

  struct Retained {
    std::uint64_t id = 0;
    jobject reference = nullptr;  // global
  };

  using Position = std::optional<std::size_t>;

  ObjectTable(jvm::Env& env, jvm::Monitor monitor, KnownClasses known);
  [[nodiscard]] Handle hand_out(jobject object, std::optional<Kind> kind = std::nullopt);
  [[nodiscard]] Handle enter(jobject object, std::int32_t references, std::optional<Kind> kind);
  [[nodiscard]] Handle insert(const jvm::Jni& jni, jobject object, std::int32_t references,
                              std::optional<Kind> kind);
  [[nodiscard]] Position find(std::uint64_t id) const;
  [[nodiscard]] jvm::LocalRef<jobject> at(std::size_t position) const;
  [[nodiscard]] Result<jvm::LocalRef<jobject>> resolve(std::uint64_t id, Kind kind,
                                                       protocol::Error mismatch) const;
  void forget(const jvm::Jni& jni, std::size_t position);
  void drop(const jvm::Jni& jni, Entry& entry);
  void retain(const jvm::Jni& jni, Entry& entry);
  void pack_if_sparse();
  void watch_deaths();

  jvm::Env& env_;
  jvm::Monitor monitor_;
  KnownClasses known_;
  bool watches_deaths_ = false;
  std::vector<Entry> entries_;
  std::size_t holes_ = 0;
  std::unordered_map<std::uint64_t, Pinned> pinned_;
  std::vector<Retained> retained_;
  bool is_retaining_ = false;
  bool retains_known_ = false;
  std::uint64_t next_id_ = 1;

  RankedMutex<Rank::kDead> dead_mutex_;  // a leaf: taken where the VM frees objects
  std::vector<std::uint64_t> dead_;
};

}  // namespace jvmdebug::agent::ids
