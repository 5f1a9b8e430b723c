// SPDX-License-Identifier: Apache-2.0
#include "agent/code/hot_swap.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "classfile/same_code.h"

namespace jvmdebug::agent::code {
namespace {

using classfile::ClassFile;
using classfile::Method;

using Methods = std::map<std::string, const Method*, std::less<>>;

Methods methods_by_name(const ClassFile& file) {
  Methods found;
  for (const Method& each : file.methods()) {
    found.emplace(full_name(file, each), &each);
  }
  return found;
}

// Returns the methods of the new class file whose code is the same as in the old one.
Methods unchanged_methods(const ClassFile& before, const ClassFile& after) {
  const auto alike = deeper_in(before, after);
  Methods found = methods_by_name(after);
  std::erase_if(found, [&](const auto& each) {
    const auto words = alike.find(each.first);
    return words == alike.end() || words->second != 0;
  });
  return found;
}

// Returns the insertions for another class file, or none if one of them does not fit.
std::vector<classfile::Insertion> fitted_into(const Inserted& inserted,
                                              classfile::ConstantPool& pool) {
  std::vector<classfile::Insertion> made;
  for (const classfile::PortableInsertion& each : inserted.insertions) {
    auto insertion = classfile::fitted(each, pool);
    if (!insertion) {
      return {};
    }
    made.push_back(*std::move(insertion));
  }
  return made;
}

}  // namespace

std::map<std::string, std::uint16_t> deeper_in(const ClassFile& one, const ClassFile& other) {
  const Methods others = methods_by_name(other);
  std::map<std::string, std::uint16_t> found;
  for (const auto& [name, method] : methods_by_name(one)) {
    const auto same = others.find(name);
    if (same == others.end()) {
      continue;
    }
    if (const auto words = classfile::deeper_by(one, *method, other, *same->second)) {
      found.emplace(name, *words);
    }
  }
  return found;
}

void HotSwap::begin(const jvm::Jni& jni, const jvmtiClassDefinition& definition,
                    std::vector<std::uint8_t> own, ClassInsertions inserted,
                    std::span<const std::pair<jmethodID, jmethodID>> versions) {
  const auto before = ClassFile::read(own);
  const auto after = ClassFile::read(
      std::span(definition.class_bytes, static_cast<std::size_t>(definition.class_byte_count)));
  if (!before || !after) {
    return;
  }
  auto made = std::make_shared<Class>();
  made->type_ = jni.global(definition.klass);
  made->alike_ = deeper_in(*before, *after);
  for (const auto& [name, words] : made->alike_) {
    if (words == 0) {
      made->unchanged_.insert(name);
    }
  }
  for (const auto& [version, shown] : versions) {
    const auto name = env_.get_method_name(shown);
    made->versions_[version] = name && made->alike_.contains(std::string(name->name.view()) +
                                                             std::string(name->signature.view()));
  }
  made->own_ = std::move(own);
  made->inserted_ = std::move(inserted);
  const std::scoped_lock lock(mutex_);
  classes_.push_back(std::move(made));
}

void HotSwap::keep_nothing(const jvm::Jni& jni, jclass type) {
  if (const auto found = find(jni, type)) {
    found->keeps_ = false;
  }
}

std::shared_ptr<HotSwap::Class> HotSwap::find(const jvm::Jni& jni, jclass type) const {
  std::vector<std::shared_ptr<Class>> all;
  {
    const std::scoped_lock lock(mutex_);
    all = classes_;
  }
  const auto found =
      std::ranges::find_if(all, [&](const auto& each) { return jni.same(each->type_, type); });
  return found == all.end() ? nullptr : *found;
}

bool HotSwap::is_any_inserted() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(
      classes_, [](const auto& each) { return each->keeps_ && !each->inserted_.empty(); });
}

std::optional<std::vector<std::uint8_t>> HotSwap::keep(const jvm::Jni& jni, jclass type,
                                                       std::span<const std::uint8_t> bytes,
                                                       const Completer& complete) {
  const auto found = find(jni, type);
  if (!found || !found->keeps_ || found->inserted_.empty()) {
    return std::nullopt;
  }
  const auto before = ClassFile::read(found->own_);
  auto after = ClassFile::read(bytes);
  if (!before || !after) {
    return std::nullopt;
  }
  std::map<std::string, std::vector<std::uint8_t>> kept;
  classfile::MethodInsertions all;
  std::vector<std::pair<const Method*, std::uint16_t>> deeper;
  const Methods same = unchanged_methods(*before, *after);
  for (const auto& [name, method] : same) {
    const auto code = after->code_of(*method);
    const auto inserted = found->inserted_.find(name);
    if (!code || inserted == found->inserted_.end()) {
      continue;
    }
    auto insertions = fitted_into(inserted->second, after->pool());
    if (insertions.size() != inserted->second.insertions.size()) {
      continue;
    }
    all[method] = std::move(insertions);
    deeper.emplace_back(method, inserted->second.deeper);
    kept.emplace(name, std::vector<std::uint8_t>(code->bytes.begin(), code->bytes.end()));
  }
  complete(*after, all);
  std::erase_if(all, [&](const auto& each) {  // a method that stays gets nothing that it lacks now
    return same.contains(full_name(*after, *each.first)) &&
           !kept.contains(full_name(*after, *each.first));
  });
  for (const auto& [method, insertions] : all) {
    if (!insertions.empty() && !after->insert(*method, insertions)) {
      return std::nullopt;
    }
  }
  for (const auto& [method, words] : deeper) {
    after->deepen_stack(*method, words);
  }
  const std::scoped_lock lock(mutex_);
  found->kept_ = std::move(kept);
  return all.empty() ? std::nullopt : std::optional(after->write());
}

void HotSwap::end() {
  std::vector<std::shared_ptr<Class>> ended;  // released without the lock, since that calls the VM
  const std::scoped_lock lock(mutex_);
  ended.swap(classes_);
}

}  // namespace jvmdebug::agent::code
