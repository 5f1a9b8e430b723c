// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/log_ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "agent/jvm/thread_name.h"
#include "agent/probes/probe_classes.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr std::int64_t kCapacity = std::int64_t{1} << kLogSizePower;
constexpr std::int64_t kIndexMask = kCapacity - 1;
constexpr std::size_t kLongestRecord = 15;  // in elements of the arrays
constexpr std::size_t kWindow = std::size_t{1} << 15U;
// How long to wait for a record that takes its place and is not published: its thread may be
// suspended, or have ended.
constexpr std::chrono::seconds kPatience{5};

constexpr std::int8_t kNull = 0;
constexpr std::int8_t kLong = 1;
constexpr std::int8_t kText = 2;
constexpr std::int8_t kEnd = 3;

constexpr unsigned kStringKind = 1;
constexpr unsigned kNullableKind = 2;
constexpr unsigned kObjectKind = 3;

std::size_t values_in(jlong header) {
  return static_cast<std::size_t>(header) & 0xFU;
}

unsigned kind_of(jlong header, std::size_t value) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(header) >> (4U + 2U * value)) & 3U;
}

jsize index_of(std::int64_t position) {
  return static_cast<jsize>(position & kIndexMask);
}

struct Part {
  const char* name;
  const char* descriptor;
};

constexpr std::array kParts{Part{"values", kLongArray}, Part{"published", kLongArray},
                            Part{"objects", kObjectArray}, Part{"tail", kCounterType},
                            Part{"head", kCounterType}};

}  // namespace

bool LogRing::prepare(const jvm::Jni& jni, jclass type) {
  if (members_.type) {
    return true;
  }
  Members found{.type = {}, .make = jni->GetMethodID(type, "<init>", "()V")};
  bool is_found = !jni.clear_exception() && found.make != nullptr;
  found.ring = is_found ? jni->GetStaticFieldID(type, "ring", kRingType) : nullptr;
  is_found = !jni.clear_exception() && found.ring != nullptr;
  for (std::size_t at = 0; is_found && at < kParts.size(); ++at) {
    found.parts.at(at) = jni->GetFieldID(type, kParts.at(at).name, kParts.at(at).descriptor);
    is_found = !jni.clear_exception() && found.parts.at(at) != nullptr;
  }
  const auto string = jni.find_class("java/lang/String");
  const auto thread = jni.find_class("java/lang/Thread");
  const auto counter = jni.find_class(kCounterClass);
  if (!is_found || !string || !thread || !counter || !recorded_.make(jni)) {
    return false;
  }
  value_ = jni->GetFieldID(counter, "value", "J");
  if (jni.clear_exception() || value_ == nullptr) {
    return false;
  }
  string_ = jni.global(string.get());
  thread_ = jni.global(thread.get());
  found.type = jni.global(type);
  members_ = std::move(found);
  return true;
}

// Returns the ring that is there already: an agent that was in the VM before may have left it open.
jvm::LocalRef<jobject> LogRing::found(const jvm::Jni& jni) const {
  auto open = jni.adopt(jni->GetStaticObjectField(members_.type, members_.ring));
  return open ? std::move(open) : last_.lock(jni);
}

std::vector<jvm::LocalRef<jobject>> LogRing::parts(const jvm::Jni& jni, jobject ring) const {
  std::vector<jvm::LocalRef<jobject>> all;
  all.reserve(members_.parts.size());
  for (const jfieldID each : members_.parts) {
    all.push_back(jni.adopt(jni->GetObjectField(ring, each)));
  }
  return all;
}

bool LogRing::open(const jvm::Jni& jni) {
  if (is_open()) {
    return true;
  }
  auto ring = found(jni);
  if (!ring) {
    ring = jni.adopt(jni->NewObject(members_.type, members_.make));
    if (jni.clear_exception() || !ring) {
      return false;
    }
  }
  const auto all = parts(jni, ring);
  values_ = jni.global(static_cast<jlongArray>(all[0].get()));
  published_ = jni.global(static_cast<jlongArray>(all[1].get()));
  objects_ = jni.global(static_cast<jobjectArray>(all[2].get()));
  tail_ = jni.global(all[3].get());
  head_ = jni.global(all[4].get());
  // What is left in a ring that is used again was written for another debugger.
  jni->SetLongField(head_, value_, jni->GetLongField(tail_, value_));
  jni->SetStaticObjectField(members_.type, members_.ring, ring);
  ring_ = jni.global(ring.get());
  return true;
}

