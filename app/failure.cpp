// SPDX-License-Identifier: Apache-2.0
#include "app/failure.h"

#include <csignal>
#include <initializer_list>
#include <new>

#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

Failure failure_of(const std::exception_ptr& error) {
  constexpr int kFailed = static_cast<int>(ExitCode::failed);
  try {
    std::rethrow_exception(error);
  } catch (const Interrupted& interrupt) {
    return {interrupt.what(), interrupt.exit_code()};
  } catch (const Error& known) {
    return {known.what(), static_cast<int>(known.exit_code())};
  } catch (const std::bad_alloc&) {
    return {"this machine has too little memory for it", kFailed};
  } catch (const std::exception& unknown) {
    return {std::string("internal error: ") + unknown.what(), kFailed};
  }
}

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
