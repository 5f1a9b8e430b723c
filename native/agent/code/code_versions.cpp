// SPDX-License-Identifier: Apache-2.0
#include "agent/code/code_versions.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agent/code/agent_classes.h"
#include "classfile/bytecode.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::code {
namespace {

constexpr std::size_t kVersionsKept = 20'000;

// Whether two pieces of code have the same instructions. Their operands are not compared, because
// the VM numbers constants again in each version.
bool have_same_shape(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other) {
  if (one.empty() || one.size() != other.size()) {
    return false;
  }
  for (std::size_t at = 0; at < one.size();) {
    const std::size_t size = classfile::instruction_size(one, at);
    if (size == 0 || one[at] != other[at]) {
      return false;
    }
    at += size;
  }
  return true;
}

}  // namespace

class CodeVersions::Version : public jvm::CodeView::Method {
 public:
  [[nodiscard]] bool is_changed() const override { return map.has_value(); }

  [[nodiscard]] jlocation shown_index(jlocation actual) const override {
    return map && actual >= 0 ? map->original(actual) : actual;
  }

  [[nodiscard]] jlocation actual_index(jlocation index) const override {
    return map && index >= 0 ? map->instruction(index) : index;
  }

  [[nodiscard]] bool is_added(jlocation actual) const override {
    return map && actual >= 0 && map->is_in_probe(actual);
  }

  [[nodiscard]] std::vector<std::uint16_t> probes_at(jlocation index) const override {
    return map ? map->probes_at(index) : std::vector<std::uint16_t>{};
  }

  [[nodiscard]] std::vector<std::uint8_t> shown_code(
      std::span<const std::uint8_t> actual) const override {
    return map ? map->strip(actual) : std::vector<std::uint8_t>(actual.begin(), actual.end());
  }

  std::optional<classfile::CodeMap> map;
};

void CodeVersions::forget() {
  Versions old;
  const std::scoped_lock lock(mutex_);
  old = std::exchange(versions_, {});
  ++era_;
}

void CodeVersions::replaced(std::span<const jmethodID> obsolete) {
  {
    const std::scoped_lock lock(mutex_);
    replaced_.insert(obsolete.begin(), obsolete.end());
  }
  forget();
}

bool CodeVersions::was_replaced(jmethodID method) const {
  const std::scoped_lock lock(mutex_);
  return replaced_.contains(method);
}

std::shared_ptr<const jvm::CodeView::Method> CodeVersions::method(jmethodID actual) {
  std::uint64_t era = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = versions_.find(actual); found != versions_.end()) {
      return found->second;
    }
    era = era_;
  }
  auto version = read(actual);
  const std::scoped_lock lock(mutex_);
  if (era == era_) {
    if (versions_.size() >= kVersionsKept) {
      versions_.clear();
    }
    versions_.emplace(actual, version);
  }
  return version;
}

std::shared_ptr<const CodeVersions::Version> CodeVersions::read(jmethodID actual) const {
  const auto version = std::make_shared<Version>();
  version->shown = actual;
  const auto declaring = env_.get_method_declaring_class(actual);
  if (!declaring) {
    return version;
  }
  const auto type = env_.jni().adopt(*declaring);
  if (is_of_agent(type)) {
    version->is_hidden = true;
    return version;
  }
  const auto signature = env_.get_class_signature_only(type);
  if (signature &&
      (signature->view() == kHookSignature || signature->view() == kCoverageSignature ||
       signature->view() == kRecorderSignature || signature->view() == kRecordedObjectsSignature)) {
    version->is_quiet = true;
    return version;
  }
  const auto code = env_.get_actual_bytecodes(actual);
  if (!code) {
    return version;  // the method is native or abstract
  }
  version->map = classfile::CodeMap::read(code->span());
  if (env_.is_method_obsolete(actual).value_or(false) && !was_replaced(actual)) {
    version->shown = successor(actual, type, version->shown_code(code->span()));
  }
  return version;
}

bool CodeVersions::is_of_agent(jclass type) const {
  const auto signature = env_.get_class_signature_only(type);
  return signature && is_of_agent(signature->view());
}

bool CodeVersions::is_of_agent(std::string_view signature) {
  const std::size_t name = std::max(signature.rfind('/') + 1, std::size_t{1});
  return signature.substr(std::min(name, signature.size())).starts_with(kCheckPrefix);
}

// Returns the current version of a method if it differs from the old one only by probes, else the
// old version itself.
jmethodID CodeVersions::successor(jmethodID old, jclass type,
                                  std::span<const std::uint8_t> code) const {
  const auto names = env_.get_method_name(old);
  const auto methods = env_.get_class_methods(type);
  if (!names || !methods) {
    return old;
  }
  for (auto* const method : *methods) {
    const auto others = env_.get_method_name(method);
    if (others && others->name.view() == names->name.view() &&
        others->signature.view() == names->signature.view()) {
      return have_same_shape(code, own_code(method)) ? method : old;
    }
  }
  return old;
}

std::vector<std::uint8_t> CodeVersions::own_code(jmethodID method) const {
  const auto code = env_.get_actual_bytecodes(method);
  if (!code) {
    return {};
  }
  const auto map = classfile::CodeMap::read(code->span());
  return map ? map->strip(code->span())
             : std::vector<std::uint8_t>(code->span().begin(), code->span().end());
}

}  // namespace jvmdebug::agent::code
