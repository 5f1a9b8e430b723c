// SPDX-License-Identifier: Apache-2.0
#include "classfile/recording_sites.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "classfile/assembler.h"
#include "classfile/code_flow.h"
#include "classfile/code_map.h"
#include "classfile/descriptor.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/instructions.h"
#include "classfile/leaf_code.h"
#include "classfile/opcodes.h"
#include "classfile/recorded_kinds.h"
#include "classfile/straight_code.h"
#include "classfile/thread_order.h"
#include "classfile/verification_types.h"
#include "codec/result.h"

namespace jvmdebug::classfile {
namespace {

using Kind = RecordingSite::Kind;
using Join = RecordingSite::Join;
using ByteVector = std::vector<std::uint8_t>;

constexpr std::uint8_t kSastore = 86;
constexpr unsigned kByteBits = 8;
constexpr std::size_t kFreeSlots = 8;  // for what else is inserted
constexpr std::size_t kSlots = 3;      // of the added variables; behind them that of an exception
constexpr std::uint16_t kStack = 8;    // more than any of the calls needs
constexpr std::size_t kLongestBlock = 900;
constexpr std::size_t kBytesOfArgument = 25;
constexpr std::string_view kLoads = "IJFDA";
constexpr std::string_view kStored = "IJFDLBCS";  // iastore to sastore
constexpr std::string_view kConstructor = "<init>";

std::uint8_t high(std::size_t number) {
  return static_cast<std::uint8_t>(number >> kByteBits);
}

std::uint8_t low(std::size_t number) {
  return static_cast<std::uint8_t>(number);
}

constexpr std::string_view kOperands = "Ljava/lang/JvmdebugRecorder;II";

// Makes the sites and the code of one method, in one pass over its instructions.
class Maker {
 public:
  Maker(ClassFile& file, const Method& method, const Code& code, RecordingLevel level,
        const RecordingScope& scope, std::uint32_t base)
      : file_(file),
        method_(method),
        code_(code),
        level_(level),
        scope_(scope),
        base_(base),
        all_(instructions(code.bytes)),
        straight_(file, method, code),
        assembler_(file.pool()),
        first_(code.max_locals + kFreeSlots) {}

  Rewritten<RecordedCode> make() {
    JVMDEBUG_CHECK(prepare());
    JVMDEBUG_CHECK(enter());
    for (std::size_t number = 0; number < all_.size(); ++number) {
      at_ = all_[number];
      next_ = number + 1 < all_.size() ? all_[number + 1] : code_.bytes.size();
      const bool is_quiet = this->is_quiet(at_);
      if (is_quiet || straight_.is_entered(at_)) {
        JVMDEBUG_CHECK(note_waiting());
      }
      if (!is_quiet) {
        order_ = ordering(file_, code_, at_, scope_.is_volatile);
        JVMDEBUG_CHECK(in_front());
        if (!straight_.only_continues(at_)) {
          JVMDEBUG_CHECK(note_waiting());
        }
        JVMDEBUG_CHECK(behind());
      }
    }
    JVMDEBUG_CHECK(leave());
    made_.size = Relocation(code_.bytes.size(), made_.insertions).new_size();
    return std::move(made_);
  }

 private:
  // --- what is known of the method -----------------------------------------------------------

  Rewritten<void> prepare() {
    const auto& pool = file_.pool();
    name_ = pool.utf8(method_.name).value_or("");
    descriptor_ = pool.utf8(method_.descriptor).value_or("");
    const auto types = method_types(descriptor_);
    if (all_.empty() || !types || first_ > std::numeric_limits<std::uint16_t>::max() / 2) {
      return std::unexpected(RewriteError::kMalformed);
    }
    types_ = *types;
    const auto lines = lines_in(file_, code_);
    lines_.insert(lines.begin(), lines.end());
    for (const ExceptionHandler& each : code_.handlers) {
      handlers_.insert(each.handler);
    }
    has_subroutines_ = has_subroutines(code_.bytes, all_);
    is_constructor_ = name_ == kConstructor;
    if (is_constructor_) {
      JVMDEBUG_ASSIGN(initialized_, behind_super(file_, code_, all_));
    }
    return {};
  }

  // Whether an exception at the instruction may lead back to it by a handler that covers itself.
  [[nodiscard]] bool is_quiet(std::size_t at) const {
    return std::ranges::any_of(code_.handlers, [&](const ExceptionHandler& each) {
      return each.start <= each.handler && each.handler < each.end && each.handler <= at &&
             at < each.end;
    });
  }

