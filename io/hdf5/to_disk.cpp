// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/to_disk.h"

#include <fcntl.h>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// The descriptor of a file that the library writes through the operating system; -1: another
// driver.
int descriptor_of(const Handle& dataset, const std::string& path) {
  const Handle file(H5Iget_file_id(dataset.id()), H5Fclose, "H5Iget_file_id", path);
  const Handle access(H5Fget_access_plist(file.id()), H5Pclose, "H5Fget_access_plist", path);
  if (H5Pget_driver(access.id()) != H5FD_SEC2) return -1;
  void* descriptor = nullptr;
  check(H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor), "H5Fget_vfd_handle", path);
  return *static_cast<const int*>(descriptor);
}

}  // namespace

void send_to_disk(const Handle& dataset) {
  const std::string path = describe(dataset.id());
  const haddr_t place = H5Dget_offset(dataset.id());
  if (place == HADDR_UNDEF) return;
  const int descriptor = descriptor_of(dataset, path);
  if (descriptor < 0) return;
  static_cast<void>(sync_file_range(descriptor, static_cast<off_t>(place),
                                    static_cast<off_t>(H5Dget_storage_size(dataset.id())),
                                    SYNC_FILE_RANGE_WRITE));
}

}  // namespace slipfield::hdf5
