// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/object_table.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace jvmdebug::agent::ids {
namespace {

// Number of dead ids or holes that are tolerated before they are removed.
constexpr std::size_t kFew = 1024;

// Counts of the client's references saturate instead of overflowing.
std::int32_t plus(std::int32_t count, std::int32_t more) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  return count > kMost - more ? kMost : count + more;
}

}  // namespace

Result<std::unique_ptr<ObjectTable>> ObjectTable::create(jvm::Env& env) {
  JVMDEBUG_ASSIGN(auto known, KnownClasses::load(env.jni()));
  JVMDEBUG_ASSIGN(auto monitor, jvm::Monitor::create(env, "jvmdebug ids", Rank::kIds));
  // Not make_unique: the constructor is private.
  return std::unique_ptr<ObjectTable>(new ObjectTable(env, std::move(monitor), std::move(known)));
}

ObjectTable::ObjectTable(jvm::Env& env, jvm::Monitor monitor, KnownClasses known)
    : env_(env), monitor_(std::move(monitor)), known_(std::move(known)) {}

ObjectTable::~ObjectTable() = default;

protocol::ObjectId ObjectTable::object_id(jobject object) {
  return protocol::ObjectId{hand_out(object).id};
}

protocol::TaggedObject ObjectTable::tagged_id(jobject object) {
  const Handle handle = hand_out(object);
  return {tag_of(handle.kind), protocol::ObjectId{handle.id}};
}

void ObjectTable::add_reference(protocol::ReferenceTypeId id) {
  const jvm::Lock lock(monitor_);
  if (const auto found = find(id.raw)) {
    entries_[*found].references = plus(entries_[*found].references, 1);
  }
}

std::uint64_t ObjectTable::key(jobject object) {
  return enter(object, 0, std::nullopt).id;
}

std::uint64_t ObjectTable::known_key(jobject object) const {
  return static_cast<std::uint64_t>(env_.get_tag(object).value_or(0));
}

std::vector<jlong> ObjectTable::tags() const {
  const jvm::Lock lock(monitor_);
  std::vector<jlong> tags;
  tags.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    if (entry.weak != nullptr) {
      tags.push_back(static_cast<jlong>(entry.id));
    }
  }
  return tags;
}

ObjectTable::Handle ObjectTable::hand_out(jobject object, std::optional<Kind> kind) {
  return enter(object, 1, kind);
}

ObjectTable::Handle ObjectTable::enter(jobject object, std::int32_t references,
                                       std::optional<Kind> kind) {
  if (object == nullptr) {
    return {};
  }
  const jvm::Lock lock(monitor_);
  if (const auto id = known_key(object); id != 0) {
    if (const auto found = find(id)) {
      Entry& entry = entries_[*found];
      entry.references = plus(entry.references, references);
      if (is_retaining_ && references > 0) {
        retain(env_.jni(), entry);
      }
      return {id, entry.kind};
    }
  }
  return insert(env_.jni(), object, references, kind);
}

ObjectTable::Handle ObjectTable::insert(const jvm::Jni& jni, jobject object,
                                        std::int32_t references, std::optional<Kind> kind) {
  // On the thread of an event an exception of the program may be pending.
  const jvm::PendingException pending(jni);
  watch_deaths();
  Entry entry{.id = next_id_, .references = references};
  if (!env_.set_tag(object, static_cast<jlong>(entry.id))) {
    return {};
  }
  entry.kind = kind ? *kind : known_.kind_of(env_, jni, object);
  entry.weak = jni->NewWeakGlobalRef(object);
  if (jni.clear_exception() || entry.weak == nullptr) {
    // Out of memory for the reference, without which the id is useless.
    std::ignore = env_.set_tag(object, 0);
    return {};
  }
  if (is_retaining_) {
    retain(jni, entry);
  }
  entries_.push_back(entry);
  ++next_id_;
  return {entry.id, entry.kind};
}

// Finds the position of an id: id - first as long as no holes were packed, else by binary search.
ObjectTable::Position ObjectTable::find(std::uint64_t id) const {
  if (entries_.empty() || id < entries_.front().id) {
    return std::nullopt;
  }
  const auto furthest = std::min<std::size_t>(entries_.size() - 1, id - entries_.front().id);
  auto found = entries_.begin() + static_cast<std::ptrdiff_t>(furthest);
  if (found->id != id) {
    found = std::ranges::lower_bound(entries_.begin(), found, id, {}, &Entry::id);
  }
  if (found->id != id || found->weak == nullptr) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - entries_.begin());
}

jvm::LocalRef<jobject> ObjectTable::at(std::size_t position) const {
  const jvm::Jni jni = env_.jni();
  return jni.adopt(jni->NewLocalRef(entries_[position].weak));
}