  // --- code ----------------------------------------------------------------------------------

  std::size_t site(Kind kind, char type = 'V', std::size_t detail = 0) {
    return site_at(kind, at_, type, detail);
  }

  std::size_t site_at(Kind kind, std::size_t index, char type, std::size_t detail) {
    if (std::exchange(waiting_, std::nullopt)) {
      made_.sites.back().join = Join::kWithNext;
    }
    made_.sites.push_back({.kind = kind,
                           .join = Join::kNone,
                           .type = type,
                           .index = static_cast<std::uint16_t>(index),
                           .detail = static_cast<std::uint16_t>(detail)});
    return made_.sites.size() - 1;
  }

  void access(std::uint8_t first, char type, std::size_t slot) {
    const auto opcode = static_cast<std::uint8_t>(first + kLoads.find(computed(type)));
    if (slot > std::numeric_limits<std::uint8_t>::max()) {
      assembler_.add({op::kWide, opcode, high(slot), low(slot)});
    } else {
      assembler_.add({opcode, low(slot)});
    }
  }

  void load(char type, std::size_t slot) { access(op::kIload, type, slot); }

  void store(char type, std::size_t slot) { access(op::kIstore, type, slot); }

  void push(std::size_t number) {
    constexpr std::size_t kSmallest = 5;
    constexpr std::size_t kSmall = 127;
    if (number <= kSmallest) {
      assembler_.add({static_cast<std::uint8_t>(op::kIconst0 + number)});
    } else if (number <= kSmall) {
      assembler_.add({op::kBipush, low(number)});
    } else {
      assembler_.add({op::kSipush, high(number), low(number)});
    }
  }

  void duplicate(char type) { assembler_.add({slots_of(type) == 2 ? op::kDup2 : op::kDup}); }

  void call(std::string_view name, const std::string& descriptor) {
    assembler_.member(op::kInvokeStatic, {.kind = Constant::kMethod,
                                          .owner = kRecorderClass,
                                          .name = std::string(name),
                                          .descriptor = descriptor});
  }

  // Calls a method of the recorder that takes the values on the stack.
  void note(std::string_view name, const std::string& values, std::size_t site) {
    load('A', first_);
    load('I', first_ + 1);
    push(site);
    call(name, "(" + values + std::string(kOperands) + ")V");
  }

  void note_time() { tell("clock"); }

  void tell(std::string_view name) {
    load('A', first_);
    call(name, "(Ljava/lang/JvmdebugRecorder;)V");
  }

  void note_value(char type, std::size_t site) {
    note(computed(type) == 'V' ? "line" : "value", descriptor_of(type), site);
  }

  void note_result(char type) {
    const std::size_t exit = site(Kind::kExit, type);
    if (is_leaf_) {
      note_value(type, exit);
      tell("leafLeft");
    } else {
      note_end("exit", type, exit);
    }
  }

  // The end of a frame is noted with its depth, which follows the values.
  void note_end(std::string_view name, char type, std::size_t site) {
    load('I', first_ + 2);
    note(name, descriptor_of(type) + "I", site);
  }

  // A line has a record of its own only if the next site cannot tell it.
  void begin_line() {
    (void)site(Kind::kLine);
    waiting_ = at_;
  }

  // Notes the line that waits, where it begins.
  Rewritten<void> note_waiting() {
    if (const auto at = std::exchange(waiting_, std::nullopt)) {
      note_value('V', made_.sites.size() - 1);
      return put(*at, false);
    }
    return {};
  }

  // Puts the code that was made in front of an instruction.
  Rewritten<void> put(std::size_t index, bool only_falls) {
    JVMDEBUG_ASSIGN(const ByteVector made, assembler_.take());
    if (made.empty()) {
      return {};
    }
    JVMDEBUG_ASSIGN(auto marked, marked_code(kRecord, made));
    made_.insertions.push_back(
        {.index = index,
         .code = std::move(marked),
         .stack = kStack,
         .locals = static_cast<std::uint16_t>(first_ + kSlots + 1 + temporaries_),
         .only_falls = only_falls,
         .uses_variables = true});
    return {};
  }

  // --- the ends of the method ----------------------------------------------------------------

