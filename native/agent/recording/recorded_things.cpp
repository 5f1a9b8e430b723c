// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recorded_things.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace jvmdebug::agent::recording {
namespace {

constexpr int kDeepest = 3;  // elements of elements of elements
// The objects of one chunk; what is beyond is told briefly.
constexpr std::size_t kMostBytesOfObjects = 8'000'000;
constexpr std::size_t kBytesOfObject = 100;  // about, without texts and elements
constexpr std::size_t kBytesOfElement = 8;
constexpr std::size_t kBriefText = 100;

// A tag: the turn in which the object was described last, and its number.
constexpr int kBitsOfNumber = 40;
constexpr jlong kNumbers = jlong{1} << kBitsOfNumber;
constexpr jlong kTurns = jlong{1} << (63 - kBitsOfNumber);

// Objects that change without a record, of which what was told last is known, and how many of them
// are looked at for one chunk.
constexpr std::size_t kMostChanging = 100'000;
constexpr std::size_t kMostLooks = 200;
// The kinds of the wire.
constexpr std::uint8_t kCollection = 6;
constexpr std::uint8_t kText = 8;
constexpr std::uint8_t kMap = 9;

// Whether code that is not recorded may change what was told of it.
bool may_change(const RecordedThing& thing) {
  if (thing.kind == kText) {
    return thing.class_name.starts_with("java.lang.StringBu") ||
           thing.class_name.starts_with("java.util.concurrent.atomic.");
  }
  return (thing.kind == kCollection || thing.kind == kMap) &&
         !thing.class_name.starts_with("java.util.ImmutableCollections$");
}

std::uint64_t hash_of(const RecordedThing& thing) {
  std::uint64_t hash = std::hash<std::string>()(thing.text);
  const auto add = [&hash](std::int64_t number) {
    constexpr std::uint64_t kPrime = 0x100000001B3;
    hash = (hash ^ static_cast<std::uint64_t>(number)) * kPrime;
    hash ^= hash >> 32U;
  };
  add(thing.length);
  std::ranges::for_each(thing.elements, add);
  return hash;
}

}  // namespace

jvm::Result<void> RecordedThings::open() {
  JVMDEBUG_ASSIGN(auto made, jvm::Env::create(env_.vm()));
  JVMDEBUG_CHECK(made.add_capabilities({jvm::Capability::kTagObjects}));
  tags_ = std::make_unique<jvm::Env>(std::move(made));
  next_ = 1;
  turn_ = 0;
  changing_.clear();
  return {};
}

std::vector<std::int64_t> RecordedThings::numbers(const jvm::Jni& jni, jobjectArray objects,
                                                  std::size_t count,
                                                  std::vector<RecordedThing>& added) {
  std::vector<std::int64_t> found;
  found.reserve(count);
  bytes_ = 0;
  looks_ = 0;
  for (std::size_t each = 0; each < count; ++each) {
    const auto object = jni.adopt(jni->GetObjectArrayElement(objects, static_cast<jsize>(each)));
    found.push_back(number(jni, object, 0, added));
  }
  return found;
}

std::int64_t RecordedThings::number(const jvm::Jni& jni, jobject object, int depth,
                                    std::vector<RecordedThing>& added) {
  if (object == nullptr) {
    return 0;
  }
  const jlong tag = tags_->get_tag(object).value_or(0);
  const jlong turn = turn_ % kTurns;
  if (tag != 0 && tag >> kBitsOfNumber == turn) {
    const jlong known = tag % kNumbers;
    if (depth == 0) {
      look_again(jni, object, known, added);
    }
    return known;
  }
  const jlong number = tag == 0 ? next_++ : tag % kNumbers;
  (void)tags_->set_tag(object, turn << kBitsOfNumber | number);
  RecordedThing made = described(jni, object, number, depth, added);
  if (may_change(made) && (changing_.size() < kMostChanging || changing_.contains(number))) {
    changing_[number] = hash_of(made);
  }
  added.push_back(std::move(made));
  return number;
}

RecordedThing RecordedThings::described(const jvm::Jni& jni, jobject object, std::int64_t number,
                                        int depth, std::vector<RecordedThing>& added) {
  const Described described = link_.describe(object);
  RecordedThing made{.number = number,
                     .class_name = described.class_name,
                     .kind = described.kind,
                     .text = described.text,
                     .stack = described.stack,
                     .length = described.length,
                     .elements = described.bits};
  bytes_ += kBytesOfObject + made.text.size() + made.stack.size() +
            made.elements.size() * kBytesOfElement;
  if (bytes_ > kMostBytesOfObjects) {
    if (made.text.size() > kBriefText) {
      made.text.clear();  // its length says that it is missing
    }
    made.stack.clear();
    made.elements.clear();
  } else if (described.elements && depth < kDeepest) {
    const jsize length = jni->GetArrayLength(described.elements);
    for (jsize each = 0; each < length; ++each) {
      const auto element = jni.adopt(jni->GetObjectArrayElement(described.elements, each));
      made.elements.push_back(this->number(jni, element, depth + 1, added));
    }
  }
  return made;
}

void RecordedThings::look_again(const jvm::Jni& jni, jobject object, std::int64_t number,
                                std::vector<RecordedThing>& added) {
  const auto known = changing_.find(number);
  if (known == changing_.end() || looks_ == kMostLooks || bytes_ > kMostBytesOfObjects) {
    return;
  }
  ++looks_;
  const std::size_t before = bytes_;
  RecordedThing made = described(jni, object, number, 0, added);
  const std::uint64_t hash = hash_of(made);
  if (bytes_ > kMostBytesOfObjects || !may_change(made) || changing_[number] == hash) {
    bytes_ = std::min(before, bytes_);  // nothing is told
    return;
  }
  changing_[number] = hash;
  added.push_back(std::move(made));
}

}  // namespace jvmdebug::agent::recording
