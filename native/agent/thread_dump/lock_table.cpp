// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_dump/lock_table.h"

#include <utility>

namespace jvmdebug::agent::thread_dump {
namespace {

// The limit of ids: each costs memory here and in the VM.
constexpr std::size_t kMostIds = 10'000;

}  // namespace

std::int32_t LockTable::add(jobject object, bool is_monitor) {
  const jint hash = agent_.jvmti().get_object_hash_code(object).value_or(0);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    Lock& known = at(found->second);
    if (jni_.same(known.object, object)) {
      known.is_monitor |= is_monitor;
      return found->second;
    }
  }
  auto reference = jni_.local(object);
  if (!reference) {
    return -1;
  }
  const auto index = static_cast<std::int32_t>(locks_.size());
  locks_.push_back({.object = std::move(reference), .is_monitor = is_monitor});
  by_hash_.emplace(hash, index);
  return index;
}

std::int32_t LockTable::type(jclass type, protocol::threads::DumpReply& reply) {
  const auto signature = agent_.jvmti().get_class_signature_only(type);
  std::string name = signature ? signature->utf8() : std::string();
  const auto [entry, is_new] =
      types_.try_emplace(name, static_cast<std::int32_t>(reply.types.size()));
  if (is_new) {
    reply.types.push_back(std::move(name));
  }
  return entry->second;
}

void LockTable::describe(const std::unordered_map<jlong, std::int32_t>& threads,
                         protocol::threads::DumpReply& reply) {
  reply.locks.reserve(locks_.size());
  for (const Lock& lock : locks_) {
    auto& written = reply.locks.emplace_back();
    if (reply.locks.size() <= kMostIds) {
      written.lock = agent_.objects().tagged_id(lock.object);
    }
    written.type = type(jni_.object_class(lock.object), reply);
    const bool is_class = written.lock.tag == protocol::Tag::kClassObject;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-static-cast-downcast): its tag says so
    written.of = is_class ? type(static_cast<jclass>(lock.object.get()), reply) : -1;
    written.is_monitor = lock.is_monitor;
    written.owner = lock.owner;
    if (const auto owner = threads.find(lock.owner_number);
        lock.owner_number != 0 && owner != threads.end()) {
      written.owner = owner->second;
    }
  }
}

}  // namespace jvmdebug::agent::thread_dump