  Rewritten<void> enter() {
    constexpr std::uint8_t kHalfBits = 16;
    const auto lower = static_cast<std::int16_t>(base_);
    const auto up = static_cast<std::size_t>((std::int64_t{base_} - lower) >> kHalfBits);
    const bool is_root = scope_.is_root && scope_.is_root(name_ + descriptor_);
    site_at(Kind::kEnter, 0, 'V', 0);
    if (is_synchronized(method_)) {
      call("acquired", "()V");
    }
    const auto down = static_cast<std::size_t>(lower);
    assembler_.add({op::kSipush, high(up), low(up), op::kBipush, kHalfBits, op::kIshl, op::kSipush,
                    high(down), low(down), op::kIadd});
    store('I', first_ + 1);
    const auto values = parameters_of(types_, is_static(method_), is_constructor_);
    is_leaf_ = !is_root && !is_constructor_ &&
               (values.empty() || computed(values[0].type) == 'A') &&
               is_leaf(file_, method_, code_, straight_);
    std::string first;
    if (!is_root && !values.empty()) {
      // The record of the first value tells that the method is entered.
      made_.sites.back().join = Join::kWithNext;
      first = push_parameter(values.front());
    }
    load('I', first_ + 1);
    const auto* const name = is_root ? "enterRoot" : is_leaf_ ? "leaf" : "enter";
    call(name, "(" + first + "I)L" + std::string(kRecorderClass) + ";");
    if (!is_leaf_) {
      assembler_.add({op::kDup});
      call("depth", "(Ljava/lang/JvmdebugRecorder;)I");
      store('I', first_ + 2);
    }
    store('A', first_);
    JVMDEBUG_CHECK(put(0, true));
    JVMDEBUG_ASSIGN(made_.insertions.front().variables, variables());
    for (std::size_t number = first.empty() ? 0 : 1; number < values.size(); ++number) {
      const std::string type = push_parameter(values[number]);
      note("value", type, made_.sites.size() - 1);
      if (number % (kLongestBlock / kBytesOfArgument) == 0) {
        JVMDEBUG_CHECK(put(0, true));
      }
    }
    return put(0, true);
  }

  // Makes the site of a parameter, and pushes its value. Returns the descriptor of that.
  std::string push_parameter(const RecordedSlot& each) {
    (void)site_at(Kind::kLocal, 0, each.type, each.slot);
    load(each.type, each.slot);
    return descriptor_of(each.type);
  }

  // The local variables and, at the end of the method, the handler:
  //
  //     astore saved
  //     note that the frame ends      guarded: an error there leads to `guard`
  //     aload saved; athrow
  //   guard:
  //     pop
  //     aload saved; athrow
  Rewritten<std::shared_ptr<const AddedVariables>> variables() {
    auto added = std::make_shared<AddedVariables>();
    auto& pool = file_.pool();
    added->first = static_cast<std::uint16_t>(first_);
    JVMDEBUG_ASSIGN(const std::uint16_t recorder, pool.add_class(kRecorderClass));
    JVMDEBUG_ASSIGN(added->exception, pool.add_class("java/lang/Throwable"));
    JVMDEBUG_ASSIGN(added->stack_map, pool.add_utf8("StackMapTable"));
    added->types = {
        .count = 2,
        .types = {verification::kObject, high(recorder), low(recorder), verification::kInteger}};
    if (!is_leaf_) {
      ++added->types.count;
      added->types.types.push_back(verification::kInteger);
    }
    added->saved = {
        .count = 1,
        .types = {verification::kObject, high(added->exception), low(added->exception)}};
    JVMDEBUG_ASSIGN(added->at_start, locals_at_start(file_, method_, types_));
    added->covered_from = initialized_;
    return added;
  }

  Rewritten<void> leave() {
    if (is_leaf_) {
      return {};  // by no exception
    }
    const std::size_t saved = first_ + kSlots;
    const std::size_t thrown = site_at(Kind::kThrown, 0, 'L', 0);
    const auto again = [&] {
      load('A', saved);
      assembler_.add({kAthrow});
    };
    store('A', saved);
    JVMDEBUG_ASSIGN(const ByteVector keeping, assembler_.take());
    load('A', saved);
    note_end("exit", 'L', thrown);
    note_time();
    JVMDEBUG_ASSIGN(const ByteVector noting, assembler_.take());
    again();
    assembler_.add({op::kPop});
    again();
    JVMDEBUG_ASSIGN(const ByteVector throwing, assembler_.take());
    // What makes the length even is in front: behind an athrow, verifiers want another frame.
    ByteVector all(3 - (keeping.size() + noting.size() + throwing.size() + 3) % 4);
    for (const ByteVector& each : {keeping, noting, throwing}) {
      all.insert(all.end(), each.begin(), each.end());
    }
    auto added = std::make_shared<AddedVariables>(*made_.insertions.front().variables);
    added->guarded_end = kMarksSize + all.size() - throwing.size();
    added->guarded = added->guarded_end - noting.size();
    added->guard = kMarksSize + all.size() - (throwing.size() + 1) / 2;
    JVMDEBUG_ASSIGN(added->handler, marked_code(kRecord, all));
    made_.insertions.front().variables = std::move(added);
    return {};
  }

