// SPDX-License-Identifier: Apache-2.0
// Two fields, of x and of y, as one vector on the host: for methods around whole solutions.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/step/step_ops.h"

namespace slipfield {

template <class Backend>
std::vector<double> download_both(Backend& backend, const double* x, const double* y,
                                  std::size_t count) {
  std::vector<double> both = backend.download(x, count);
  const std::vector<double> second = backend.download(y, count);
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

// As download_both gives them.
template <class Backend>
void upload_both(Backend& backend, const std::vector<double>& both, double* x, double* y) {
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
  typename Backend::template Array<double> half(both.size() / 2);
  backend.upload(std::vector<double>(both.begin(), middle), half);
  backend.run(half.size(), CopyField{half.data(), x});
  backend.upload(std::vector<double>(middle, both.end()), half);
  backend.run(half.size(), CopyField{half.data(), y});
}

}  // namespace slipfield
