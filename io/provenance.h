// SPDX-License-Identifier: Apache-2.0
// The sources and tools that this program was built from; results store it.
// io/configure_provenance.cmake fills it in.
#pragma once

namespace slipfield {

struct BuildInfo {
  const char* version;
  const char* git_commit;  // "unknown" outside a git checkout
  const char* compiler;
  const char* build_type;
  const char* cuda;  // version of the CUDA toolkit; empty without it
};
const BuildInfo& build_info();

}  // namespace slipfield
