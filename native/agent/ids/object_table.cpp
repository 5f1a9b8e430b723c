// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/object_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace jvmdebug::agent::ids {
namespace {

// Below this size a table is not worth sweeping.
constexpr std::size_t kSmallestSweep = 1024;

}  // namespace

protocol::Tag tag_of(Kind kind) {
  switch (kind) {
    case Kind::kArray:
      return protocol::Tag::kArray;
    case Kind::kString:
      return protocol::Tag::kString;
    case Kind::kThread:
      return protocol::Tag::kThread;
    case Kind::kThreadGroup:
      return protocol::Tag::kThreadGroup;
    case Kind::kClassLoader:
      return protocol::Tag::kClassLoader;
    case Kind::kClassObject:
      return protocol::Tag::kClassObject;
    case Kind::kObject:
    case Kind::kModule:  // JDWP has no tag for modules
      break;
  }
  return protocol::Tag::kObject;
}

Result<KnownClasses> KnownClasses::load(const jvm::Jni& jni) {
  KnownClasses known;
  const std::pair<const char*, jvm::GlobalRef<jclass>*> wanted[] = {
      {"java/lang/String", &known.string_},
      {"java/lang/Thread", &known.thread_},
      {"java/lang/ThreadGroup", &known.thread_group_},
      {"java/lang/ClassLoader", &known.class_loader_},
      {"java/lang/Class", &known.class_},
      {"java/lang/Module", &known.module_},
      {"java/lang/Throwable", &known.throwable_},
  };
  for (const auto& [name, member] : wanted) {
    const auto type = jni.find_class(name);
    if (!type) {
      return fail(protocol::Error::kInternal);
    }
    *member = jni.global(type.get());
  }
  return known;
}

Kind KnownClasses::kind_of(const jvm::Env& env, const jvm::Jni& jni, jobject object) const {
  const std::pair<jclass, Kind> kinds[] = {
      {string_, Kind::kString},
      {thread_, Kind::kThread},
      {thread_group_, Kind::kThreadGroup},
      {class_loader_, Kind::kClassLoader},
      {class_, Kind::kClassObject},
      {module_, Kind::kModule},
  };
  for (const auto& [type, kind] : kinds) {
    if (jni.instance_of(object, type)) {
      return kind;
    }
  }
  const auto type = jni.object_class(object);
  return env.is_array_class(type).value_or(false) ? Kind::kArray : Kind::kObject;
}

Result<std::unique_ptr<ObjectTable>> ObjectTable::create(jvm::Env& env) {
  JVMDEBUG_ASSIGN(auto known, KnownClasses::load(env.jni()));
  JVMDEBUG_ASSIGN(auto monitor, jvm::Monitor::create(env, "jvmdebug ids", jvm::Rank::kIds));
  // Not make_unique: the constructor is private.
  return std::unique_ptr<ObjectTable>(new ObjectTable(env, std::move(monitor), std::move(known)));
}

ObjectTable::ObjectTable(jvm::Env& env, jvm::Monitor monitor, KnownClasses known)
    : env_(env),
      monitor_(std::move(monitor)),
      known_(std::move(known)),
      sweep_at_(kSmallestSweep) {}

ObjectTable::~ObjectTable() = default;

protocol::ObjectId ObjectTable::object_id(jobject object) {
  return protocol::ObjectId{hand_out(object).id};
}

protocol::TaggedObject ObjectTable::tagged_id(jobject object) {
  const Handle handle = hand_out(object);
  return {tag_of(handle.kind), protocol::ObjectId{handle.id}};
}

std::uint64_t ObjectTable::key(jobject object) {
  return enter(object, 0).id;
}

ObjectTable::Handle ObjectTable::hand_out(jobject object) {
  return enter(object, 1);
}

ObjectTable::Handle ObjectTable::enter(jobject object, std::int64_t references) {
  if (object == nullptr) {
    return {};
  }
  const jvm::Lock lock(monitor_);
  if (const auto tag = env_.get_tag(object); tag && *tag != 0) {
    const auto id = static_cast<std::uint64_t>(*tag);
    if (const auto found = entries_.find(id); found != entries_.end()) {
      found->second.references += references;
      return {id, found->second.kind};
    }
  }
  return insert(env_.jni(), object, references);
}

ObjectTable::Handle ObjectTable::insert(const jvm::Jni& jni, jobject object,
                                        std::int64_t references) {
  // An exception of the program may be pending on an event's thread.
  const jvm::PendingException pending(jni);
  sweep_if_grown(jni);
  const std::uint64_t id = next_id_;
  if (!env_.set_tag(object, static_cast<jlong>(id))) {
    return {};
  }
  Entry entry;
  entry.weak = jni.weak(object);
  entry.references = references;
  entry.kind = known_.kind_of(env_, jni, object);
  if (entry.weak.collected(jni)) {
    // No memory for the reference. Without it the id would mean nothing.
    std::ignore = env_.set_tag(object, 0);
    return {};
  }
  const Handle handle{id, entry.kind};
  entries_.emplace(id, std::move(entry));
  ++next_id_;
  return handle;
}

Result<jvm::LocalRef<jobject>> ObjectTable::object(protocol::ObjectId id) const {
  const jvm::Lock lock(monitor_);
  const auto found = entries_.find(id.raw);
  if (found == entries_.end()) {
    return fail(protocol::Error::kInvalidObject);
  }
  auto reference = found->second.weak.lock(env_.jni());
  if (!reference) {
    return fail(protocol::Error::kInvalidObject);
  }
  return reference;
}

Result<jvm::LocalRef<jobject>> ObjectTable::object_or_null(protocol::ObjectId id) const {
  if (id.is_null()) {
    return jvm::LocalRef<jobject>();
  }
  return object(id);
}

