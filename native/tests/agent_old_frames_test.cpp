// SPDX-License-Identifier: Apache-2.0
//
// Reading the stacks of threads that run, in the fake VM.
#include <cstddef>
#include <doctest/doctest.h>
#include <vector>

#include "agent/probes/old_frames.h"
#include "tests/fake_vm/debuggee.h"
#include "tests/in_vm.h"

namespace jvmdebug::tests {

TEST_SUITE_BEGIN("vm");

TEST_CASE_FIXTURE(InVm, "a stack is whole though its thread calls something while it is read") {
  for (const std::size_t calls : {1U, 2U, 40U, 200U}) {
    const std::vector<fake::Frame> before = main.frames;
    REQUIRE_FALSE(before.empty());
    bool found = false;
    debuggee.on_agent_thread([&] {
      const agent::jvm::Env& env = debuggee.agent().jvmti();
      const agent::jvm::Jni jni = debuggee.agent().jni();
      const auto threads = env.get_all_threads();
      REQUIRE(threads);
      main.goes_on = [&] { main.frames.insert(main.frames.begin(), calls, before.front()); };
      for (auto* const raw : *threads) {
        const auto thread = jni.adopt(raw);
        const auto frames = agent::probes::actual_frames(env, thread);
        found |= frames.size() == before.size() + calls &&
                 frames.back().method == reinterpret_cast<jmethodID>(before.back().method);
      }
    });
    main.frames = before;
    CHECK(found);
  }
}

TEST_SUITE_END();

}  // namespace jvmdebug::tests
