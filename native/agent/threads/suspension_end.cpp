// SPDX-License-Identifier: Apache-2.0
//
// The part of Suspension that releases all threads, when the debugger has disconnected or the VM
// ends.
#include <memory>
#include <vector>

#include "agent/threads/parking.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {

void Suspension::close() {
  const Lock held = registry_.lock();
  is_closed_ = true;
}

void Suspension::reopen() {
  const Lock held = registry_.lock();
  is_closed_ = false;
}

void Suspension::release_all() {
  // Released without the lock, because their destructors call the VM and the socket.
  std::vector<Tracked> unstarted;
  std::vector<std::shared_ptr<Invocation>> dropped;
  std::vector<Tracked> gone;
  const Lock held = registry_.lock();
  for (const Tracked& thread : registry_.begun(held)) {
    thread->suspend_count = 0;
    dropped.push_back(Parking::drop_invocation(held, *thread));
    Parking::resumed(held, *thread);
  }
  uses_.frame_ids.all_threads_resumed();
  uses_.objects.end_retaining();
  if (all_count_ > 0) {
    (void)resume_virtual_threads(held);  // refused: they are resumed with the others
  }
  const auto known = registry_.begun(held);
  std::vector<Tracked> to_resume(known.begin(), known.end());
  unstarted = registry_.take_unstarted(held);
  for (const Tracked& thread : unstarted) {  // it may have begun since, and be suspended
    thread->suspend_count = 0;
    to_resume.push_back(thread);
  }
  resume_together(to_resume);
  to_resume.clear();
  all_count_ = 0;
  for (const Tracked& thread : registry_.begun(held)) {
    uses_.parking.wake(held, thread);
  }
  registry_.drop_ended(held, gone);
}

}  // namespace jvmdebug::agent::threads
