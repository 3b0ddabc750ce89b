// SPDX-License-Identifier: Apache-2.0
// How long OpenMP's threads spin for each other before they sleep.
//
// By default they spin for milliseconds. Where other programs run on the same cores, a thread that
// waits then takes the processor from the one it waits for, and a solve of 0.1 s was seen to take
// 15 s. The OpenMP library reads the setting when it is loaded, before main(): hence a function
// that runs before the libraries' own. A user's setting is kept. The sanitizers are not ready so
// early and are left alone.
#if !defined(__SANITIZE_ADDRESS__)

#include <cstdlib>

namespace {

void set_spin_count(int /*argc*/, char** /*argv*/, char** /*environment*/) {
  setenv("GOMP_SPINCOUNT", "1000", 0);  // some microseconds: the length of a short loop
}

}  // namespace

extern "C" {
__attribute__((section(".preinit_array"),
               used)) void (*const kSetSpinCount)(int, char**, char**) = set_spin_count;
}

#endif
