// SPDX-License-Identifier: Apache-2.0
// Python's lock, taken and released so that a daemon thread may still solve when Python ends.
//
// The end of Python destroys what such a thread works with. So a function that Python calls as it
// ends stops all work without the lock, and waits for it; in the threads that did it, and in those
// that begin with it later, SystemExit is raised. Python then ends a thread that still takes the
// lock by unwinding its stack, which would terminate the process at the first noexcept function or
// catch (...): such a thread sleeps until the process has ended. All of the module uses these
// classes, not those of pybind11.
#pragma once

#include <cxxabi.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace slipfield {

// Python ends, and work without its lock should stop soon: its progress says so.
bool work_should_stop();

// Whether the work of this thread was stopped because Python ends.
bool was_stopped();

// Lets Python call what stops the work of other threads as it ends, and waits for them.
void stop_work_as_python_ends();

// Calls `work`, which takes the lock or holds it.
template <typename Work>
auto unless_python_ends(const Work& work) {
  try {
    return work();
  } catch (abi::__forced_unwind&) {
    while (true) pause();
  }
}

// Other threads of Python run while this exists. Throws SystemExit where Python has ended, but not
// in the thread that ends it.
class WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  WithoutGil(WithoutGil&&) = delete;
  WithoutGil& operator=(WithoutGil&&) = delete;

 private:
  void end();

  PyThreadState* state_;
};

// Python's functions may be called while this exists, within unless_python_ends().
class WithGil {
 public:
  WithGil() {
    unless_python_ends([this] { state_ = PyGILState_Ensure(); });
  }
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_{};
};

}  // namespace slipfield
