// SPDX-License-Identifier: Apache-2.0
// The GPU interface for the rest of the program. gpu/cuda_device_stub.cpp replaces it in builds
// without the CUDA toolkit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/contact_solver.h"
#include "solver/fields/krylov_length.h"

namespace slipfield {

enum class InteriorNeed;  // solver/interior/interior_planes.h
struct InteriorTask;
class InteriorPlanes;
struct SystemsTask;  // solver/gradient/step_systems.h
class StepSystems;

struct CudaDevice {
  std::string name;
  int multiprocessors = 0;
  int capability = 0;  // 90: compute capability 9.0
  std::size_t memory_bytes = 0;
  std::string unusable;  // why the program cannot run on it; empty where it can
};

struct CudaStatus {
  bool built = false;  // the program was built with the CUDA toolkit
  std::string reason;  // why no device can be used (the driver's own text); empty if one can
  std::string runtime_version;      // "13.0"; empty without the toolkit
  std::vector<CudaDevice> devices;  // empty: no GPU answers
};

// Asks the driver, without a context on any device; never throws.
CudaStatus cuda_status();

// Device number `device`. Throws Error where no GPU answers or that one cannot run the program,
// InputError where there is none of that number, each with the reason.
const CudaDevice& require_cuda_device(const CudaStatus& status, int device);

// The most bytes of a GPU that a run of this problem takes. Without friction less than
// estimated_bytes(), with friction as much, and the work of cuFFT where it transforms. A run whose
// card is too small for all vectors of GMRES keeps fewer (krylov_chunks_for()).
std::size_t cuda_bytes(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks);

// The same on a card of that size, with as many vectors of GMRES as make_cuda_solver() keeps there.
std::size_t cuda_bytes_on(const ContactProblem& problem, std::size_t card_bytes);

// The same of each card where several share its rows.
std::size_t cards_bytes(const ContactProblem& problem, int cards,
                        int krylov_chunks = kMostKrylovChunks);

// The chunks of vectors that GMRES may keep on those devices, which share the rows where they are
// several: as many as the cards' sizes allow, whatever others leave of them, so that a result's
// bits do not depend on it. A device holds as many cards as name it. Throws as require_cuda_device.
int krylov_chunks_on(const std::vector<int>& devices, const ContactProblem& problem);

// Memory that is free on a device of cuda_status(), which starts a context on it; 0 where it does
// not answer.
std::size_t cuda_free_bytes(int device);

// Copies doubles between memory of the host and of GPUs, as CUDA finds each to be, once all work
// on these GPUs has ended. Returns when they are there. Throws Error.
void cuda_copy(double* to, const double* from, std::size_t count);

// On device number `device`, whichever thread then calls the solver. Throws Error with the reason
// where that GPU does not answer or cannot run the program, or where others have taken its memory;
// InputError with all faults of the problem, or where it is too large for the device. The
// simplified theory is a pass of some microseconds: it runs on the host here too.
std::unique_ptr<ContactSolver> make_cuda_solver(const ContactProblem& problem, int device = 0,
                                                ProgressCallback progress = {});

// The same with the rows of the grid shared out over several devices, by their numbers; one that is
// named twice has two shares. Reports are the same bits for a number of cards, and to rounding for
// any number. Throws InputError too where the problem asks for more than several GPUs compute
// (require_on() of solver/combinations.h), or the GPUs are not of one kind.
std::unique_ptr<ContactSolver> make_cards_solver(const ContactProblem& problem,
                                                 const std::vector<int>& devices,
                                                 ProgressCallback progress = {});

// The linear systems of a step's derivatives on device number `device`, whichever thread enters
// them. Throws Error where that GPU does not answer or has too little memory.
std::unique_ptr<StepSystems> make_cuda_step_systems(const SystemsTask& task, int device = 0);

// "2 x NVIDIA H200 (0, 1)". Throws as require_cuda_device.
std::string cards_name(const std::vector<int>& devices);

// As solve_batch_on_cpu, on device number `device`.
// Throws Error with the reason where that GPU does not answer or has too little memory.
BatchSolution solve_batch_on_cuda(const ContactBatch& batch, const BatchOptions& options = {},
                                  int device = 0);

// The same for batch after batch, with its memory and its transforms of coefficients kept from one
// to the next; one thread at a time.
using CudaBatchSolver =
    std::function<BatchSolution(const ContactBatch& batch, const BatchOptions& options)>;
CudaBatchSolver make_cuda_batch_solver(int device = 0);

// The most bytes of a GPU that planes inside a body of this grid take.
std::size_t cuda_interior_bytes(const Grid& grid, InteriorNeed need);

// Stresses and displacements inside a body, on device number `device`, whichever thread then asks
// for planes. Throws Error with the reason where that GPU does not answer or has too little memory.
std::unique_ptr<InteriorPlanes> make_cuda_interior_planes(const InteriorTask& task,
                                                          const ContactSolution& solution,
                                                          int device = 0);

}  // namespace slipfield
