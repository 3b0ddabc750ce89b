// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/hdf5/handle.h"
#include "io/heights/formats.h"

namespace slipfield {

Heights read_hdf5_heights(const std::filesystem::path& path, const std::string& dataset,
                          const HeightsRequest& request) {
  try {
    const hdf5::Handle file = hdf5::open_file(path);
    if (!hdf5::has_link(file.id(), dataset))
      refuse_heights(path, fmt::format("has no dataset '{}'", dataset));
    const std::vector<std::size_t> shape = hdf5::dataset_shape(file.id(), dataset);
    check_shape(path, shape, request);
    return {hdf5::read_doubles(file.id(), dataset), static_cast<int>(shape[1]),
            static_cast<int>(shape[0]), dataset};
  } catch (const Hdf5Error& error) {
    refuse_heights(path, fmt::format("cannot be read at '{}' ({})", dataset, error.reason()));
  }
}

}  // namespace slipfield