Result<jvm::LocalRef<jobject>> ObjectTable::resolve(std::uint64_t id, Kind kind,
                                                    protocol::Error mismatch) const {
  if (id == 0) {
    return fail(mismatch);
  }
  const jvm::Lock lock(monitor_);
  JVMDEBUG_ASSIGN(auto reference, object(protocol::ObjectId{id}));
  if (entries_.at(id).kind != kind) {
    return fail(mismatch);
  }
  return reference;
}

Result<jvm::LocalRef<jthread>> ObjectTable::thread(protocol::ThreadId id) const {
  return resolve(id.raw, Kind::kThread, protocol::Error::kInvalidThread);
}

Result<jvm::LocalRef<jthreadGroup>> ObjectTable::thread_group(protocol::ThreadGroupId id) const {
  return resolve(id.raw, Kind::kThreadGroup, protocol::Error::kInvalidThreadGroup);
}

Result<jvm::LocalRef<jstring>> ObjectTable::string(protocol::StringId id) const {
  JVMDEBUG_ASSIGN(auto found, resolve(id.raw, Kind::kString, protocol::Error::kInvalidString));
  return std::move(found).as<jstring>();
}

Result<jvm::LocalRef<jarray>> ObjectTable::array(protocol::ArrayId id) const {
  JVMDEBUG_ASSIGN(auto found, resolve(id.raw, Kind::kArray, protocol::Error::kInvalidArray));
  return std::move(found).as<jarray>();
}

Result<jvm::LocalRef<jobject>> ObjectTable::class_loader(protocol::ClassLoaderId id) const {
  return resolve(id.raw, Kind::kClassLoader, protocol::Error::kInvalidClassLoader);
}

Result<jvm::LocalRef<jobject>> ObjectTable::module(protocol::ModuleId id) const {
  auto found = resolve(id.raw, Kind::kModule, protocol::Error::kInvalidModule);
  if (!found) {
    return fail(protocol::Error::kInvalidModule);
  }
  return found;
}

Result<jvm::LocalRef<jclass>> ObjectTable::type(protocol::ReferenceTypeId id) const {
  JVMDEBUG_ASSIGN(auto found, resolve(id.raw, Kind::kClassObject, protocol::Error::kInvalidClass));
  return std::move(found).as<jclass>();
}

Result<jvm::LocalRef<jclass>> ObjectTable::class_object(protocol::ClassObjectId id) const {
  return type(protocol::ReferenceTypeId{id.raw});
}

Result<jvm::LocalRef<jthrowable>> ObjectTable::throwable(protocol::ObjectId id) const {
  JVMDEBUG_ASSIGN(auto found, object(id));
  if (!env_.jni().instance_of(found, known_.throwable())) {
    return fail(protocol::Error::kInvalidObject);
  }
  return std::move(found).as<jthrowable>();
}

Kind ObjectTable::kind_of(jobject object) const {
  return known_.kind_of(env_, env_.jni(), object);
}

void ObjectTable::dispose(protocol::ObjectId id, std::int64_t count) {
  const jvm::Lock lock(monitor_);
  const auto found = entries_.find(id.raw);
  if (found == entries_.end()) {
    return;
  }
  found->second.references -= std::clamp<std::int64_t>(count, 0, found->second.references);
  if (found->second.references <= 0) {
    forget(env_.jni(), id.raw);
  }
}

Result<void> ObjectTable::pin(protocol::ObjectId id) {
  const jvm::Lock lock(monitor_);
  JVMDEBUG_ASSIGN(const auto reference, object(id));
  Entry& entry = entries_.at(id.raw);
  if (entry.pins == 0) {
    entry.pinned = env_.jni().global(reference.get());
    if (!entry.pinned) {
      return fail(protocol::Error::kOutOfMemory);
    }
  }
  ++entry.pins;
  return {};
}

void ObjectTable::unpin(protocol::ObjectId id) {
  const jvm::Lock lock(monitor_);
  const auto found = entries_.find(id.raw);
  if (found == entries_.end()) {
    return;
  }
  Entry& entry = found->second;
  if (entry.pins == 1) {
    entry.pinned = {};
  }
  entry.pins = std::max<std::int64_t>(entry.pins - 1, 0);
}

bool ObjectTable::is_collected(protocol::ObjectId id) {
  return !is_alive(id.raw);
}

bool ObjectTable::is_alive(std::uint64_t key) const {
  const jvm::Lock lock(monitor_);
  const auto found = entries_.find(key);
  return found != entries_.end() && !found->second.weak.collected(env_.jni());
}

void ObjectTable::clear() {
  const jvm::Lock lock(monitor_);
  const jvm::Jni jni = env_.jni();
  while (!entries_.empty()) {
    forget(jni, entries_.begin()->first);
  }
  entries_.rehash(0);
  sweep_at_ = kSmallestSweep;
  // Numbers go on: an id of the client before is never one of the client after.
}

std::size_t ObjectTable::size() const {
  const jvm::Lock lock(monitor_);
  return entries_.size();
}

void ObjectTable::forget(const jvm::Jni& jni, std::uint64_t id) {
  const auto found = entries_.find(id);
  if (const auto reference = found->second.weak.lock(jni)) {
    // Refused only at the end of the VM, when tags no longer matter.
    std::ignore = env_.set_tag(reference, 0);
  }
  entries_.erase(found);
}

// Amortised: a sweep visits each entry once and happens when the table has doubled since.
void ObjectTable::sweep_if_grown(const jvm::Jni& jni) {
  if (entries_.size() < sweep_at_) {
    return;
  }
  std::erase_if(entries_, [&](const auto& item) { return item.second.weak.collected(jni); });
  sweep_at_ = std::max(kSmallestSweep, entries_.size() * 2);
}

}  // namespace jvmdebug::agent::ids
