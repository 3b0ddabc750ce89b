// Stands in for the GPU where the program is built without the CUDA toolkit.
#include "gpu/cuda_backend.h"
#include "gpu/cuda_bench.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kReason = "this program was built without the CUDA toolkit";

}  // namespace

CudaStatus cuda_status() {
  CudaStatus status;
  status.reason = kReason;
  return status;
}

std::vector<BenchLine> cuda_bench_matvec(const BenchSizes& /*sizes*/) { throw Error(kReason); }

std::vector<BenchLine> cuda_bench_reduction(const BenchSizes& /*sizes*/) { throw Error(kReason); }

std::vector<BenchLine> cuda_bench_gauss_seidel(const std::vector<int>& /*elements*/) {
  throw Error(kReason);
}

CudaFactors cuda_bench_factorise(const std::vector<double>& /*matrix*/, int /*rows*/,
                                 Factorisation /*kind*/) {
  throw Error(kReason);
}

std::unique_ptr<ContactSolver> make_cuda_solver(
    const ContactProblem& /*problem*/,
    ProgressCallback /*progress*/) {  // NOLINT(performance-unnecessary-value-param)
  throw Error(std::string("the backend cuda cannot be used: ") + kReason +
              "; --backend cpu computes the same");
}

}  // namespace slipfield
