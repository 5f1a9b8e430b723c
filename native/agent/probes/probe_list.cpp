// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_list.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "classfile/code_map.h"

namespace jvmdebug::agent::probes {

void ProbeList::add(const Probes& probes) {
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : probes) {
    by_number_[probe->call.number] = probe;
  }
}

void ProbeList::remove(const Probes& probes) {
  Probes removed;  // released after the lock
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : probes) {
    const auto found = by_number_.find(probe->call.number);
    if (found != by_number_.end() && found->second == probe) {
      removed.push_back(std::move(found->second));
      by_number_.erase(found);
    }
  }
}

bool ProbeList::has_calls() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(std::views::values(by_number_),
                             [](const auto& probe) { return probe->calls_methods; });
}

bool ProbeList::has_log() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(std::views::values(by_number_),
                             [](const auto& probe) { return probe->writes_log; });
}

std::shared_ptr<Probe> ProbeList::find(std::int32_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

std::shared_ptr<Probe> ProbeList::of_request(std::int32_t request_id) const {
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : std::views::values(by_number_)) {
    if (probe->request->id == request_id && !probe->is_companion) {
      return probe;
    }
  }
  return nullptr;
}

Probes ProbeList::all_of(const events::Request& request) const {
  Probes found;
  const std::scoped_lock lock(mutex_);
  for (const auto& probe : std::views::values(by_number_)) {
    if (probe->request == request) {
      found.push_back(probe);
    }
  }
  return found;
}

Probes ProbeList::on() const {
  Probes probes;
  const std::scoped_lock lock(mutex_);
  std::ranges::copy(std::views::values(by_number_), std::back_inserter(probes));
  return probes;
}

std::shared_ptr<Probe> ProbeList::of_check(const jvm::Jni& jni, jmethodID method) const {
  const auto type = jni.adopt(env_.get_method_declaring_class(method).value_or(nullptr));
  const auto probes = on();
  const auto found = std::ranges::find_if(
      probes, [&](const auto& probe) { return jni.same(probe->check_type(jni), type); });
  return found == probes.end() ? nullptr : *found;
}

bool ProbeList::are_free(const ProbeSpec& spec) const {
  const auto is_free = [&](const CheckSpec& check) {
    return check.number > 0 && std::cmp_less(check.number, classfile::kFirstReserved) &&
           !find(check.number);
  };
  return is_free(spec) && std::ranges::all_of(spec.companions, is_free);
}

}  // namespace jvmdebug::agent::probes
