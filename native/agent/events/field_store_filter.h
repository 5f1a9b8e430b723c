// SPDX-License-Identifier: Apache-2.0
//
// The filter of requests for instructions that write a field: it notes the written value. See
// filter.h.
#pragma once

#include <memory>

#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

// Called on an agent thread.
[[nodiscard]] Result<std::unique_ptr<Filter>> make_field_store_filter(
    Checks& checks, EventRequest& request, const protocol::FieldStoreModifier& modifier);

}  // namespace jvmdebug::agent::events
