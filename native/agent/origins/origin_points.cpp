// SPDX-License-Identifier: Apache-2.0
#include "agent/origins/origin_points.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agent/code/class_insertions.h"
#include "agent/jvm/result.h"
#include "classfile/assembler.h"
#include "classfile/code_map.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::origins {
namespace {

namespace op = classfile::op;
using classfile::Insertion;
using ByteVector = std::vector<std::uint8_t>;

enum class Does : std::uint8_t {
  kSubmitsThis,  // the task is `this`
  kSubmits,      // the task is the first parameter that is an object
  kSubmitsToIt,  // the same; `this` is the pool
  kMakes,        // a constructor of tasks
  kRunsThis,     // the method runs the task
  kRuns,         // the same; the task is the first parameter that is an object
  kTakes,        // a thread of a pool begins with the last parameter
  kGivesBack,    // it ends with the first parameter
};

struct Point {
  std::string_view owner;
  std::string_view method;
  Does does;
  std::string_view done = {};
};

constexpr std::string_view kOfThread = "started";
constexpr std::string_view kOfPool = "submitted to ThreadPoolExecutor";
constexpr std::string_view kOfScheduler = "scheduled on ScheduledThreadPoolExecutor";
constexpr std::string_view kOfForkJoin = "submitted to ForkJoinPool";
constexpr std::string_view kOfStage = "handed to CompletableFuture";

constexpr std::array kPoints = {
    Point{"java/lang/Thread", "start", Does::kSubmitsThis, kOfThread},
    Point{"java/lang/VirtualThread", "start", Does::kSubmitsThis, kOfThread},
    Point{"java/util/concurrent/ThreadPoolExecutor", "execute", Does::kSubmitsToIt, kOfPool},
    Point{"java/util/concurrent/ThreadPoolExecutor", "beforeExecute", Does::kTakes},
    Point{"java/util/concurrent/ThreadPoolExecutor", "afterExecute", Does::kGivesBack},
    Point{"java/util/concurrent/ScheduledThreadPoolExecutor", "delayedExecute", Does::kSubmitsToIt,
          kOfScheduler},
    Point{"java/util/concurrent/FutureTask", "run", Does::kRunsThis},
    Point{"java/util/concurrent/FutureTask", "runAndReset", Does::kRunsThis},
    Point{"java/util/concurrent/ForkJoinTask", "fork", Does::kSubmitsThis, "forked"},
    Point{"java/util/concurrent/ForkJoinTask", "doExec", Does::kRunsThis},
    Point{"java/util/concurrent/ForkJoinPool", "externalSubmit", Does::kSubmitsToIt, kOfForkJoin},
    Point{"java/util/concurrent/ForkJoinPool", "poolSubmit", Does::kSubmitsToIt, kOfForkJoin},
    Point{"java/util/concurrent/ForkJoinPool", "scheduleDelayedTask", Does::kSubmitsToIt,
          "scheduled on ForkJoinPool"},
    Point{"java/util/concurrent/CompletableFuture$AsyncSupply", "<init>", Does::kMakes, kOfStage},
    Point{"java/util/concurrent/CompletableFuture$AsyncRun", "<init>", Does::kMakes, kOfStage},
    Point{"java/util/concurrent/CompletableFuture$UniCompletion", "<init>", Does::kMakes, kOfStage},
    Point{"java/util/Timer", "sched", Does::kSubmits, "scheduled on Timer"},
    Point{"io/netty/util/concurrent/SingleThreadEventExecutor", "execute", Does::kSubmits,
          "submitted to an event loop of Netty"},
    Point{"io/netty/util/concurrent/AbstractEventExecutor", "safeExecute", Does::kRuns},
    Point{"io/netty/util/concurrent/AbstractEventExecutor", "runTask", Does::kRuns},
    Point{"kotlinx/coroutines/scheduling/CoroutineScheduler", "dispatch", Does::kSubmits,
          "dispatched to a coroutine dispatcher"},
    Point{"kotlinx/coroutines/DispatchedTask", "run", Does::kRunsThis},
    Point{"org/apache/tomcat/util/threads/ThreadPoolExecutor", "executeInternal", Does::kSubmits,
          kOfPool},
    Point{"org/apache/tomcat/util/threads/ThreadPoolExecutor", "beforeExecute", Does::kTakes},
    Point{"org/apache/tomcat/util/threads/ThreadPoolExecutor", "afterExecute", Does::kGivesBack},
    Point{"org/eclipse/jetty/util/thread/QueuedThreadPool", "execute", Does::kSubmits,
          "submitted to QueuedThreadPool"},
    Point{"org/eclipse/jetty/util/thread/QueuedThreadPool", "runJob", Does::kRuns},
};

constexpr std::uint16_t kStatic = 0x0008;
constexpr std::uint8_t kFirstReturn = 172;  // ireturn; the last one is return

// The slots of the parameters that are objects, but no arrays.
std::vector<std::uint8_t> object_slots(std::string_view descriptor, bool is_static) {
  std::vector<std::uint8_t> found;
  std::uint8_t slot = is_static ? 0 : 1;
  for (std::size_t at = 1; at < descriptor.size() && descriptor[at] != ')'; ++at, ++slot) {
    const bool is_array = descriptor[at] == '[';
    while (descriptor[at] == '[' && at + 1 < descriptor.size()) {
      ++at;
    }
    const char type = descriptor[at];
    if (type == 'L') {
      at = std::min(descriptor.find(';', at), descriptor.size() - 1);
      if (!is_array) {
        found.push_back(slot);
      }
    }
    if (!is_array && (type == 'J' || type == 'D')) {
      ++slot;
    }
  }
  return found;
}

// The slot of the task; none if the method has no such parameter.
std::optional<std::uint8_t> task_slot(Does does, std::string_view descriptor, bool is_static) {
  if (does == Does::kSubmitsThis || does == Does::kMakes || does == Does::kRunsThis) {
    return is_static ? std::nullopt : std::optional<std::uint8_t>(0);
  }
  const auto slots = object_slots(descriptor, is_static);
  if (slots.empty() || (does == Does::kSubmitsToIt && is_static)) {
    return std::nullopt;
  }
  return does == Does::kTakes ? slots.back() : slots.front();
}

// Makes the calls of one method.
class Calls {
 public:
  Calls(classfile::ConstantPool& pool, std::uint8_t slot) : code_(pool), slot_(slot) {}

