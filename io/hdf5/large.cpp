// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/large.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20U;  // more than the library holds back

int descriptor_of(const Handle& dataset, const std::string& path) {
  const Handle file(H5Iget_file_id(dataset.id()), H5Fclose, "H5Iget_file_id", path);
  void* descriptor = nullptr;
  check(H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor), "H5Fget_vfd_handle", path);
  return *static_cast<const int*>(descriptor);
}

// An error number, 0 when done.
int write_at(int descriptor, const char* bytes, std::size_t size, off_t place) {
  while (size > 0) {
    const ssize_t written = pwrite(descriptor, bytes, size, place);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    size -= static_cast<std::size_t>(written);
    place += written;
  }
  return 0;
}

void write_first(const Handle& dataset, hid_t type, const void* values, std::size_t count,
                 const std::string& path) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> size(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), size.data(), nullptr), "H5Sget_simple_extent_dims",
        path);
  const std::vector<hsize_t> start(size.size(), 0);
  std::size_t row = 1;
  for (std::size_t i = 1; i < size.size(); ++i) row *= size[i];
  size.front() = count / row;
  check(
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
      "H5Sselect_hyperslab", path);
  const std::size_t shape[] = {count};
  const Handle memory = simple_space(shape, path);
  check(H5Dwrite(dataset.id(), type, memory.id(), space.id(), H5P_DEFAULT, values), "H5Dwrite",
        path);
}

}  // namespace

void write_large(const Handle& dataset, hid_t type, const void* values, std::size_t count,
                 std::size_t each, const std::string& path) {
  const char* threads_asked = std::getenv("SLIPFIELD_PWRITE");
  const char* syncs = std::getenv("SLIPFIELD_SYNC_RANGE");
  const int threads = threads_asked ? std::atoi(threads_asked) : 0;
  const std::size_t row = [&] {
    const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
    std::vector<hsize_t> size(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
    H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
    return count / size.front();
  }();
  const std::size_t rows = (kPiece / each + row - 1) / row;
  const std::size_t first = threads > 0 ? std::min(count, rows * row) : count;
  write_first(dataset, type, values, first, path);
  const haddr_t place = H5Dget_offset(dataset.id());
  const int descriptor = descriptor_of(dataset, path);
  const std::size_t bytes = count * each;
  if (threads > 0) {
    std::atomic<std::size_t> next{first * each};
    std::atomic<int> failure{0};
    const auto work = [&] {
      while (failure == 0) {
        const std::size_t at = next.fetch_add(kPiece);
        if (at >= bytes) return;
        const int code = write_at(descriptor, static_cast<const char*>(values) + at,
                                  std::min(kPiece, bytes - at), static_cast<off_t>(place + at));
        if (code != 0) failure = code;
      }
    };
    std::vector<std::thread> team;
    for (int i = 1; i < threads; ++i) team.emplace_back(work);
    work();
    for (std::thread& thread : team) thread.join();
    if (failure != 0) throw Hdf5Error("pwrite", path, std::generic_category().message(failure));
  }
  if (syncs)
    sync_file_range(descriptor, static_cast<off_t>(place), static_cast<off_t>(bytes),
                    SYNC_FILE_RANGE_WRITE);
}

}  // namespace slipfield::hdf5