Result<jvm::LocalRef<jobject>> ObjectTable::object(protocol::ObjectId id) const {
  const jvm::Lock lock(monitor_);
  if (const auto found = find(id.raw)) {
    if (auto reference = at(*found)) {
      return reference;
    }
  }
  return fail(protocol::Error::kInvalidObject);
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
  const auto found = find(id);
  if (!found) {
    return fail(protocol::Error::kInvalidObject);
  }
  auto reference = at(*found);
  if (!reference) {
    return fail(protocol::Error::kInvalidObject);
  }
  if (entries_[*found].kind != kind) {
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
  const auto found = find(id.raw);
  if (!found) {
    return;
  }
  std::int32_t& references = entries_[*found].references;
  references -= static_cast<std::int32_t>(std::clamp<std::int64_t>(count, 0, references));
  if (references == 0) {
    forget(env_.jni(), *found);
    pack_if_sparse();
  }
}

Result<void> ObjectTable::pin(protocol::ObjectId id) {
  const jvm::Lock lock(monitor_);
  JVMDEBUG_ASSIGN(const auto reference, object(id));
  Pinned& pinned = pinned_[id.raw];
  if (pinned.pins == 0) {
    pinned.reference = env_.jni().global(reference.get());
    if (!pinned.reference) {
      pinned_.erase(id.raw);
      return fail(protocol::Error::kOutOfMemory);
    }
  }
  ++pinned.pins;
  return {};
}

void ObjectTable::unpin(protocol::ObjectId id) {
  const jvm::Lock lock(monitor_);
  const auto found = pinned_.find(id.raw);
  if (found != pinned_.end() && --found->second.pins == 0) {
    pinned_.erase(found);
  }
}

void ObjectTable::begin_retaining() {
  const jvm::Lock lock(monitor_);
  is_retaining_ = true;
}

void ObjectTable::retain_known() {
  const jvm::Lock lock(monitor_);
  if (!is_retaining_ || std::exchange(retains_known_, true)) {
    return;
  }
  const jvm::Jni jni = env_.jni();
  for (Entry& entry : entries_) {
    if (entry.weak != nullptr) {
      retain(jni, entry);
    }
  }
}

void ObjectTable::retain(const jvm::Jni& jni, Entry& entry) {
  if (entry.retained) {
    return;
  }
  // Null for an object that was collected, and when memory runs out; such an object is not
  // retained.
  if (auto* const reference = jni->NewGlobalRef(entry.weak); reference != nullptr) {
    retained_.push_back({.id = entry.id, .reference = reference});
    entry.retained = true;
  }
  std::ignore = jni.clear_exception();
}

void ObjectTable::end_retaining() {
  const jvm::Lock lock(monitor_);
  is_retaining_ = retains_known_ = false;
  const jvm::Jni jni = env_.jni();
  for (const Retained& retained : std::exchange(retained_, {})) {
    jni->DeleteGlobalRef(retained.reference);
    if (const auto found = find(retained.id)) {
      entries_[*found].retained = false;
    }
  }
}

bool ObjectTable::is_collected(protocol::ObjectId id) {
  return !is_alive(id.raw);
}

bool ObjectTable::is_alive(std::uint64_t key) const {
  const jvm::Lock lock(monitor_);
  const auto found = find(key);
  return found && !env_.jni().same(entries_[*found].weak, nullptr);
}

void ObjectTable::clear() {
  const jvm::Lock lock(monitor_);
  const jvm::Jni jni = env_.jni();
  for (std::size_t position = 0; position < entries_.size(); ++position) {
    if (entries_[position].weak != nullptr) {
      forget(jni, position);
    }
  }
  entries_ = {};
  holes_ = 0;
  const std::scoped_lock leaf(dead_mutex_);
  dead_ = {};
  // The numbering continues, so an id of the previous client is never reused for the next one.
}

// The object may live on, so the VM forgets the tag.
void ObjectTable::forget(const jvm::Jni& jni, std::size_t position) {
  if (const auto reference = at(position)) {
    // Refused only at the end of the VM, when tags no longer matter.
    std::ignore = env_.set_tag(reference, 0);
  }
  drop(jni, entries_[position]);
}

void ObjectTable::drop(const jvm::Jni& jni, Entry& entry) {
  pinned_.erase(entry.id);
  jni->DeleteWeakGlobalRef(std::exchange(entry.weak, nullptr));
  ++holes_;
}

// Amortised: it visits each entry once, when half of them have gone since the last time.
void ObjectTable::pack_if_sparse() {
  if (holes_ < kFew || holes_ < entries_.size() / 2) {
    return;
  }
  std::erase_if(entries_, [](const Entry& entry) { return entry.weak == nullptr; });
  entries_.shrink_to_fit();
  holes_ = 0;
}

// Enabled with the first id and never disabled: setting this event while the VM reports dead
// objects waits for the reports without allowing a safepoint, which can block the VM for ever.
void ObjectTable::watch_deaths() {
  if (!std::exchange(watches_deaths_, true)) {
    // If this fails, ids are not wrong, but they stay until the client disconnects.
    std::ignore = env_.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE);
  }
}

// True once for this many dead ids, and again for each further batch that is not forgotten by then.
bool ObjectTable::died(jlong tag) {
  const std::scoped_lock leaf(dead_mutex_);
  dead_.push_back(static_cast<std::uint64_t>(tag));
  return dead_.size() % kFew == 0;
}

void ObjectTable::forget_dead() {
  const jvm::Lock lock(monitor_);
  std::vector<std::uint64_t> dead;
  {
    const std::scoped_lock leaf(dead_mutex_);
    dead.swap(dead_);
  }
  const jvm::Jni jni = env_.jni();
  for (const std::uint64_t id : dead) {
    if (const auto found = find(id)) {
      drop(jni, entries_[*found]);
    }
  }
  pack_if_sparse();
}

}  // namespace jvmdebug::agent::ids