bool LogRing::is_drained(const jvm::Jni& jni) const {
  const Window window = copy(jni, 1);
  return window.published.empty() || !window.is_published(0);
}

std::vector<jvm::LocalRef<jobject>> LogRing::objects(const jvm::Jni& jni) const {
  std::vector<jvm::LocalRef<jobject>> all;
  if (!members_.type) {
    return all;
  }
  if (auto ring = found(jni)) {
    all = parts(jni, ring);
    all.push_back(std::move(ring));
  }
  return all;
}

void LogRing::copy(const jvm::Jni& jni, jlongArray from, std::int64_t position,
                   std::span<jlong> into) const {
  const auto first =
      std::min<std::size_t>(into.size(), static_cast<std::size_t>(kCapacity - index_of(position)));
  jni->GetLongArrayRegion(from, index_of(position), static_cast<jsize>(first), into.data());
  const auto rest = into.subspan(first);
  if (!rest.empty()) {
    jni->GetLongArrayRegion(from, 0, static_cast<jsize>(rest.size()), rest.data());
  }
}

LogRing::Window LogRing::copy(const jvm::Jni& jni, std::size_t most) const {
  Window window{.head = jni->GetLongField(head_, value_),
                .tail = jni->GetLongField(tail_, value_),
                .published = {},
                .values = {}};
  const std::int64_t there = std::clamp(window.tail - window.head, std::int64_t{0}, kCapacity);
  const auto count = std::min({static_cast<std::size_t>(there), kWindow, most});
  window.published.resize(count);
  window.values.resize(count);
  copy(jni, published_, window.head, window.published);
  // Values are copied after the numbers, so each record published above has its values.
  std::atomic_thread_fence(std::memory_order_acquire);
  copy(jni, values_, window.head, window.values);
  return window;
}

// Lets the checks use the first elements of a window again.
void LogRing::advance(const jvm::Jni& jni, const Window& window, std::size_t count) {
  std::atomic_thread_fence(std::memory_order_release);
  jni->SetLongField(head_, value_, window.head + static_cast<std::int64_t>(count));
}

// Returns how many elements to skip because their record will probably never be published: the ring
// is full, and its first record has not changed for a while.
std::size_t LogRing::abandoned(const Window& window) {
  const auto now = std::chrono::steady_clock::now();
  if (std::exchange(stands_at_, window.head) != window.head) {
    stands_since_ = now;
  }
  const bool has_room = window.tail - window.head < kCapacity - std::int64_t{kLongestRecord};
  if (has_room || now - stands_since_ < kPatience) {
    return 0;
  }
  stands_at_ = -1;
  for (std::size_t at = 1; at < window.published.size(); ++at) {
    if (window.is_published(at)) {
      return at;
    }
  }
  return window.published.size();
}

// Writes the records of one reply.
class LogRing::Writer {
 public:
  Writer(const LogRing& ring, const jvm::Env& env, ids::ObjectTable& objects, jsize longest)
      : ring_(ring), env_(env), jni_(env.jni()), objects_(objects), longest_(longest) {}

  void add(const Window& window, std::size_t at) {
    const jlong header = window.values[at];
    const std::int64_t position = window.head + static_cast<std::int64_t>(at);
    out_.write_int(static_cast<std::int32_t>(static_cast<std::uint64_t>(header) >> 32U));
    out_.write_int(thread_at(position));
    for (std::size_t value = 0; value < values_in(header); ++value) {
      const std::size_t from = at + 1 + value;
      add_value(kind_of(header, value), window.values[from],
                window.head + static_cast<std::int64_t>(from));
    }
    out_.write_byte(kEnd);
  }

  [[nodiscard]] Records take(const Window& window, std::size_t count) {
    const std::int64_t next = window.head + static_cast<std::int64_t>(count);
    return {.threads = std::move(threads_),
            .bytes = out_.take(),
            .has_more = count != 0 && next < window.tail,
            .next = next,
            .written = window.tail};
  }

