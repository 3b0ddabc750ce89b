// SPDX-License-Identifier: Apache-2.0
#include "solver/threads/uninitialized_vector.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace slipfield {

void* new_large_pages(std::size_t bytes) {
  constexpr std::size_t kPage = std::size_t{1} << 21;
  const std::size_t whole = bytes / kPage * kPage;
  void* pages = nullptr;
  if (posix_memalign(&pages, kPage, bytes) != 0) throw std::bad_alloc();
  // A large page for the rest would take memory that nobody requested.
  madvise(pages, whole, MADV_HUGEPAGE);  // refused, the pages are small
  return pages;
}

void delete_large_pages(void* pages) { std::free(pages); }

}  // namespace slipfield
