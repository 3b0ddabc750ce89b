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
struct AdjointBatch;  // solver/gradient/batch_adjoint.h
struct AdjointOptions;
struct AdjointSolution;
struct SolvedWithGradients;
struct StepOutputs;  // solver/gradient/step_derivatives.h

struct CudaDevice {
  std::string name;
  int multiprocessors = 0;
  int capability = 0;  // 90: compute capability 9.0
  std::size_t memory_bytes = 0;
  std::string unusable;  // why the program cannot run on it; empty if it can
};

struct CudaStatus {
  bool built = false;  // the program was built with the CUDA toolkit
  std::string reason;  // why no device can be used (the driver's own text); empty if one can
  std::string runtime_version;      // "13.0"; empty without the toolkit
  std::vector<CudaDevice> devices;  // empty: no GPU answers
};

// Asks the driver without creating a context on a device; never throws.
CudaStatus cuda_status();

// Returns device number `device`. Throws Error if no GPU answers or if that one cannot run the
// program, InputError if no device has that number, each with the reason.
const CudaDevice& require_cuda_device(const CudaStatus& status, int device);

// The most bytes of a GPU that a run of this problem takes: with friction estimated_bytes(),
// without it less, plus the work space of cuFFT if that is used. A run on a card too small for all
// GMRES vectors keeps fewer (krylov_chunks_for()).
std::size_t cuda_bytes(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks);

// The same on a card of that size, with the GMRES vectors that make_cuda_solver() keeps there.
std::size_t cuda_bytes_on(const ContactProblem& problem, std::size_t card_bytes);

// The same for each card if several share its rows.
std::size_t cards_bytes(const ContactProblem& problem, int cards,
                        int krylov_chunks = kMostKrylovChunks);

// The chunks of GMRES vectors that fit on those devices, which share the rows if they are several.
// Depends only on the cards' total memory, not on what is free, so that a result's bits do not
// depend on other programs. A device named several times holds as many cards. Throws like
// require_cuda_device.
int krylov_chunks_on(const std::vector<int>& devices, const ContactProblem& problem);

// Free memory of a device of cuda_status(), which starts a context on it; 0 if it does not answer.
std::size_t cuda_free_bytes(int device);

// Returns the number of the GPU whose memory this is, once all work there has ended; -1 for memory
// of the host. Throws Error.
int cuda_wait(const void* memory);

// Copies between host and GPU memory, as CUDA identifies the pointers, once all work on these GPUs
// has ended, and returns when the copy is complete. Throws Error.
void cuda_copy(void* to, const void* from, std::size_t bytes);

// Makes a solver on device number `device`, whichever thread later calls it. Throws Error with the
// reason if that GPU does not answer, cannot run the program, or has too little free memory;
// InputError with all faults of the problem, or if it is too large for the device. The simplified
// theory runs on the host here too: it is one pass of some microseconds.
std::unique_ptr<ContactSolver> make_cuda_solver(const ContactProblem& problem, int device = 0,
                                                ProgressCallback progress = {});

// The same with the rows of the grid distributed over several devices by number; a device named
// twice has two shares. Reports have the same bits for a given number of cards and agree to
// rounding for any number. Also throws InputError if the problem needs a feature that several GPUs
// do not have (require_on() of solver/combinations.h), or if the GPUs differ in kind.
std::unique_ptr<ContactSolver> make_cards_solver(const ContactProblem& problem,
                                                 const std::vector<int>& devices,
                                                 ProgressCallback progress = {});

// The linear systems of a step's derivatives on device number `device`, whichever thread uses them.
// Throws Error if that GPU does not answer or has too little memory.
std::unique_ptr<StepSystems> make_cuda_step_systems(const SystemsTask& task, int device = 0);

// "2 x NVIDIA H200 (0, 1)". Throws like require_cuda_device.
std::string cards_name(const std::vector<int>& devices);

// solve_batch_on_cpu on device number `device`. Throws Error with the reason if that GPU does not
// answer or has too little memory.
BatchSolution solve_batch_on_cuda(const ContactBatch& batch, const BatchOptions& options = {},
                                  int device = 0);

// The functions of batches (solver/batch/batch.h, solver/gradient/batch_adjoint.h) on a device;
// keeps memory and transformed coefficients between calls. One thread at a time.
struct CudaBatches {
  std::function<BatchSolution(const ContactBatch& batch, const BatchOptions& options)> solve;
  std::function<std::vector<AdjointSolution>(const AdjointBatch& batch,
                                             const AdjointOptions& options)>
      differentiate;
  // Without `fields` the solutions stay on the device.
  std::function<SolvedWithGradients(const ContactBatch& batch, const BatchOptions& options,
                                    const std::vector<std::vector<StepOutputs>>& scalars,
                                    const AdjointOptions& adjoint)>
      solve_with_gradients;
};
CudaBatches make_cuda_batches(int device = 0);

// The most bytes of a GPU for planes inside a body of this grid.
std::size_t cuda_interior_bytes(const Grid& grid, InteriorNeed need);

// Stresses and displacements inside a body on device number `device`, whichever thread requests
// planes. Throws Error with the reason if that GPU does not answer or has too little memory.
std::unique_ptr<InteriorPlanes> make_cuda_interior_planes(const InteriorTask& task,
                                                          const ContactSolution& solution,
                                                          int device = 0);

}  // namespace slipfield
