// SPDX-License-Identifier: Apache-2.0
// All NumPy arrays are made here. pybind11 up to 2.11 reads the size of an element from a struct
// that NumPy 2 lays out differently; strides derived from it would make all elements of an array
// the first one. Strides are therefore always given.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace slipfield {

// Makes an array in C order. values: copied, or shared with `owner`, which the array then keeps
// alive; null: not initialized.
template <typename T>
pybind11::array_t<T> make_array(std::vector<pybind11::ssize_t> shape, const T* values = nullptr,
                                pybind11::handle owner = {}) {
  std::vector<pybind11::ssize_t> strides(shape.size());
  auto stride = static_cast<pybind11::ssize_t>(sizeof(T));
  for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return pybind11::array_t<T>(std::move(shape), std::move(strides), values, owner);
}

// Copies the values into an array of one dimension.
inline pybind11::array_t<double> list_of(const std::vector<double>& values) {
  return make_array<double>({static_cast<pybind11::ssize_t>(values.size())}, values.data());
}

}  // namespace slipfield
