// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/covered_classes.h"

#include <mutex>
#include <span>

namespace jvmdebug::agent::coverage {
namespace {

// A number of what the flags depend on: the code of the methods, with lines and handlers (FNV-1a).
std::uint64_t content_of(const classfile::ClassFile& file, bool has_branches) {
  constexpr std::uint64_t kBasis = 0xCBF29CE484222325U;
  constexpr std::uint64_t kPrime = 0x100000001B3U;
  std::uint64_t hash = has_branches ? kBasis : kBasis + 1;
  const auto add = [&](std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash = (hash ^ byte) * kPrime;
    }
  };
  for (const classfile::Method& method : file.methods()) {
    for (const classfile::Attribute& each : method.attributes) {
      if (file.pool().is_utf8(each.name, "Code")) {
        add(each.content);
      }
    }
    add(file.pool().whole(method.name));
    add(file.pool().whole(method.descriptor));
  }
  return hash;
}

}  // namespace

std::shared_ptr<const CoveredClass> CoveredClasses::of(const classfile::ClassFile& file,
                                                       bool has_branches) {
  Key key{file.name(), content_of(file, has_branches)};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = by_content_.find(key); found != by_content_.end()) {
      return found->second;
    }
  }
  auto made = std::make_shared<CoveredClass>();
  made->name = key.first;
  made->sites = sites_of(file, has_branches);
  if (made->sites.flags > FlagBlocks::kSize) {
    leave_out(made->name, "it has more places than a block has flags");
    made->sites = {};
  }
  const auto range = blocks_.take(made->sites.flags);
  if (!range) {
    return nullptr;
  }
  made->range = *range;
  made->class_file = file.write();
  const std::scoped_lock lock(mutex_);
  // Another thread may have added it meanwhile; its flags are the ones that count.
  const auto [at, is_new] = by_content_.emplace(std::move(key), made);
  if (is_new) {
    all_.push_back(std::move(made));
  }
  return at->second;
}

std::vector<std::shared_ptr<const CoveredClass>> CoveredClasses::from(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto rest = std::span(all_).subspan(std::min(number, all_.size()));
  return {rest.begin(), rest.end()};
}

void CoveredClasses::leave_out(std::string name, std::string why) {
  const std::scoped_lock lock(mutex_);
  left_out_.insert_or_assign(std::move(name), std::move(why));
}

void CoveredClasses::take_in(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  left_out_.erase(name);
}

void CoveredClasses::begin_run() {
  const std::scoped_lock lock(mutex_);
  left_out_.clear();
}

std::map<std::string, std::string> CoveredClasses::left_out() const {
  const std::scoped_lock lock(mutex_);
  return left_out_;
}

}  // namespace jvmdebug::agent::coverage