  classfile::Rewritten<ByteVector> submitted(std::size_t number, bool to_this) {
    constexpr unsigned kByteBits = 8;
    if (to_this) {
      code_.add({op::kAload0});
    }
    load();
    code_.add({op::kSipush, static_cast<std::uint8_t>(number >> kByteBits),
               static_cast<std::uint8_t>(number)});
    return to_this ? call("submittedTo", "(Ljava/lang/Object;Ljava/lang/Object;I)V")
                   : call("submitted", "(Ljava/lang/Object;I)V");
  }

  classfile::Rewritten<ByteVector> with_task(std::string_view name) {
    load();
    return call(name, "(Ljava/lang/Object;)V");
  }

 private:
  void load() { code_.add({classfile::kAload, slot_}); }

  classfile::Rewritten<ByteVector> call(std::string_view name, std::string_view descriptor) {
    code_.member(op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                     .owner = kOriginsClass,
                                     .name = std::string(name),
                                     .descriptor = std::string(descriptor)});
    JVMDEBUG_ASSIGN(const ByteVector made, code_.take());
    return classfile::marked_probe(classfile::kOriginCall, made);
  }

  classfile::Assembler code_;
  std::uint8_t slot_;
};

constexpr std::uint16_t kStack = 3;

void add_at_returns(const classfile::Code& code, const ByteVector& call,
                    std::vector<Insertion>& all) {
  for (const std::size_t index : classfile::instructions(code.bytes)) {
    const std::uint8_t opcode = code.bytes[index];
    if (opcode >= kFirstReturn && opcode <= classfile::kReturn) {
      all.push_back({.index = index, .code = call, .stack = kStack});
    }
  }
}

classfile::Rewritten<std::vector<Insertion>> calls_of(classfile::ClassFile& file,
                                                      const classfile::Method& method,
                                                      std::size_t number, std::uint8_t slot) {
  const Does does = kPoints.at(number).does;
  JVMDEBUG_ASSIGN(const classfile::Code code, file.code_of(method));
  Calls calls(file.pool(), slot);
  std::vector<Insertion> all;
  switch (does) {
    case Does::kSubmitsThis:
    case Does::kSubmits:
    case Does::kSubmitsToIt: {
      JVMDEBUG_ASSIGN(ByteVector call, calls.submitted(number, does == Does::kSubmitsToIt));
      all.push_back({.index = 0, .code = std::move(call), .stack = kStack});
      break;
    }
    case Does::kMakes: {
      JVMDEBUG_ASSIGN(const ByteVector call, calls.submitted(number, false));
      add_at_returns(code, call, all);
      break;
    }
    case Does::kTakes: {
      JVMDEBUG_ASSIGN(ByteVector call, calls.with_task("takes"));
      all.push_back({.index = 0, .code = std::move(call), .stack = kStack});
      break;
    }
    case Does::kGivesBack: {
      JVMDEBUG_ASSIGN(ByteVector call, calls.with_task("ends"));
      all.push_back({.index = 0, .code = std::move(call), .stack = kStack});
      break;
    }
    case Does::kRunsThis:
    case Does::kRuns: {
      // An event loop runs one task at a time; one that ends by an exception is forgotten with the
      // next one.
      const char* const begin = does == Does::kRuns ? "takes" : "begins";
      JVMDEBUG_ASSIGN(ByteVector begins, calls.with_task(begin));
      JVMDEBUG_ASSIGN(const ByteVector ends, calls.with_task("ends"));
      all.push_back({.index = 0, .code = std::move(begins), .stack = kStack});
      add_at_returns(code, ends, all);
      break;
    }
  }
  return all;
}

}  // namespace

bool has_points(std::string_view class_name) {
  return std::ranges::any_of(kPoints, [&](const Point& each) { return each.owner == class_name; });
}

classfile::Rewritten<void> add_origin_calls(classfile::ClassFile& file,
                                            const std::set<std::string>& without,
                                            classfile::MethodInsertions& insertions) {
  const std::string owner = file.name();
  for (std::size_t number = 0; number < kPoints.size(); ++number) {
    const Point& point = kPoints.at(number);
    if (point.owner != owner) {
      continue;
    }
    for (const classfile::Method& each : file.methods()) {
      if (!file.pool().is_utf8(each.name, point.method) || !file.code_of(each) ||
          without.contains(code::full_name(file, each))) {
        continue;
      }
      const std::string descriptor = file.pool().utf8(each.descriptor).value_or("");
      const auto slot = task_slot(point.does, descriptor, (each.access & kStatic) != 0);
      if (slot) {
        JVMDEBUG_ASSIGN(auto calls, calls_of(file, each, number, *slot));
        std::ranges::move(calls, std::back_inserter(insertions[&each]));
      }
    }
  }
  return {};
}

std::string_view done_at(std::size_t number) {
  return number < kPoints.size() ? kPoints.at(number).done : std::string_view();
}

}  // namespace jvmdebug::agent::origins
