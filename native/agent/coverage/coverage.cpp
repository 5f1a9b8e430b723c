// SPDX-License-Identifier: Apache-2.0
#include "agent/coverage/coverage.h"

#include <algorithm>
#include <utility>

#include "agent/coverage/flag_stores.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::coverage {
namespace {

constexpr std::size_t kProvided = 4 * FlagBlocks::kSize;  // free flags before a run
constexpr std::size_t kReserve = 2 * FlagBlocks::kSize;   // with fewer of them, more are provided

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
  CodeByPattern::look_again();
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

classfile::Rewritten<void> Coverage::add_code(classfile::ClassFile& file,
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
  const std::string owner = FlagBlocks::class_name(known->range.block);
  for (const MethodSites& each : known->sites.methods) {
    const classfile::Method& method = file.methods()[each.number];
    if (without.contains(code::full_name(file, method))) {
      continue;
    }
    auto stores = flag_stores(file, method, each.sites, owner, known->range.first + each.first);
    auto& all = insertions[&method];
    const std::size_t before = all.size();
    if (stores) {
      std::ranges::move(*stores, std::back_inserter(all));
    }
    if (!stores || !file.insert(method, all)) {  // for example longer than 64 kB
      all.resize(before);
      classes_.leave_out(known->name + "." + code::full_name(file, method), kTooLong);
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
