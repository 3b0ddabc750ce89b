// SPDX-License-Identifier: Apache-2.0
#include "app/python/gil.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace slipfield {
namespace {

enum class End { none, stopping, stopped };

// Long for most work between two looks at its progress, short for one who waits for the end.
constexpr std::chrono::seconds kLongestWait(10);

// No static destructor ends these: other threads still read them when the process ends.
std::atomic<End> end_of_python{End::none};
std::atomic<int> threads_at_work{0};
std::atomic<pthread_t> ending_thread{};

// A callback may solve in turn, in the same thread.
thread_local int depth_of_work = 0;

void stop_work() {
  ending_thread = pthread_self();
  end_of_python = End::stopping;
  {
    const WithoutGil free;  // itself one thread at work
    const auto until = std::chrono::steady_clock::now() + kLongestWait;
    while (threads_at_work > 1 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  end_of_python = End::stopped;
}

// A child has the thread that made it alone.
void forget_other_threads() { threads_at_work = depth_of_work > 0 ? 1 : 0; }

}  // namespace

bool work_should_stop() { return end_of_python == End::stopping; }

bool was_stopped() {
  return end_of_python != End::none && pthread_equal(ending_thread, pthread_self()) == 0;
}

void stop_work_as_python_ends() {
  pthread_atfork(nullptr, nullptr, forget_other_threads);
  py::module_::import("atexit").attr("register")(py::cpp_function(stop_work));
}

WithoutGil::WithoutGil() : state_(PyEval_SaveThread()) {
  if (depth_of_work++ == 0) ++threads_at_work;
  // After the beginning has been counted: either this thread sees the end or the end waits for it.
  if (!was_stopped()) return;
  end();
  PyErr_SetNone(PyExc_SystemExit);
  throw py::error_already_set();
}

WithoutGil::~WithoutGil() { end(); }

void WithoutGil::end() {
  if (--depth_of_work == 0) --threads_at_work;
  unless_python_ends([this] { PyEval_RestoreThread(state_); });
}

}  // namespace slipfield
