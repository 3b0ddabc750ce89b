// SPDX-License-Identifier: Apache-2.0
// Arrays of other libraries on a GPU, and arrays for them, by DLPack. slipfield/given.py and
// solver.py use it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/gil.h"
#include "app/python/module.h"
#include "gpu/cuda_device.h"
#include "solver/error.h"

namespace py = pybind11;

namespace slipfield {
namespace {

// The unversioned structs of DLPack's C interface, which every library exchanges, in the layout of
// versions 0.2 to 1.x (github.com/dmlc/dlpack, Apache 2.0). Written out because few systems have
// its header.
constexpr std::int32_t kDlCuda = 2;
struct DlDevice {
  std::int32_t kind;
  std::int32_t number;
};
struct DlType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t dimensions;
  DlType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: C order
  std::uint64_t byte_offset;
};
struct DlManagedTensor {
  DlTensor tensor;
  void* context;
  void (*deleter)(DlManagedTensor*);
};

constexpr const char* kCapsule = "dltensor";  // another name once a consumer has taken it

DlManagedTensor* tensor_in(PyObject* capsule) {
  return static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, kCapsule));
}

// (address, (code, bits, lanes), shape, strides in elements or None) of a capsule, which keeps the
// memory.
py::tuple parts_of(const py::object& capsule) {
  const DlManagedTensor* const managed = tensor_in(capsule.ptr());
  if (managed == nullptr) throw py::error_already_set();
  const DlTensor& tensor = managed->tensor;
  const auto listed = [&](const std::int64_t* values) {
    return std::vector<std::int64_t>(values, values + tensor.dimensions);
  };
  return py::make_tuple(
      reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset,
      py::make_tuple(tensor.type.code, tensor.type.bits, tensor.type.lanes), listed(tensor.shape),
      tensor.strides == nullptr ? py::none() : py::object(py::cast(listed(tensor.strides))));
}

// Copies memory of a GPU, of which all work has ended, to an array of bytes.
py::array copied_from_gpu(std::uintptr_t address, std::size_t bytes) {
  auto copy = make_array<std::uint8_t>({static_cast<py::ssize_t>(bytes)});
  std::uint8_t* const values = copy.mutable_data();
  const WithoutGil free;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how libraries give it
  if (bytes > 0) cuda_copy(values, reinterpret_cast<const void*>(address), bytes);
  return copy;
}

// A table shown to another library, which calls the deleter in any thread.
struct Shown {
  DlManagedTensor managed{};
  std::array<std::int64_t, 2> shape{};
  std::array<std::int64_t, 2> strides{};
  py::object owner;  // of the memory
};

// The owner may free its memory next: waits for other libraries' streams, whose callbacks may need
// Python's lock meanwhile.
void wait_for_readers(const DlTensor& tensor) {
  if (tensor.device.kind != kDlCuda) return;
  PyThreadState* const state = PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr;
  try {
    static_cast<void>(cuda_wait(tensor.data));
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the device is lost
  }
  if (state != nullptr) unless_python_ends([state] { PyEval_RestoreThread(state); });
}

void drop(DlManagedTensor* managed) {
  if (Py_IsInitialized() == 0) return;  // the process ends
  wait_for_readers(managed->tensor);
  const WithGil gil;
  delete static_cast<Shown*>(managed->context);
}

py::object show(py::object owner, std::uintptr_t address, std::array<std::int64_t, 2> shape,
                std::pair<std::int32_t, std::int32_t> device) {
  auto shown = std::make_unique<Shown>();
  shown->shape = shape;
  shown->strides = {shape[1], 1};
  shown->owner = std::move(owner);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  shown->managed = {{reinterpret_cast<void*>(address),
                     {device.first, device.second},
                     2,
                     {2, 64, 1},  // float64
                     shown->shape.data(),
                     shown->strides.data(),
                     0},
                    shown.get(),
                    drop};
  auto capsule = py::reinterpret_steal<py::object>(
      PyCapsule_New(&shown->managed, kCapsule, [](PyObject* given) {
        if (PyCapsule_IsValid(given, kCapsule) != 0) drop(tensor_in(given));
      }));
  if (!capsule) throw py::error_already_set();
  [[maybe_unused]] const Shown* const of_capsule = shown.release();  // drop() deletes it
  return capsule;
}

}  // namespace

void define_dlpack(py::module_& module) {
  module.def("parts_of_dlpack", parts_of);
  module.def("copied_from_gpu", copied_from_gpu);
  module.def("show_dlpack", show, py::arg("owner"), py::arg("address"), py::arg("shape"),
             py::arg("device"));
}

}  // namespace slipfield
