// SPDX-License-Identifier: Apache-2.0
#include "agent/recording/recording_share.h"

#include <algorithm>
#include <utility>

namespace jvmdebug::agent::recording {
namespace {

using classfile::RecordingLevel;

constexpr int kWhole = 100;
constexpr int kLeastOfAll = 1000;   // a method with fewer records than such a part stays as it is
constexpr double kLeastBare = 0.1;  // the least that a program uses for itself
constexpr RecordingShare::Nanos kMostOfReading{100};  // of a record: the rest is there without it
constexpr int kMostSteps = 200;                       // in one window
constexpr double kAimed = 0.8;  // of the share, since what is left is estimated

// A method that can be thinned, a step at a time.
struct Thinned {
  const MethodRecords* of = nullptr;
  RecordingLevel level = RecordingLevel::kNone;
  std::int64_t records = 0;  // at this level

  [[nodiscard]] std::int64_t records_at(RecordingLevel lower) const {
    switch (lower) {
      case RecordingLevel::kLines:
        return std::min(records, of->lines + of->calls);
      case RecordingLevel::kCalls:
        return std::min(records, of->calls);
      default:
        return 0;
    }
  }

  // The next level at which there are fewer records.
  [[nodiscard]] RecordingLevel next() const {
    auto lower = level;
    while (lower != RecordingLevel::kNone) {
      lower = static_cast<RecordingLevel>(static_cast<int>(lower) - 1);
      if (records_at(lower) < records) {
        break;
      }
    }
    return lower;
  }

  [[nodiscard]] std::int64_t saved() const {
    return level == RecordingLevel::kNone ? 0 : records - records_at(next());
  }

  void step() {
    level = next();
    records = records_at(level);
  }
};

}  // namespace

void RecordingShare::begin(int percent, Nanos now, Nanos process) {
  percent_ = percent;
  window_ = kWindow;
  begin_window(now, process);
}

void RecordingShare::begin_window(Nanos now, Nanos process) {
  began_ = now;
  process_ = process;
  reading_ = Nanos{0};
}

bool RecordingShare::is_due(Nanos now, Nanos process) const {
  return is_limited() && now - began_ >= window_ && process - process_ >= kLeast;
}

std::map<std::shared_ptr<const RecordedClass>, Levels> RecordingShare::over(
    Nanos now, Nanos process, std::int64_t records, std::span<const MethodRecords> methods) {
  const auto cost = records * kCostOfRecord + std::min(reading_, records * kMostOfReading);
  const auto whole = process - process_;
  begin_window(now, process);
  std::map<std::shared_ptr<const RecordedClass>, Levels> found;
  if (records <= 0 || cost * kWhole <= whole * percent_) {
    return found;
  }
  // What one record costs with all that was spent. Dropped ones are those of the same methods.
  std::int64_t seen = 0;
  std::vector<Thinned> all;
  for (const MethodRecords& each : methods) {
    seen += each.records;
    if (each.of && each.records > records / kLeastOfAll) {
      all.push_back({.of = &each, .level = each.level, .records = each.records});
    }
  }
  // Without the recording the program would use this, and of that the share is meant.
  const double bare = std::max(kLeastBare * static_cast<double>(whole.count()),
                               static_cast<double>((whole - cost).count()));
  const double share = kAimed * percent_ / kWhole;
  const double allowed = bare * share / (1 - share) / static_cast<double>(cost.count());
  const auto most = static_cast<std::int64_t>(static_cast<double>(seen) * allowed);
  for (int step = 0; seen > most && step < kMostSteps; ++step) {
    const auto next = std::ranges::max_element(all, {}, &Thinned::saved);
    if (next == all.end() || next->saved() == 0) {
      break;
    }
    seen -= next->saved();
    next->step();
    auto& levels = found[next->of->of];
    const auto [level, is_new] = levels.try_emplace(next->of->method, next->level);
    level->second = std::min(level->second, next->level);
  }
  return found;
}

}  // namespace jvmdebug::agent::recording
