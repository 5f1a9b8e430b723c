// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/parking_code.h"

#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr const char* kThread = "java/lang/Thread";
constexpr const char* kLockSupport = "java/util/concurrent/locks/LockSupport";

void call(Assembler& code, std::uint8_t opcode, const char* owner, const char* name,
          const char* descriptor) {
  code.member(opcode,
              {.kind = Constant::kMethod, .owner = owner, .name = name, .descriptor = descriptor});
}

void current_thread(Assembler& code) {
  call(code, op::kInvokeStatic, kThread, "currentThread", "()Ljava/lang/Thread;");
}

}  // namespace

// boolean interrupted = false;
// do {
//   interrupted |= Thread.interrupted();  // else park() returns at once
//   LockSupport.park();
// } while (waits());
// LockSupport.unpark(Thread.currentThread());  // the program's permit may be gone
// if (interrupted) Thread.currentThread().interrupt();
void add_parking(Assembler& code, const char* owner, std::uint8_t interrupted) {
  const auto wait = code.label();
  const auto end = code.label();
  code.add({op::kIconst0, op::kIstore, interrupted});
  code.place(wait);
  call(code, op::kInvokeStatic, kThread, "interrupted", "()Z");
  code.add({op::kIload, interrupted, op::kIor, op::kIstore, interrupted});
  call(code, op::kInvokeStatic, kLockSupport, "park", "()V");
  call(code, op::kInvokeStatic, owner, "waits", "()Z");
  code.jump(op::kIfNe, wait);
  current_thread(code);
  call(code, op::kInvokeStatic, kLockSupport, "unpark", "(Ljava/lang/Thread;)V");
  code.add({op::kIload, interrupted});
  code.jump(op::kIfEq, end);
  current_thread(code);
  call(code, op::kInvokeVirtual, kThread, "interrupt", "()V");
  code.place(end);
  code.add({op::kReturn});
}

}  // namespace jvmdebug::agent::probes
