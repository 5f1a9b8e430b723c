// SPDX-License-Identifier: Apache-2.0
#include "classfile/stack_map.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "classfile/verification_types.h"
#include "codec/reader.h"
#include "codec/result.h"
#include "codec/writer.h"

namespace jvmdebug::classfile {
namespace {

// JVM specification, 4.7.4: frame types, by the highest of each range.
constexpr std::uint8_t kLastSame = 63;
constexpr std::uint8_t kLastOneItem = 127;
constexpr std::uint8_t kLastReserved = 246;
constexpr std::uint8_t kOneItemExtended = 247;
constexpr std::uint8_t kSameExtended = 251;  // 248 to 250 cut locals off
constexpr std::uint8_t kFull = 255;          // 252 to 254 append locals

constexpr std::uint8_t kLastPlainItem = 6;

class Frames {
 public:
  Frames(std::span<const std::uint8_t> content, const Relocation& relocation)
      : reader_(content), relocation_(relocation) {}

  Rewritten<std::vector<std::uint8_t>> move() {
    const std::uint16_t count = reader_.read_unsigned_short();
    writer_.write_unsigned_short(count);
    for (std::size_t number = 0; number < count; ++number) {
      JVMDEBUG_CHECK(frame());
    }
    if (reader_.failed() || reader_.remaining() != 0) {
      return std::unexpected(RewriteError::kMalformed);
    }
    return writer_.take();
  }

 private:
  Rewritten<void> frame() {
    const auto type = static_cast<std::uint8_t>(reader_.read_unsigned(1));
    if (type > kLastOneItem && type <= kLastReserved) {
      return std::unexpected(RewriteError::kMalformed);
    }
    if (type <= kLastSame) {
      return place(type, 0, kSameExtended);
    }
    if (type <= kLastOneItem) {
      const auto delta = static_cast<std::uint8_t>(type - kLastSame - 1);
      JVMDEBUG_CHECK(place(delta, static_cast<std::uint8_t>(kLastSame + 1), kOneItemExtended));
      return item();
    }
    const std::uint16_t delta = reader_.read_unsigned_short();
    JVMDEBUG_ASSIGN(const std::size_t moved, next(delta));
    writer_.write_unsigned(type, 1);
    writer_.write_unsigned_short(static_cast<std::uint16_t>(moved));
    if (type == kOneItemExtended) {
      return item();
    }
    if (type == kFull) {
      JVMDEBUG_CHECK(items(counted()));
      return items(counted());
    }
    return type > kSameExtended ? items(type - std::size_t{kSameExtended}) : Rewritten<void>{};
  }

  // Writes a frame whose offset is part of its type, which is `base` for the offset 0. If the
  // offset has become too large, the type becomes `extended`.
  Rewritten<void> place(std::uint8_t delta, std::uint8_t base, std::uint8_t extended) {
    JVMDEBUG_ASSIGN(const std::size_t moved, next(delta));
    if (moved <= kLastSame) {
      writer_.write_unsigned(base + moved, 1);
    } else {
      writer_.write_unsigned(extended, 1);
      writer_.write_unsigned_short(static_cast<std::uint16_t>(moved));
    }
    return {};
  }

  // Returns the offset of the next frame, as the difference to write for it.
  Rewritten<std::size_t> next(std::size_t delta) {
    const std::size_t old_index = old_end_ + delta;
    if (reader_.failed() || old_index >= relocation_.old_size()) {
      return std::unexpected(RewriteError::kMalformed);
    }
    const std::size_t new_index = relocation_.target(old_index);
    const std::size_t moved = new_index - new_end_;
    old_end_ = old_index + 1;
    new_end_ = new_index + 1;
    return moved;
  }

  std::size_t counted() {
    const std::uint16_t count = reader_.read_unsigned_short();
    writer_.write_unsigned_short(count);
    return count;
  }

  Rewritten<void> items(std::size_t count) {
    for (std::size_t number = 0; number < count; ++number) {
      JVMDEBUG_CHECK(item());
    }
    return {};
  }

