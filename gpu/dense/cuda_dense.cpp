// SPDX-License-Identifier: Apache-2.0
#include "gpu/dense/cuda_dense.h"

#include "gpu/backend/cuda_backend.h"
#include "gpu/dense/dense_assembly.h"
#include "solver/memory_estimate.h"

namespace slipfield {

CudaDense::CudaDense(const CudaBackend& backend, const Grid& grid)
    : stream_(backend.stream()), mx_(grid.mx), my_(grid.my), factors_(stream_) {}

double* CudaDense::allocate(std::size_t rows) {
  if (rows > static_cast<std::size_t>(CusolverFactors::kMaxRows))
    throw InputError("direct: a dense matrix of " + std::to_string(rows) +
                     " rows is more than the GPU's " + std::to_string(CusolverFactors::kMaxRows) +
                     "; accepted: fewer elements in contact, or an iterative method");
  const std::size_t needed = rows * rows * sizeof(double);
  if (const std::size_t free = free_device_bytes(); needed > free)
    throw CudaOutOfMemory("direct needs " + readable_bytes(needed) + " for a dense matrix of " +
                              std::to_string(rows) + " rows",
                          free);
  return factors_.allocate(static_cast<int>(rows));
}

void CudaDense::factor_normal(CudaInfluence& influence, const std::vector<int>& elements) {
  double* const matrix = allocate(elements.size());
  const DeviceArray<int> places(elements);
  assemble_normal({places.data(), static_cast<int>(elements.size()), mx_, my_},
                  influence.table(Component::nn), matrix, stream_);
  if (influence.kind().memory.empty()) {
    factors_.cholesky();
  } else {
    factors_.lu();
  }
}

void CudaDense::factor_jacobian(CudaInfluence& influence, const std::vector<int>& elements,
                                const NewtonFields& f) {
  double* const matrix = allocate(2 * elements.size() + static_cast<std::size_t>(f.forces()));
  const DeviceArray<int> places(elements);
  assemble_jacobian({places.data(), static_cast<int>(elements.size()), mx_, my_},
                    influence.table(Component::xx), influence.table(Component::xy),
                    influence.table(Component::yy), f, matrix, stream_);
  factors_.lu();
}

void CudaDense::solve(Eigen::MatrixXd& columns) {
  const auto count = static_cast<std::size_t>(columns.size());
  DeviceArray<double> values(count);
  values.upload(columns.data(), count, stream_);
  factors_.solve(values.data(), static_cast<int>(columns.cols()));
  values.download(columns.data(), count, stream_);
}

}  // namespace slipfield
