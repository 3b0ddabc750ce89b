// What the rest of the program sees of the GPU. Without the CUDA toolkit gpu/cuda_device_stub.cpp
// stands in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "solver/contact_solver.h"

namespace slipfield {

struct CudaDevice {
  std::string name;
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  std::size_t free_bytes = 0;
};

struct CudaStatus {
  bool built = false;  // the program was built with the CUDA toolkit
  std::string reason;  // why there is no device to use (the driver's own text); empty otherwise
  std::string runtime_version;      // "13.0"; empty without the toolkit
  std::vector<CudaDevice> devices;  // empty: no GPU answers
};

// Asks the driver; never throws.
CudaStatus cuda_status();

// Throws Error with the reason where no GPU answers, or where others have taken its memory;
// InputError with all faults of the problem, or where it is too large. The simplified theory is a
// pass of some microseconds: it runs on the host here too.
std::unique_ptr<ContactSolver> make_cuda_solver(const ContactProblem& problem,
                                                ProgressCallback progress = {});

}  // namespace slipfield
