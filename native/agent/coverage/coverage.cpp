// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/coverage.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/coverage/flag_stores.h"
#include "agent/coverage/seen_flags.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::coverage {
namespace {

constexpr std::size_t kProvided = 4 * FlagBlocks::kSize;  // free flags before a run
constexpr std::size_t kReserve = 2 * FlagBlocks::kSize;   // with fewer of them, more are provided

// A change costs the program a moment, and its compilers work. So stores leave rarely when most of
// what runs often has been seen.
constexpr std::chrono::milliseconds kFirstRemoval{1500};
constexpr std::chrono::milliseconds kLongestPause{60'000};

// Methods that run often are often on a stack when stores are removed: they are tried again soon.
constexpr std::chrono::milliseconds kRetry{250};
constexpr int kMostRetries = 20;

constexpr const char* kNoRoom = "there was no room for its flags when it was loaded";
constexpr const char* kTooLong = "its code would be too long";

}  // namespace

Coverage::Coverage(Uses uses)
    : CodeByPattern(std::move(uses), classfile::kFlagStore),
      blocks_(this->uses().env),
      classes_(blocks_) {}

// --- agent threads ---------------------------------------------------------------------------

code::Outcome Coverage::start(Plan plan) {
  const jvm::Jni jni = uses().env.jni();
  stop();  // a class that is not in the new plan loses its stores
  if (const auto prepared = prepare(); !prepared) {
    return prepared;
  }
  const auto helper =
      probes::left_or_defined(uses().env, jni, kHelperClass, java::coverage_class());
  if (!helper || !blocks_.provide(jni, kProvided)) {
    return std::unexpected("the VM refuses the classes that hold the flags");
  }
  // Initializes the class, so that no thread of the program has to.
  (void)jni->GetStaticMethodID(*helper, "eq", "(I[BI)V");
  (void)jni.clear_exception();
  for (std::size_t block = 0; block < blocks_.count(); ++block) {
    blocks_.clear(jni, block);
  }
  classes_.begin_run();
  plan_.store(std::make_shared<const Plan>(std::move(plan)));
  make_equal();
  pause_ = kFirstRemoval;
  retries_ = 0;
  next_removal_ = std::chrono::steady_clock::now() + pause_;
  return {};
}

void Coverage::stop() {
  if (plan_.exchange(nullptr) != nullptr) {
    make_equal();
  }
}

void Coverage::look_again() {
  if (ran_out_.exchange(false)) {
    (void)blocks_.provide(uses().env.jni(), kProvided);
    note_lacking();
  }
  try_again();
  const auto plan = plan_.load();
  if (plan && !plan->clears && std::chrono::steady_clock::now() >= next_removal_) {
    if (remove_seen() && retries_ < kMostRetries) {
      ++retries_;
      next_removal_ = std::chrono::steady_clock::now() + kRetry;
    } else {
      retries_ = 0;
      pause_ = std::min(2 * pause_, kLongestPause);
      next_removal_ = std::chrono::steady_clock::now() + pause_;
    }
  }
}

// Takes out stores of flags that are set. Returns whether threads run some of the methods.
bool Coverage::remove_seen() {
  const jvm::Jni jni = uses().env.jni();
  const SeenFlags flags(classes_.from(0), [&](std::size_t block) {
    return blocks_.read(jni, block, /*reset=*/false);
  });
  const auto class_file = [&](const Removed& removed, const std::string& name) {
    return removed.of ? removed.of : flags.only(name);
  };
  bool is_barred = false;
  renew({
      .concerns =
          [&](const code::ChangedClass* of, const std::string& name) {
            const auto removed =
                of == nullptr ? by_pattern::Renewals<Removed>::Entry{} : removed_.of(*of);
            const auto covered = class_file(removed.now, name);
            return covered && !removed.is_mixed && flags.has_other(*covered, removed.now.gone);
          },
      .decide =
          [&](const code::ChangedClass& of, const std::string& name,
              const std::set<std::string>& fixed) {
            const auto covered = class_file(removed_.of(of).now, name);
            return covered && decide_to_remove(of, covered, flags.of(*covered), fixed, is_barred);
          },
  });
  return is_barred;
}

// Decides which stores the next code of the class lacks; returns whether the newest code has some
// of them. `fixed`: the methods that have to stay as they are now; sets `is_barred` if that keeps
// stores in.
bool Coverage::decide_to_remove(const code::ChangedClass& of,
                                const std::shared_ptr<const CoveredClass>& covered,
                                const std::vector<bool>& set, const std::set<std::string>& fixed,
                                bool& is_barred) {
  return removed_.change(of, [&](auto& removed) {
    if (removed.is_mixed || (removed.now.of && removed.now.of != covered)) {
      return false;
    }
    removed.now.of = covered;
    removed.now.gone.resize(set.size());
    removed.next = removed.now;
    for (const MethodSites& method : covered->sites.methods) {
      const bool is_fixed = fixed.contains(method.name);
      for (std::size_t flag = method.first; flag < method.first + method.flags(); ++flag) {
        if (set[flag] && !removed.next.gone[flag]) {
          removed.next.gone[flag] = !is_fixed;
          is_barred = is_barred || is_fixed;
        }
      }
    }
    return !(removed.next == removed.now);
  });
}

std::size_t Coverage::removed() const {
  std::size_t count = 0;
  for (const auto& [of, removed] : removed_.all()) {
    count += static_cast<std::size_t>(std::ranges::count(removed.now.gone, true));
  }
  return count;
}

std::vector<std::vector<std::uint8_t>> Coverage::flags(
    std::span<const std::shared_ptr<const CoveredClass>> of, bool reset) const {
  constexpr std::size_t kBits = 8;
  const jvm::Jni jni = uses().env.jni();
  std::map<std::size_t, std::vector<std::int8_t>> blocks;
  for (std::size_t block = 0; block < blocks_.count(); ++block) {
    blocks.emplace(block, blocks_.read(jni, block, reset));
  }
  std::vector<std::vector<std::uint8_t>> all;
  for (const auto& each : of) {
    const auto block = blocks.find(each->range.block);
    std::vector<std::uint8_t> bits((each->range.count + kBits - 1) / kBits);
    for (std::size_t flag = 0; block != blocks.end() && flag < each->range.count; ++flag) {
      if (block->second[each->range.first + flag] != 0) {
        bits[flag / kBits] |= static_cast<std::uint8_t>(1U << (flag % kBits));
      }
    }
    all.push_back(std::move(bits));
  }
  return all;
}

// --- what the code of a class becomes --------------------------------------------------------

bool Coverage::includes(std::string_view name) const {
  const auto plan = plan_.load();
  return plan && plan->classes.includes(name);
}

void Coverage::replaced(const code::ChangedClass& of, jclass type, const Codes& kept) {
  CodeByPattern::replaced(of, type, kept);
  removed_.replaced(of, holds(of));
}

void Coverage::forget(const code::ChangedClass& of) {
  CodeByPattern::forget(of);
  removed_.forget(of);
}

// Returns the flags of the class file that the next code of the class does not store.
std::vector<bool> Coverage::gone_in(const code::ChangedClass& of,
                                    const std::shared_ptr<const CoveredClass>& covered) const {
  return removed_.change(of, [&](auto& removed) {
    if (removed.next.of != covered) {
      removed.next = {.of = covered, .gone = {}};
    }
    return removed.next.gone;
  });
}

// Adds the stores. The class goes without them if there are no flags left.
classfile::Rewritten<void> Coverage::add_code(const code::ChangedClass* of,
                                              classfile::ClassFile& file,
                                              const std::set<std::string>& without,
                                              classfile::MethodInsertions& insertions) const {
  const auto plan = plan_.load();
  if (!plan) {
    return {};
  }
  const auto known = classes_.of(file, plan->branches);
  if (blocks_.free() < kReserve) {
    provide_soon();
  }
  if (!known) {
    ran_out_ = true;
    classes_.leave_out(file.name(), kNoRoom);
    return {};
  }
  const auto gone = of == nullptr ? std::vector<bool>() : gone_in(*of, known);
  const std::string owner = FlagBlocks::class_name(known->range.block);
  for (const MethodSites& each : known->sites.methods) {
    const classfile::Method& method = file.methods()[each.number];
    if (without.contains(each.name)) {
      continue;
    }
    auto stores = flag_stores(file, method, each, owner, known->range.first, gone);
    auto& all = insertions[&method];
    const std::size_t before = all.size();
    if (stores) {
      std::ranges::move(*stores, std::back_inserter(all));
    }
    if (!stores || !file.insert(method, all)) {  // for example longer than 64 kB
      all.resize(before);
      classes_.leave_out(known->name + "." + each.name, kTooLong);
      JVMDEBUG_CHECK(file.insert(method, all));
    }
  }
  return {};
}

void Coverage::provide_soon() const {
  if (!is_providing_.exchange(true)) {
    uses().run_soon([this] {
      (void)blocks_.provide(uses().env.jni(), kProvided);
      is_providing_ = false;
    });
  }
}

}  // namespace jvmdebug::agent::coverage
