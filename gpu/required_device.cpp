// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda_device.h"
#include "gpu/fft/shape.h"
#include "gpu/newton/gmres_basis.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/error.h"
#include "solver/interior/interior_planes.h"
#include "solver/memory_estimate.h"

namespace slipfield {

const CudaDevice& require_cuda_device(const CudaStatus& status, int device) {
  if (status.devices.empty()) throw Error("backend cuda: no GPU answers: " + status.reason);
  if (device < 0 || static_cast<std::size_t>(device) >= status.devices.size()) {
    throw InputError("backend cuda: there is no GPU " + std::to_string(device) +
                     "; this machine shows " + std::to_string(status.devices.size()) +
                     ", numbered from 0");
  }
  const CudaDevice& card = status.devices[static_cast<std::size_t>(device)];
  if (!card.unusable.empty()) throw Error("backend cuda: " + card.unusable);
  return card;
}

int krylov_chunks_on(const std::vector<int>& devices, const ContactProblem& problem) {
  const CudaStatus status = cuda_status();
  const auto several = static_cast<int>(devices.size());
  int chunks = kMostKrylovChunks;
  for (const int device : devices) {
    const auto cards = static_cast<std::size_t>(std::count(devices.begin(), devices.end(), device));
    const std::size_t usable = usable_bytes(require_cuda_device(status, device).memory_bytes);
    const auto bytes_of = [&](int krylov_chunks) {
      return several == 1 ? cuda_bytes(problem, krylov_chunks)
                          : cards * cards_bytes(problem, several, krylov_chunks);
    };
    chunks = std::min(chunks, krylov_chunks_for(usable, bytes_of));
  }
  return chunks;
}

std::size_t cuda_bytes(const ContactProblem& problem, int krylov_chunks) {
  const Grid& grid = problem.grid;
  const auto nx =
      static_cast<std::size_t>(longer_transform_length(grid.mx, repeats_in_x(grid.boundary)));
  const auto ny =
      static_cast<std::size_t>(longer_transform_length(grid.my, repeats_in_y(grid.boundary)));
  const std::size_t rest = spectrum_making_bytes(grid);
  if (!is_frictionless(problem)) {
    const bool in_one_launch =
        nx <= kGmresLongest && ny <= kGmresLongest && grid.boundary == Boundary::free;
    const std::size_t basis =
        in_one_launch ? sizeof(float) * gmres_basis_floats(grid.mx, grid.my) : 0;
    return estimated_bytes(problem, krylov_chunks, FieldsIn::device) + basis + rest;
  }
  constexpr std::size_t kRounding = 8;  // of the lengths of columns
  const std::size_t columns = nx / 2 + 1;
  const std::size_t half_rows =
      columns * (static_cast<std::size_t>(grid.my) + kRounding) * 2 * sizeof(double);
  const std::size_t quarter = columns * (ny / 2 + kRounding) * sizeof(double);
  // Spectra of A_nn and of its inverse; the row transforms that exist while the first one is made.
  constexpr std::size_t kOfYielding = 4 * sizeof(double) + 1;  // solver/step/hardness.h
  const std::size_t yielding = contact_hardness(problem) > 0.0 ? kOfYielding * grid.count() : 0;
  constexpr std::size_t kOfAdhesion = 16 * sizeof(double);  // solver/step/adhesion.h
  const std::size_t adhesive = problem.adhesion.exists() ? kOfAdhesion * grid.count() : 0;
  // With images the spectrum is made from a table of the host (CudaInfluence::spectrum_of_table).
  const std::size_t table = repeats_in_one_direction(grid.boundary) ? 8 * (nx + 1) * (ny + 1) : 0;
  return frictionless_field_bytes(grid) + table + yielding + adhesive + half_rows + 3 * quarter +
         rest;
}

std::size_t cuda_bytes_on(const ContactProblem& problem, std::size_t card_bytes) {
  const auto bytes_of = [&](int krylov_chunks) { return cuda_bytes(problem, krylov_chunks); };
  return bytes_of(krylov_chunks_for(usable_bytes(card_bytes), bytes_of));
}

std::size_t cuda_interior_bytes(const Grid& grid, InteriorNeed need) {
  const auto padded = static_cast<double>(fast_transform_size(2 * grid.mx - 1)) *
                      fast_transform_size(2 * grid.my - 1);
  // For each load a table, its transform and that of the tractions; work areas of cuFFT, 1.25 times
  // the transformed data, for three transforms at once and for one.
  constexpr double kPadded = 3.0 * kLoads + 1.25 * (kLoads + 1);
  const double fields = (kLoads + 1) * components_of(need) + kStressMeasures;
  return static_cast<std::size_t>(sizeof(double) * (kPadded * padded + fields * grid.count()));
}

}  // namespace slipfield
