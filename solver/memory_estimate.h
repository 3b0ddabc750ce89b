// SPDX-License-Identifier: Apache-2.0
// How much memory a run needs, so that a grid too large is refused before it starts.
#pragma once

#include <cstddef>
#include <string>

#include "solver/fields/krylov_length.h"
#include "solver/problem.h"

namespace slipfield {

// "1.5 GiB"
std::string readable_bytes(std::size_t bytes);

// Whether all that the steps need is normal contact by conjugate gradients: without the fields of
// the tangential problem.
bool is_frictionless(const ContactProblem& problem);
// The bytes of its fields alone, in the solver.
std::size_t frictionless_field_bytes(const Grid& grid);

// Bytes in use, and the most that have been at a time.
struct MemoryCount {
  std::size_t now = 0;
  std::size_t most = 0;
};
struct MemoryCounts {
  MemoryCount fields;    // of one value per element
  MemoryCount products;  // what products with the influence coefficients hold
  MemoryCount all;
};

// Where a run's fields are: what solves in the host's memory alone takes none of a device.
enum class FieldsIn { host, device };

// Memory that a run holds where its fields are, and passes on, from its first step to its last.
// Found by a dry run with a backend that only counts. krylov_chunks: greatest number of chunks of
// GMRES vectors (solver/fields/krylov_length.h).
MemoryCounts counted_memory(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks,
                            FieldsIn where = FieldsIn::host);

// Memory for rolling to second order where `rows` of the grid's rows are held; if these are not all
// rows, with copies of fields and of halo rows. 0 for rolling to first order.
std::size_t second_order_bytes(const ContactProblem& problem, int rows);

// The most bytes that a run of this problem takes where its fields are for fields, spectra and the
// transforms' scratch; a run whose linear systems are solved in few iterations takes half of it. On
// a GPU a run without friction takes less; one with friction takes as much, and cuFFT's work areas
// (cuda_bytes() of gpu/cuda_device.h). `direct` adds its matrices (require_dense_memory), whose
// size the contact decides.
std::size_t estimated_bytes(const ContactProblem& problem, int krylov_chunks = kMostKrylovChunks,
                            FieldsIn where = FieldsIn::host);

// A card's memory without the part that the driver and the program need.
constexpr std::size_t usable_bytes(std::size_t card_bytes) { return card_bytes - card_bytes / 50; }

// The most chunks of vectors of GMRES with which bytes_of(chunks) are available; the fewest where
// there is less.
template <class BytesOf>
int krylov_chunks_for(std::size_t available, const BytesOf& bytes_of) {
  for (int chunks = kMostKrylovChunks; chunks >= kFewestKrylovChunks; --chunks)
    if (bytes_of(chunks) <= available) return chunks;
  return kFewestKrylovChunks;
}

// Throws InputError with both numbers where `available` is less than `needed`; where: "the machine
// has free", "the GPU has free".
void require_memory(const ContactProblem& problem, std::size_t needed, std::size_t available,
                    const std::string& where);

// The same for this machine's memory, less what containers and batch jobs hold back.
void require_host_memory(const ContactProblem& problem);

// The same for a dense matrix of `rows` rows, in this machine's memory.
void require_dense_memory(std::size_t rows, std::size_t available);

}  // namespace slipfield