 private:
  // Returns an object and removes it from the ring.
  [[nodiscard]] jvm::LocalRef<jobject> object_at(std::int64_t position) const {
    const jsize index = index_of(position);
    auto object = jni_.adopt(jni_->GetObjectArrayElement(ring_.objects_, index));
    if (object) {
      jni_->SetObjectArrayElement(ring_.objects_, index, nullptr);
    }
    return object;
  }

  void add_value(unsigned kind, jlong number, std::int64_t position) {
    if (kind != 0) {
      const auto object = object_at(position);
      if (!object) {
        out_.write_byte(kNull);
        return;
      }
      const bool is_text = kind != kNullableKind && jni_.instance_of(object, ring_.string_);
      if (kind == kObjectKind && !is_text) {
        ring_.recorded_.write(env_, object, out_);
        return;
      }
      if (kind == kStringKind || kind == kObjectKind) {
        auto* const string = static_cast<jstring>(object.get());
        out_.write_byte(kText);
        out_.write_string(
            is_text ? jni_.text(string, std::min(longest_, jni_->GetStringLength(string))) : "");
        return;
      }
    }
    out_.write_byte(kLong);
    out_.write_long(number);
  }

  std::int32_t thread_at(std::int64_t position) {
    auto thread = object_at(position);
    if (!thread || !jni_.instance_of(thread, ring_.thread_)) {
      return -1;
    }
    if (last_ && jni_.same(last_, thread)) {
      return last_index_;
    }
    const auto next = static_cast<std::int32_t>(threads_.size());
    const auto [known, is_new] = known_.try_emplace(objects_.key(thread), next);
    if (is_new) {
      auto* const known_thread = static_cast<jthread>(thread.get());
      auto name = jvm::shown_name(env_, known_thread);
      threads_.push_back({.id = objects_.thread_id(known_thread),
                          .name = std::move(name).value_or(std::string())});
    }
    last_ = std::move(thread);
    last_index_ = known->second;
    return last_index_;
  }

  const LogRing& ring_;
  const jvm::Env& env_;
  jvm::Jni jni_;
  ids::ObjectTable& objects_;
  jsize longest_;
  codec::Writer out_;
  std::vector<Thread> threads_;
  std::unordered_map<std::uint64_t, std::int32_t> known_;
  jvm::LocalRef<jobject> last_;
  std::int32_t last_index_ = -1;
};

LogRing::Records LogRing::read(const jvm::Env& env, ids::ObjectTable& objects, std::size_t most,
                               jsize longest) {
  if (!is_open()) {
    return {};
  }
  const jvm::Jni jni = env.jni();
  const Window window = copy(jni, std::min(most, kWindow) * kLongestRecord);
  Writer writer(*this, env, objects, longest);
  std::size_t at = 0;
  for (std::size_t records = 0; records < most && at < window.values.size(); ++records) {
    const std::size_t next = at + 1 + values_in(window.values[at]);
    if (!window.is_published(at) || next > window.values.size()) {
      break;
    }
    writer.add(window, at);
    at = next;
  }
  if (at == 0 && !window.values.empty()) {
    at = abandoned(window);
  }
  if (at != 0) {
    advance(jni, window, at);
  }
  return writer.take(window, at);
}

void LogRing::close(const jvm::Jni& jni) {
  if (!is_open()) {
    return;
  }
  jni->SetStaticObjectField(members_.type, members_.ring, nullptr);
  // A check that has read the field before may go on writing into the ring, which no thread reads.
  const std::int64_t head = jni->GetLongField(head_, value_);
  const std::int64_t tail = std::min(jni->GetLongField(tail_, value_), head + kCapacity);
  for (std::int64_t position = head; position < tail; ++position) {
    jni->SetObjectArrayElement(objects_, index_of(position), nullptr);
  }
  last_ = jni.weak(ring_);
  ring_ = {};
  values_ = {};
  published_ = {};
  objects_ = {};
  tail_ = {};
  head_ = {};
}

}  // namespace jvmdebug::agent::probes
