// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/covered_classes.h"

#include <mutex>
#include <span>

#include "agent/by_pattern/class_content.h"

namespace jvmdebug::agent::coverage {

std::shared_ptr<const CoveredClass> CoveredClasses::of(const classfile::ClassFile& file,
                                                       bool has_branches) {
  Key key{file.name(), by_pattern::content_of(file, has_branches ? 0 : 1)};
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
