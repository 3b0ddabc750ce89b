// SPDX-License-Identifier: Apache-2.0
// Dense systems of the elements in contact, factorised by cuSOLVER. Mirrors solver/cpu/cpu_dense.h.
#pragma once

#include <cuda_runtime_api.h>

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "gpu/backend/cuda_influence.h"
#include "gpu/device/device_array.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

// Cholesky and LU factors by cuSOLVER.
//
// The library is loaded at the first use: loading takes a fifth of a second, longer than many runs
// that never need it.

// A square matrix, column by column, which its factors overwrite.
class CusolverFactors {
 public:
  // Throws Error if the library is not installed.
  explicit CusolverFactors(cudaStream_t stream);
  ~CusolverFactors();
  CusolverFactors(const CusolverFactors&) = delete;
  CusolverFactors& operator=(const CusolverFactors&) = delete;

  // rows x rows numbers to be filled. At most kMaxRows.
  double* allocate(int rows);
  static constexpr int kMaxRows = 46340;  // cuSOLVER counts the matrix's numbers in an int

  // Factorises the matrix in place. Throws Error if it is not positive definite, or singular.
  void cholesky();
  void lu();
  // The current contents of the matrix, and for lu() the rows exchanged, counted from 1.
  [[nodiscard]] std::vector<double> download() const { return matrix_.download(stream_); }
  [[nodiscard]] std::vector<int> download_pivots() const { return pivots_.download(stream_); }
  // Replaces `columns` right sides of `rows` numbers in device memory by the solutions.
  void solve(double* values, int columns);

 private:
  void check_info(const char* what);

  struct Library;
  std::shared_ptr<const Library> library_;
  cudaStream_t stream_;
  void* handle_ = nullptr;
  int rows_ = 0;
  bool is_lu_ = false;
  DeviceArray<double> matrix_, work_;
  DeviceArray<int> pivots_, info_;
};

class CudaDense {
 public:
  CudaDense(const CudaBackend& backend, const Grid& grid);

  // Like CpuDense; f: device pointers.
  void factor_normal(CudaInfluence& influence, const std::vector<int>& elements);
  void factor_jacobian(CudaInfluence& influence, const std::vector<int>& elements,
                       const NewtonFields& f);
  void solve(Eigen::MatrixXd& columns);

 private:
  double* allocate(std::size_t rows);

  cudaStream_t stream_;
  int mx_;
  int my_;
  CusolverFactors factors_;
};

}  // namespace slipfield
