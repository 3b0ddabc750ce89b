// SPDX-License-Identifier: Apache-2.0
// How much memory a run needs, so that too large a grid is refused before the run starts.
#pragma once

#include <cstddef>
#include <string>

#include "solver/fields/krylov_length.h"
#include "solver/problem.h"

namespace slipfield {

// "1.5 GiB"
std::string readable_bytes(std::size_t bytes);

// Whether the steps need nothing but normal contact by conjugate gradients, without tangential
// fields.
bool is_frictionless(const ContactProblem& problem);
// The bytes of that problem's fields in the solver.
std::size_t frictionless_field_bytes(const Grid& grid);

// Bytes in use now, and their maximum so far.
struct MemoryCount {
  std::size_t now = 0;
  std::size_t most = 0;
};
struct MemoryCounts {
  MemoryCount fields;    // with one value per element
  MemoryCount products;  // what products with the influence coefficients hold
  MemoryCount all;
};

// Where a run's fields are; a solver that works only in host memory takes none on a device.
enum class FieldsIn { host, device };

// Memory that a run takes where its fields are, from its first step to its last.
// Determined by a dry run with a counting backend. krylov_chunks: greatest number of chunks of
// GMRES vectors (solver/fields/krylov_length.h).
MemoryCounts counted_memory(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks,
                            FieldsIn where = FieldsIn::host);

// Upper bound of the memory that a run of this problem takes where its fields are, for fields,
// spectra and the transforms' scratch [bytes]; if its linear systems need few iterations it takes
// half of it. On a GPU a run without friction takes less; one with friction takes as much plus
// cuFFT's work areas (cuda_bytes() of gpu/cuda_device.h). `direct` adds its matrices
// (require_dense_memory), whose size depends on the contact.
std::size_t estimated_bytes(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks,
                            FieldsIn where = FieldsIn::host);

// A card's memory less what the driver and the program need.
constexpr std::size_t usable_bytes(std::size_t card_bytes) { return card_bytes - card_bytes / 50; }

// The most chunks of GMRES vectors for which bytes_of(chunks) are available, or the fewest allowed
// if even these do not fit.
template <class BytesOf>
int krylov_chunks_for(std::size_t available, const BytesOf& bytes_of) {
  for (int chunks = kMostKrylovChunks; chunks >= kFewestKrylovChunks; --chunks)
    if (bytes_of(chunks) <= available) return chunks;
  return kFewestKrylovChunks;
}

// Throws InputError with both numbers if `available` is less than `needed`; where: "the machine has
// free", "the GPU has free".
void require_memory(const ContactProblem& problem, std::size_t needed, std::size_t available,
                    const std::string& where);

// The same for this machine's memory, less what containers and batch jobs withhold.
void require_host_memory(const ContactProblem& problem);

// The same for a dense matrix with `rows` rows in this machine's memory.
void require_dense_memory(std::size_t rows, std::size_t available);

}  // namespace slipfield
