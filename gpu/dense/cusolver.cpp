// SPDX-License-Identifier: Apache-2.0
#include "gpu/dense/cuda_dense.h"

#include <cusolverDn.h>
#include <dlfcn.h>

#include <string>

#include "gpu/device/cuda_check.h"

namespace slipfield {
namespace {

#define SLIPFIELD_TEXT_OF(value) #value
#define SLIPFIELD_TEXT(value) SLIPFIELD_TEXT_OF(value)
constexpr const char* kLibraryName = "libcusolver.so." SLIPFIELD_TEXT(CUSOLVER_VER_MAJOR);
#undef SLIPFIELD_TEXT
#undef SLIPFIELD_TEXT_OF

void check(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) {
    cudaGetLastError();
    throw CudaOutOfMemory(std::string(call) + " found no room", free_device_bytes());
  }
  throw_cuda_error("cusolverStatus " + std::to_string(static_cast<int>(status)), "cuSOLVER failed",
                   {call, __FILE__, __LINE__});
}

}  // namespace

struct CusolverFactors::Library {
  void* file = nullptr;
  decltype(&cusolverDnCreate) create = nullptr;
  decltype(&cusolverDnDestroy) destroy = nullptr;
  decltype(&cusolverDnSetStream) set_stream = nullptr;
  decltype(&cusolverDnDpotrf_bufferSize) potrf_size = nullptr;
  decltype(&cusolverDnDpotrf) potrf = nullptr;
  decltype(&cusolverDnDpotrs) potrs = nullptr;
  decltype(&cusolverDnDgetrf_bufferSize) getrf_size = nullptr;
  decltype(&cusolverDnDgetrf) getrf = nullptr;
  decltype(&cusolverDnDgetrs) getrs = nullptr;

  Library() : file(dlopen(kLibraryName, RTLD_NOW)) {
    if (file == nullptr)
      throw Error(
          std::string("direct on the GPU needs ") + kLibraryName +
          " of the CUDA Toolkit, which could not be loaded; accepted: the backend cpu, or an "
          "iterative method");
    find("cusolverDnCreate", create);
    find("cusolverDnDestroy", destroy);
    find("cusolverDnSetStream", set_stream);
    find("cusolverDnDpotrf_bufferSize", potrf_size);
    find("cusolverDnDpotrf", potrf);
    find("cusolverDnDpotrs", potrs);
    find("cusolverDnDgetrf_bufferSize", getrf_size);
    find("cusolverDnDgetrf", getrf);
    find("cusolverDnDgetrs", getrs);
  }

  // Stays loaded until the program ends, because CUDA libraries cannot be unloaded safely.
  static std::shared_ptr<const Library> get() {
    static const std::shared_ptr<const Library> library = std::make_shared<Library>();
    return library;
  }

 private:
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(file, name));
    if (function == nullptr) throw Error(std::string(kLibraryName) + " has no function " + name);
  }
};

CusolverFactors::CusolverFactors(cudaStream_t stream)
    : library_(Library::get()), stream_(stream), info_(1) {
  cusolverDnHandle_t handle = nullptr;
  check(library_->create(&handle), "cusolverDnCreate");
  handle_ = handle;
  check(library_->set_stream(handle, stream), "cusolverDnSetStream");
}

CusolverFactors::~CusolverFactors() { library_->destroy(static_cast<cusolverDnHandle_t>(handle_)); }

double* CusolverFactors::allocate(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  if (matrix_.size() != n * n) {
    matrix_ = {};
    matrix_ = DeviceArray<double>(n * n);
  }
  rows_ = rows;
  return matrix_.data();
}

void CusolverFactors::cholesky() {
  const auto handle = static_cast<cusolverDnHandle_t>(handle_);
  int size = 0;
  check(library_->potrf_size(handle, CUBLAS_FILL_MODE_LOWER, rows_, matrix_.data(), rows_, &size),
        "cusolverDnDpotrf_bufferSize");
  work_ = DeviceArray<double>(static_cast<std::size_t>(size));
  check(library_->potrf(handle, CUBLAS_FILL_MODE_LOWER, rows_, matrix_.data(), rows_, work_.data(),
                        size, info_.data()),
        "cusolverDnDpotrf");
  is_lu_ = false;
  check_info("the influence matrix of the contact is not positive definite");
}

void CusolverFactors::lu() {
  const auto handle = static_cast<cusolverDnHandle_t>(handle_);
  int size = 0;
  check(library_->getrf_size(handle, rows_, rows_, matrix_.data(), rows_, &size),
        "cusolverDnDgetrf_bufferSize");
  work_ = DeviceArray<double>(static_cast<std::size_t>(size));
  pivots_ = DeviceArray<int>(static_cast<std::size_t>(rows_));
  check(library_->getrf(handle, rows_, rows_, matrix_.data(), rows_, work_.data(), pivots_.data(),
                        info_.data()),
        "cusolverDnDgetrf");
  is_lu_ = true;
  check_info("the matrix of the contact is singular");
}

void CusolverFactors::solve(double* values, int columns) {
  const auto handle = static_cast<cusolverDnHandle_t>(handle_);
  if (is_lu_) {
    check(library_->getrs(handle, CUBLAS_OP_N, rows_, columns, matrix_.data(), rows_,
                          pivots_.data(), values, rows_, info_.data()),
          "cusolverDnDgetrs");
  } else {
    check(library_->potrs(handle, CUBLAS_FILL_MODE_LOWER, rows_, columns, matrix_.data(), rows_,
                          values, rows_, info_.data()),
          "cusolverDnDpotrs");
  }
}

void CusolverFactors::check_info(const char* what) {
  if (info_.download(stream_).front() != 0) throw Error(std::string("direct: ") + what);
}

}  // namespace slipfield
