// SPDX-License-Identifier: Apache-2.0
#include "agent/events/left_records.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "agent/jvm/redefinitions.h"

namespace jvmdebug::agent::events {
namespace {

// JDK-8266497 (..16): a breakpoint is also set in a version of the method that has other code, so
// records may be left behind without a change of the class.
bool keeps_records_apart(const jvm::Env& env) {
  constexpr jint kFirst = 17;
  return env.feature_version() >= kFirst;
}

}  // namespace

std::optional<LeftRecords::Records> LeftRecords::of(std::span<const jmethodID> methods) const {
  auto records = records_.of(methods);
  if (!records) {
    return std::nullopt;
  }
  Records found;
  for (std::size_t number = 0; number < records->size(); ++number) {
    if (!(*records)[number].empty()) {
      found.emplace(methods[number], std::move((*records)[number]));
    }
  }
  return found;
}

// Remembers that no method of the class has such a record: none will until it changes again.
LeftRecords::Found LeftRecords::in(const jvm::Jni& jni, jclass type, jmethodID method,
                                   const Read& read) {
  const auto changes = jvm::redefinitions_of(jni, type);
  const auto clean = clean_.load();
  if (changes == 0 ||
      (changes && clean && clean->changes == *changes && jni.same(clean->type.lock(jni), type))) {
    return Found::kNone;
  }
  auto found = read(type);
  if (!found) {
    return Found::kUnknown;
  }
  for (auto& [of, records] : *found) {
    const auto code = env_.get_actual_bytecodes(of);
    std::erase_if(records,
                  [&](const auto& each) { return !code || jvm::is_of_code(each, code->span()); });
  }
  if (jvm::redefinitions_of(jni, type) != changes) {
    return Found::kUnknown;  // the records may belong to other code
  }
  std::erase_if(*found, [](const auto& one) { return one.second.empty(); });
  if (found->empty() && changes && keeps_records_apart(env_)) {
    clean_.store(std::make_shared<const Clean>(jni.weak(type), *changes));
  }
  return found->contains(method) ? Found::kSome : Found::kNone;
}

bool LeftRecords::is_any_beside(jmethodID method, const std::set<jlocation>& set,
                                const Records& records) const {
  const auto of = records.find(method);
  if (of == records.end()) {
    return false;
  }
  const auto view = env_.code_view(method);
  std::set<jlocation> indices;
  for (const jlocation index : set) {
    indices.insert(view ? view->actual_index(index) : index);
  }
  return std::ranges::any_of(of->second, [&](const jvm::BreakpointRecord& each) {
    return indices.erase(each.index) == 0;
  });
}

}  // namespace jvmdebug::agent::events
