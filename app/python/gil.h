// SPDX-License-Identifier: Apache-2.0
// Python's lock, taken and released so that a daemon thread may still solve when Python ends.
//
// Python then ends a thread that takes the lock, by unwinding its stack, which would terminate the
// process at the first noexcept function or catch (...). Such a thread sleeps instead, until the
// process has ended. All of the module uses these classes, not those of pybind11.
#pragma once

#include <cxxabi.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace slipfield {

// Calls `work`, which takes the lock or holds it.
template <typename Work>
auto unless_python_ends(const Work& work) {
  try {
    return work();
  } catch (abi::__forced_unwind&) {
    while (true) pause();
  }
}

// Other threads of Python run while this exists.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    unless_python_ends([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
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