  Rewritten<void> item() {
    const auto tag = static_cast<std::uint8_t>(reader_.read_unsigned(1));
    writer_.write_unsigned(tag, 1);
    if (tag == verification::kObject) {
      writer_.write_unsigned_short(reader_.read_unsigned_short());
    } else if (tag == verification::kUninitialized) {
      // An uninitialized object is given by the index of its `new`, which is an instruction and not
      // a target.
      const std::size_t index = reader_.read_unsigned_short();
      if (index >= relocation_.old_size()) {
        return std::unexpected(RewriteError::kMalformed);
      }
      writer_.write_unsigned_short(static_cast<std::uint16_t>(relocation_.instruction(index)));
    } else if (tag > kLastPlainItem) {
      return std::unexpected(RewriteError::kMalformed);
    }
    return reader_.failed() ? std::unexpected(RewriteError::kMalformed) : Rewritten<void>{};
  }

  codec::Reader reader_;
  codec::Writer writer_;
  const Relocation& relocation_;
  std::size_t old_end_ = 0;  // 1 after the last frame; the first frame counts from 0
  std::size_t new_end_ = 0;
};

// A frame that depends on no other one.
struct WholeFrame {
  std::vector<std::vector<std::uint8_t>> locals;
  std::vector<std::vector<std::uint8_t>> stack;
};

class WholeFrames {
 public:
  using Types = std::vector<std::vector<std::uint8_t>>;

  explicit WholeFrames(std::span<const std::uint8_t> content) : reader_(content) {}

  Rewritten<std::map<std::size_t, WholeFrame>> read(const KnownLocals& first) {
    codec::Reader known(first.types);
    JVMDEBUG_ASSIGN(locals_, types(known, first.count));
    std::size_t end = 0;
    for (std::size_t left = reader_.read_unsigned_short(); left > 0; --left) {
      WholeFrame found;
      JVMDEBUG_ASSIGN(const std::size_t delta, frame(found));
      found.locals = locals_;
      frames_.insert_or_assign(end + delta, std::move(found));
      end += delta + 1;
    }
    if (reader_.failed() || reader_.remaining() != 0) {
      return std::unexpected(RewriteError::kMalformed);
    }
    return std::move(frames_);
  }

  static Rewritten<Types> types(codec::Reader& reader, std::size_t count) {
    Types found;
    for (std::size_t number = 0; number < count; ++number) {
      const auto tag = static_cast<std::uint8_t>(reader.read_unsigned(1));
      std::vector<std::uint8_t> type{tag};
      if (tag == verification::kObject || tag == verification::kUninitialized) {
        const std::uint16_t what = reader.read_unsigned_short();
        type.push_back(static_cast<std::uint8_t>(what >> 8U));
        type.push_back(static_cast<std::uint8_t>(what));
      }
      if (reader.failed() || tag > verification::kUninitialized) {
        return std::unexpected(RewriteError::kMalformed);
      }
      found.push_back(std::move(type));
    }
    return found;
  }

 private:
  // Changes the locals, and returns the distance to the frame before.
  Rewritten<std::size_t> frame(WholeFrame& found) {
    const auto type = static_cast<std::uint8_t>(reader_.read_unsigned(1));
    if (type <= kLastSame) {
      return type;
    }
    if (type <= kLastOneItem) {
      JVMDEBUG_ASSIGN(found.stack, types(reader_, 1));
      return type - kLastSame - 1U;
    }
    if (type <= kLastReserved) {
      return std::unexpected(RewriteError::kMalformed);
    }
    const std::size_t delta = reader_.read_unsigned_short();
    if (type == kOneItemExtended) {
      JVMDEBUG_ASSIGN(found.stack, types(reader_, 1));
    } else if (type == kFull) {
      JVMDEBUG_ASSIGN(locals_, types(reader_, reader_.read_unsigned_short()));
      JVMDEBUG_ASSIGN(found.stack, types(reader_, reader_.read_unsigned_short()));
    } else if (type > kSameExtended) {
      JVMDEBUG_ASSIGN(const Types more, types(reader_, type - std::size_t{kSameExtended}));
      locals_.insert(locals_.end(), more.begin(), more.end());
    } else {
      const std::size_t fewer = std::size_t{kSameExtended} - type;
      locals_.resize(locals_.size() - std::min(fewer, locals_.size()));
    }
    return delta;
  }

