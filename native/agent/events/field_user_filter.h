// SPDX-License-Identifier: Apache-2.0
//
// The filter of class prepare requests for types that may write a field. See filter.h.
#pragma once

#include <memory>

#include "agent/events/filter.h"

namespace jvmdebug::agent::events {

[[nodiscard]] Result<std::unique_ptr<Filter>> make_field_user_filter(
    const EventRequest& request, const protocol::FieldUserModifier& modifier);

}  // namespace jvmdebug::agent::events
