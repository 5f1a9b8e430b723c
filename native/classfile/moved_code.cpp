// SPDX-License-Identifier: Apache-2.0
#include "classfile/moved_code.h"

#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "classfile/bytecode.h"
#include "classfile/instructions.h"
#include "codec/result.h"

namespace jvmdebug::classfile {
namespace {

class MovedCode {
 public:
  MovedCode(std::span<const std::uint8_t> code, const Relocation& relocation)
      : code_(code), relocation_(relocation) {
    moved_.reserve(relocation.new_size());
  }

  Rewritten<void> insert(const Insertion& insertion) {
    constexpr std::uint8_t kNop = 0;
    const std::size_t begin = moved_.size();
    moved_.insert(moved_.end(), insertion.code.begin(), insertion.code.end());
    moved_.insert(moved_.end(), Relocation::padded(insertion.code.size()) - insertion.code.size(),
                  kNop);
    return insertion.jump ? jump(*insertion.jump, begin + insertion.jump->at) : Rewritten<void>{};
  }

  Rewritten<void> instruction(std::size_t at, std::size_t size) {
    const auto bytes = code_.subspan(at, size);
    moved_.insert(moved_.end(), bytes.begin(), bytes.end());
    for (const BranchOffset& branch : branch_offsets(code_, at, size)) {
      const std::int64_t target = static_cast<std::int64_t>(at) + branch.offset;
      if (target < 0 || static_cast<std::size_t>(target) >= code_.size()) {
        return std::unexpected(RewriteError::kMalformed);
      }
      const auto from = static_cast<std::int64_t>(relocation_.instruction(at));
      const auto to =
          static_cast<std::int64_t>(relocation_.target(static_cast<std::size_t>(target)));
      JVMDEBUG_CHECK(write(moved_.size() - size + (branch.at - at), branch.width, to - from));
    }
    return {};
  }

  std::vector<std::uint8_t> take() { return std::move(moved_); }

 private:
  Rewritten<void> jump(const InsertedJump& jump, std::size_t from) {
    constexpr std::size_t kWide = 4;
    if (jump.target >= code_.size()) {
      return std::unexpected(RewriteError::kNoInstruction);
    }
    const auto to = static_cast<std::int64_t>(relocation_.instruction(jump.target));
    return write(from + 1, kWide, to - static_cast<std::int64_t>(from));
  }

  Rewritten<void> write(std::size_t position, std::size_t width, std::int64_t offset) {
    using Short = std::numeric_limits<std::int16_t>;
    if (width == sizeof(std::int16_t) && (offset < Short::min() || offset > Short::max())) {
      return std::unexpected(RewriteError::kBranchTooFar);
    }
    auto bits = static_cast<std::uint64_t>(offset);
    for (std::size_t byte = width; byte-- > 0; bits >>= 8U) {
      moved_[position + byte] = static_cast<std::uint8_t>(bits);
    }
    return {};
  }

  std::span<const std::uint8_t> code_;
  const Relocation& relocation_;
  std::vector<std::uint8_t> moved_;
};

}  // namespace

Rewritten<std::vector<std::uint8_t>> move_code(std::span<const std::uint8_t> code,
                                               std::span<const Insertion> insertions,
                                               const Relocation& relocation) {
  std::multimap<std::size_t, const Insertion*> by_index;
  for (const bool only_falls : {true, false}) {
    for (const Insertion& insertion : insertions) {
      if (insertion.only_falls == only_falls) {
        by_index.emplace(insertion.index, &insertion);
      }
    }
  }
  MovedCode moved(code, relocation);
  for (std::size_t at = 0; at < code.size();) {
    const auto [first, last] = by_index.equal_range(at);
    for (auto each = first; each != last; ++each) {
      JVMDEBUG_CHECK(moved.insert(*each->second));
    }
    const std::size_t size = instruction_size(code, at);
    if (size == 0) {
      return std::unexpected(RewriteError::kMalformed);
    }
    JVMDEBUG_CHECK(moved.instruction(at, size));
    at += size;
  }
  return moved.take();
}

}  // namespace jvmdebug::classfile