  codec::Reader reader_;
  Types locals_;
  std::map<std::size_t, WholeFrame> frames_;
};

void write_types(const WholeFrames::Types& types, codec::Writer& writer) {
  writer.write_unsigned_short(static_cast<std::uint16_t>(types.size()));
  for (const auto& type : types) {
    writer.write_span(type);
  }
}

// Returns the number of slots of local variables: a long or double has two.
std::size_t slots_of(const WholeFrames::Types& locals) {
  return locals.size() +
         static_cast<std::size_t>(std::ranges::count_if(locals, [](const auto& each) {
           return each.front() == verification::kDouble || each.front() == verification::kLong;
         }));
}

std::vector<std::uint8_t> write_frames(const std::map<std::size_t, WholeFrame>& frames) {
  codec::Writer writer;
  writer.write_unsigned_short(static_cast<std::uint16_t>(frames.size()));
  std::size_t end = 0;
  for (const auto& [index, frame] : frames) {
    writer.write_unsigned(kFull, 1);
    writer.write_unsigned_short(static_cast<std::uint16_t>(index - end));
    write_types(frame.locals, writer);
    write_types(frame.stack, writer);
    end = index + 1;
  }
  return writer.take();
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> add_frames(std::span<const std::uint8_t> content,
                                                const KnownLocals& first,
                                                const std::map<std::size_t, KnownLocals>& added) {
  JVMDEBUG_ASSIGN(auto frames, WholeFrames(content).read(first));
  for (const auto& [index, known] : added) {
    codec::Reader reader(known.types);
    JVMDEBUG_ASSIGN(auto locals, WholeFrames::types(reader, known.count));
    frames.try_emplace(index, WholeFrame{.locals = std::move(locals), .stack = {}});
  }
  return write_frames(frames);
}

Rewritten<std::vector<std::uint8_t>> add_variables(std::span<const std::uint8_t> content,
                                                   const AddedVariables& added,
                                                   std::size_t handler) {
  JVMDEBUG_ASSIGN(auto frames, WholeFrames(content).read(added.at_start));
  codec::Reader types(added.types.types);
  JVMDEBUG_ASSIGN(const auto variables, WholeFrames::types(types, added.types.count));
  codec::Reader saved_types(added.saved.types);
  JVMDEBUG_ASSIGN(const auto saved, WholeFrames::types(saved_types, added.saved.count));
  const WholeFrames::Types exception{{verification::kObject,
                                      static_cast<std::uint8_t>(added.exception >> 8U),
                                      static_cast<std::uint8_t>(added.exception)}};
  const bool has_handler = !added.handler.empty();
  if (has_handler) {
    frames.insert_or_assign(handler, WholeFrame{.locals = {}, .stack = exception});
    frames.insert_or_assign(handler + added.guard, WholeFrame{.locals = {}, .stack = exception});
  }
  for (auto& [index, frame] : frames) {
    const std::size_t used = slots_of(frame.locals);
    if (used > added.first) {
      return std::unexpected(RewriteError::kVariablesTaken);
    }
    frame.locals.resize(frame.locals.size() + added.first - used, {verification::kTop});
    frame.locals.insert(frame.locals.end(), variables.begin(), variables.end());
    if (has_handler && index == handler + added.guard) {
      frame.locals.insert(frame.locals.end(), saved.begin(), saved.end());
    }
  }
  return write_frames(frames);
}

Rewritten<std::vector<std::uint8_t>> move_stack_map(std::span<const std::uint8_t> content,
                                                    const Relocation& relocation) {
  return Frames(content, relocation).move();
}

}  // namespace jvmdebug::classfile
