// SPDX-License-Identifier: Apache-2.0
//
// The filter of requests for stores into one array. See filter.h.
#pragma once

#include <memory>

#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

// Called on an agent thread.
[[nodiscard]] Result<std::unique_ptr<Filter>> make_element_filter(
    const FilterUses& uses, EventRequest& request, const protocol::ElementStoreModifier& modifier);

}  // namespace jvmdebug::agent::events