  // --- an instruction ------------------------------------------------------------------------

  // What is noted before the instruction runs, however control comes to it.
  Rewritten<void> in_front() {
    const std::uint8_t opcode = code_.bytes[at_];
    if (handlers_.contains(at_)) {
      assembler_.add({op::kDup});
      note_end("caught", 'L', site(Kind::kCaught, 'L'));
    }
    if (level_ >= RecordingLevel::kLines && lines_.contains(at_)) {
      begin_line();
    }
    if (opcode >= kIreturn && opcode <= kReturn) {
      const char type = types_.result.front();
      if (type != 'V') {
        duplicate(type);
      }
      note_result(type);
      if (is_synchronized(method_)) {
        note_time();
      }
    } else if (opcode == kAthrow) {
      assembler_.add({op::kDup});
      note_value('L', site(Kind::kThrows, 'L'));
      note_time();  // it may lead out of a monitor
    } else if (level_ == RecordingLevel::kAll) {
      JVMDEBUG_CHECK(operation(opcode));
    }
    if (order_.releases) {
      JVMDEBUG_CHECK(note_waiting());
      note_time();
    }
    return put(at_, false);
  }

  Rewritten<void> operation(std::uint8_t opcode) {
    if (opcode == kIinc || (opcode == kWide && code_.bytes[at_ + 1] == kIinc)) {
      increment();
    } else if (opcode == op::kPutStatic || opcode == kPutField) {
      return field(opcode);
    } else if (opcode >= op::kIastore && opcode <= kSastore) {
      JVMDEBUG_CHECK(note_waiting());  // nothing is noted where the store fails
      element(kStored[opcode - op::kIastore]);
    } else if (opcode >= kInvokeVirtual && opcode <= kInvokeInterface) {
      return arguments();
    } else {
      local();
    }
    return {};
  }

  void increment() {
    const auto [slot, amount] = increment_at(code_.bytes, at_);
    load('I', slot);
    assembler_.add({op::kSipush, high(amount), low(amount), op::kIadd});
    note_value('I', site_at(Kind::kLocal, next_, 'I', slot));
  }

  void local() {
    const auto stored = stored_local(code_.bytes, at_);
    if (!stored || (stored->type == 'A' && !may_be_passed())) {
      return;
    }
    duplicate(stored->type);
    const char shown = stored->type == 'A' ? 'L' : stored->type;
    note_value(shown, site_at(Kind::kLocal, next_, shown, stored->slot));
  }

  // Whether the reference on top of the stack, which is about to be stored, is an object that has
  // been initialized: compilers store no other, but may.
  [[nodiscard]] bool may_be_passed() const {
    if (has_subroutines_ || at_ < initialized_) {
      return false;
    }
    auto before = std::ranges::lower_bound(all_, at_);
    while (before != all_.begin()) {
      --before;
      const std::uint8_t opcode = code_.bytes[*before];
      if (opcode < op::kDup || opcode > op::kSwap) {
        return opcode != kNew;
      }
    }
    return true;
  }

  Rewritten<void> field(std::uint8_t opcode) {
    const auto member = file_.pool().member(operand_at(code_.bytes, at_ + 1));
    if (!member || member->descriptor.empty()) {
      return std::unexpected(RewriteError::kMalformed);
    }
    const char type = member->descriptor.front();
    if (opcode == op::kPutStatic) {
      duplicate(type);
      note_value(type, site(Kind::kField, type));
      return {};
    }
    if (at_ < initialized_) {
      return {};  // the object may be `this`, which must not be passed yet
    }
    JVMDEBUG_CHECK(note_waiting());  // nothing is noted of a field of null
    const std::size_t object = site(Kind::kObject, 'L');
    (void)site(Kind::kField, type);
    const std::size_t temporary = keep(type);
    assembler_.add({op::kDup});
    load(type, temporary);
    note("field", "Ljava/lang/Object;" + descriptor_of(type), object);
    load(type, temporary);
    return {};
  }

