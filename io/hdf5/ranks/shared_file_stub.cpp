// SPDX-License-Identifier: Apache-2.0
// A build without MPI has one rank, which has its files to itself.
#include "io/hdf5/ranks/shared_file.h"

namespace slipfield::hdf5 {
namespace {

[[noreturn]] void refuse_sharing() {
  throw Error("this program was built without MPI and shares no file");
}

}  // namespace

Handle open_shared(const std::filesystem::path& /*path*/) { refuse_sharing(); }

void write_shared_rows(hid_t /*location*/, const std::string& /*name*/, const RowRange& /*rows*/,
                       std::span<const double> /*values*/) {
  refuse_sharing();
}

void write_shared_rows(hid_t /*location*/, const std::string& /*name*/, const RowRange& /*rows*/,
                       std::span<const std::uint8_t> /*values*/) {
  refuse_sharing();
}

}  // namespace slipfield::hdf5
