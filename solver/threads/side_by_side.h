// SPDX-License-Identifier: Apache-2.0
// Two pieces of work that know nothing of each other, at the same time.
#pragma once

#include <functional>

namespace slipfield {

// Each has half of the calling thread's threads. One after the other where it has only one, or where
// no thread can be started. Throws what one of them throws, the first one's before the second one's,
// once both have ended.
void side_by_side(const std::function<void()>& first, const std::function<void()>& second);

}  // namespace slipfield
