// SPDX-License-Identifier: Apache-2.0
#include "classfile/coverage_sites.h"

#include <algorithm>
#include <map>
#include <set>

#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::uint8_t kIaload = 46;  // to saload
constexpr std::uint8_t kSaload = 53;
constexpr std::uint8_t kIastore = 79;  // to sastore
constexpr std::uint8_t kSastore = 86;
constexpr std::uint8_t kIdiv = 108;
constexpr std::uint8_t kLdiv = 109;
constexpr std::uint8_t kIrem = 112;
constexpr std::uint8_t kLrem = 113;

bool selects(std::uint8_t opcode) {
  return opcode == kTableSwitch || opcode == kLookupSwitch;
}

bool decides(std::uint8_t opcode) {
  return (opcode >= kIfEq && opcode < kGoto) || opcode == kIfNull || opcode == kIfNonNull;
}

// Whether the instruction may throw, or load or initialize a class, which may throw.
bool may_throw(std::uint8_t opcode) {
  return (opcode >= kGetStatic && opcode <= kMonitorExit) || opcode == kMultiANewArray ||
         (opcode >= kIaload && opcode <= kSaload) || (opcode >= kIastore && opcode <= kSastore) ||
         opcode == kIdiv || opcode == kLdiv || opcode == kIrem || opcode == kLrem;
}

