#include "app/interrupt.h"

#include <csignal>

namespace slipfield {
namespace {

volatile std::sig_atomic_t received_signal = 0;

extern "C" void slipfield_remember_signal(int signal_number) { received_signal = signal_number; }

}  // namespace

void watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = slipfield_remember_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void throw_if_interrupted() {
  if (received_signal != 0) throw Interrupted(received_signal);
}

}  // namespace slipfield
