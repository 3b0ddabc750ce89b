// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"

#include <csignal>
#include <initializer_list>

#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

volatile std::sig_atomic_t received_signal = 0;

extern "C" void slipfield_remember_signal(int signal_number) { received_signal = signal_number; }

// Signals that the caller had the program ignore (nohup: hang-up) stay ignored.
void watch(int signal_number) {
  struct sigaction action {};
  sigaction(signal_number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = slipfield_remember_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void watch_interrupts() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) watch(signal_number);
}

void throw_if_interrupted() {
  const auto signal_number = static_cast<int>(ranks::greatest(received_signal));
  if (signal_number == 0) return;
  if (ranks::several()) ranks::share_failure();
  throw Interrupted(signal_number);
}

}  // namespace slipfield