// How control comes to instructions.
class Ways {
 public:
  Ways(std::span<const std::uint8_t> code, std::span<const ExceptionHandler> handlers)
      : code_(code), all_(instructions(code)) {
    for (const ExceptionHandler& each : handlers) {
      handlers_.insert(each.handler);
    }
    for (std::size_t number = 0; number < all_.size(); ++number) {
      const std::size_t at = all_[number];
      const std::size_t next = number + 1 < all_.size() ? all_[number + 1] : code.size();
      for (const BranchOffset& each : branch_offsets(code, at, next - at)) {
        ++jumps_[static_cast<std::size_t>(static_cast<std::int64_t>(at) + each.offset)];
      }
      if (falls_through(code, at)) {
        fallen_to_.insert(next);
      }
      if (code[at] == kJsr || code[at] == kJsrW) {
        handlers_.insert(next);  // a ret leads there
      }
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& all() const { return all_; }

  [[nodiscard]] bool is_entered(std::size_t at) const { return at == 0 || handlers_.contains(at); }

  [[nodiscard]] std::size_t jumps_to(std::size_t at) const {
    const auto found = jumps_.find(at);
    return found == jumps_.end() ? 0 : found->second;
  }

  // Whether nothing but a fall leads there.
  [[nodiscard]] bool is_only_fallen_to(std::size_t at) const {
    return !is_entered(at) && jumps_to(at) == 0;
  }

  // Whether nothing leads there but so many jumps.
  [[nodiscard]] bool is_only_jumped_to(std::size_t at, std::size_t jumps) const {
    return !is_entered(at) && !fallen_to_.contains(at) && jumps_to(at) == jumps;
  }

  [[nodiscard]] bool is_dead(std::size_t at) const { return is_only_jumped_to(at, 0); }

 private:
  std::span<const std::uint8_t> code_;
  std::vector<std::size_t> all_;
  std::set<std::size_t> handlers_;
  std::map<std::size_t, std::size_t> jumps_;
  std::set<std::size_t> fallen_to_;
};

class Sites {
 public:
  Sites(std::span<const std::uint8_t> code, const Ways& ways, bool has_branches)
      : code_(code), ways_(ways), has_branches_(has_branches) {}

  void add_branches() {
    const auto& all = ways_.all();
    for (std::size_t number = 0; has_branches_ && number + 1 < all.size(); ++number) {
      const std::size_t at = all[number];
      if (decides(code_[at])) {
        add_jump(at, all[number + 1]);
      } else if (selects(code_[at])) {
        add_switch(at);
      }
    }
  }

  void add_places(std::span<const std::size_t> lines) {
    const std::set<std::size_t> starts(lines.begin(), lines.end());
    bool is_known = false;  // whether the flags tell that control has come here
    for (const std::size_t at : ways_.all()) {
      const bool is_met = ways_.jumps_to(at) > 0;
      if (ways_.is_entered(at) || ways_.is_dead(at) ||
          (starts.contains(at) && (is_met || !is_known))) {
        places_.insert(at);
      }
      is_known = places_.contains(at) || (is_known && !is_met);
      is_known = is_known && !may_throw(code_[at]) &&
                 (has_branches_ || !(decides(code_[at]) || selects(code_[at])));
    }
  }

  [[nodiscard]] std::vector<CoverageSite> take() const {
    std::vector<CoverageSite> sites;
    for (const std::size_t at : ways_.all()) {
      if (places_.contains(at)) {
        sites.push_back({.index = at});
      }
      if (const auto branch = branches_.find(at); branch != branches_.end()) {
        sites.push_back(branch->second);
      }
    }
    return sites;
  }

 private:
  void add_jump(std::size_t at, std::size_t next) {
    const auto target = static_cast<std::size_t>(
        static_cast<std::int64_t>(at) + branch_offsets(code_, at, next - at).front().offset);
    if (ways_.is_only_fallen_to(next) && ways_.is_only_jumped_to(target, 1)) {
      places_.insert({next, target});
    } else {
      branches_[at] = {.index = at, .kind = CoverageSite::Kind::kJump, .flags = 2};
    }
  }

  void add_switch(std::size_t at) {
    const Switch operands = read_switch(code_, at);
    std::map<std::size_t, std::size_t> jumps;
    for (const std::size_t target : operands.targets) {
      ++jumps[target];
    }
    const bool is_told = std::ranges::all_of(
        jumps, [&](const auto& each) { return ways_.is_only_jumped_to(each.first, each.second); });
    if (!is_told) {
      branches_[at] = {
          .index = at, .kind = CoverageSite::Kind::kSwitch, .flags = operands.targets.size()};
      return;
    }
    for (const auto& [target, count] : jumps) {
      places_.insert(target);
    }
  }

  std::span<const std::uint8_t> code_;
  const Ways& ways_;
  const bool has_branches_;
  std::set<std::size_t> places_;
  std::map<std::size_t, CoverageSite> branches_;
};

std::int32_t operand(std::span<const std::uint8_t> code, std::size_t at) {
  std::uint32_t bits = 0;
  for (const std::uint8_t byte : code.subspan(at, kWord)) {
    bits = (bits << 8U) | byte;
  }
  return static_cast<std::int32_t>(bits);
}

}  // namespace

Switch read_switch(std::span<const std::uint8_t> code, std::size_t at) {
  std::size_t next = (at / kWord + 1) * kWord;
  const auto read = [&] {
    const std::int32_t value = operand(code, next);
    next += kWord;
    return value;
  };
  const auto target = [&] {
    return static_cast<std::size_t>(static_cast<std::int64_t>(at) + read());
  };
  Switch operands;
  const std::size_t otherwise = target();
  if (code[at] == kTableSwitch) {
    const std::int64_t low = read();
    const std::int64_t high = read();
    for (std::int64_t key = low; key <= high; ++key) {
      operands.keys.push_back(static_cast<std::int32_t>(key));
      operands.targets.push_back(target());
    }
  } else {
    const std::int32_t count = read();
    for (std::int32_t each = 0; each < count; ++each) {
      operands.keys.push_back(read());
      operands.targets.push_back(target());
    }
  }
  operands.targets.push_back(otherwise);
  return operands;
}

std::vector<CoverageSite> coverage_sites(std::span<const std::uint8_t> code,
                                         std::span<const ExceptionHandler> handlers,
                                         std::span<const std::size_t> lines, bool has_branches) {
  const Ways ways(code, handlers);
  Sites sites(code, ways, has_branches);
  sites.add_branches();
  sites.add_places(lines);
  return sites.take();
}

}  // namespace jvmdebug::classfile