  void element(char type) {
    const std::size_t array = site(Kind::kObject, '[');
    (void)site(Kind::kIndex, 'I');
    (void)site(Kind::kElement, type);
    const std::size_t temporary = keep(type);
    assembler_.add({op::kDup2});
    load(type, temporary);
    note("element", "Ljava/lang/Object;I" + descriptor_of(type), array);
    load(type, temporary);
  }

  // Moves the value on top of the stack into a slot of its own.
  std::size_t keep(char type) {
    const std::size_t slot = first_ + kSlots + 1;
    temporaries_ = std::max(temporaries_, slots_of(type));
    store(type, slot);
    return slot;
  }

  // The called method if its calls are noted.
  [[nodiscard]] std::optional<MemberReference> called() const {
    auto member = file_.pool().member(operand_at(code_.bytes, at_ + 1));
    if (!member || is_noise(*member) || scope_.is_recorded(member->owner) ||
        !method_types(member->descriptor)) {
      return std::nullopt;
    }
    return member;
  }

  Rewritten<void> arguments() {
    const auto member = called();
    const auto types = member ? method_types(member->descriptor) : std::nullopt;
    if (!types) {
      return {};
    }
    const bool has_receiver = code_.bytes[at_] != op::kInvokeStatic && member->name != kConstructor;
    std::string kinds = has_receiver ? "L" : "";
    for (const std::string_view each : types->parameters) {
      kinds.push_back(each.front());
    }
    const bool has_arguments = !kinds.empty() && kinds.size() * kBytesOfArgument <= kLongestBlock;
    if (has_arguments) {
      note_arguments(kinds);
      (void)site(Kind::kCall);
      made_.sites.back().join = Join::kWithPrevious;
    } else {
      note_value('V', site(Kind::kCall));
    }
    return {};
  }

  void note_arguments(std::string_view kinds) {
    std::vector<std::size_t> slots;
    std::size_t slot = first_ + kSlots + 1;
    for (const char each : kinds) {
      slots.push_back(slot);
      slot += slots_of(each);
    }
    temporaries_ = std::max(temporaries_, slot - (first_ + kSlots + 1));
    for (std::size_t number = kinds.size(); number-- > 0;) {
      store(kinds[number], slots[number]);
    }
    for (std::size_t number = 0; number < kinds.size(); ++number) {
      load(kinds[number], slots[number]);
      duplicate(kinds[number]);
      note_value(kinds[number], site(Kind::kArgument, kinds[number], number));
    }
  }

  // What is noted when the instruction is done, and only then.
  Rewritten<void> behind() {
    const std::uint8_t opcode = code_.bytes[at_];
    if (is_constructor_ && next_ == initialized_) {
      load('A', 0);
      note_value('L', site_at(Kind::kLocal, next_, 'L', 0));
    }
    if (order_.acquires) {
      note_time();
    }
    const bool calls = opcode >= kInvokeVirtual && opcode <= kInvokeInterface;
    if (calls && level_ == RecordingLevel::kAll) {
      const auto member = called();
      if (const auto types = member ? method_types(member->descriptor) : std::nullopt) {
        const char type = types->result.front();
        if (type != 'V') {
          duplicate(type);
        }
        note_value(type, site(Kind::kReturned, type));
      }
    }
    return put(next_, true);
  }

  ClassFile& file_;
  const Method& method_;
  const Code& code_;
  const RecordingLevel level_;
  const RecordingScope& scope_;
  const std::uint32_t base_;
  const std::vector<std::size_t> all_;
  const StraightCode straight_;
  Assembler assembler_;
  const std::size_t first_;  // the slot of the first added variable
  std::size_t temporaries_ = 0;
  std::string name_;
  std::string descriptor_;
  MethodTypes types_;
  std::set<std::size_t> lines_;
  std::set<std::size_t> handlers_;
  bool has_subroutines_ = false;
  bool is_leaf_ = false;
  bool is_constructor_ = false;
  std::size_t initialized_ = 0;  // from here on `this` is initialized
  std::size_t at_ = 0;
  std::size_t next_ = 0;
  Ordering order_;                      // of the instruction
  std::optional<std::size_t> waiting_;  // where the line begins whose site is the last one
  RecordedCode made_;
};

}  // namespace

Rewritten<RecordedCode> recorded_code(ClassFile& file, const Method& method, RecordingLevel level,
                                      const RecordingScope& scope, std::uint32_t first) {
  JVMDEBUG_ASSIGN(const Code code, file.code_of(method));
  return Maker(file, method, code, level, scope, first).make();
}

}  // namespace jvmdebug::classfile
