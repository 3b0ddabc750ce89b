// SPDX-License-Identifier: Apache-2.0
// The text of io/CASE.md.
#pragma once

namespace slipfield {

extern const char* const kCasePage;

}  // namespace slipfield
