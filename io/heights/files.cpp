#include "io/heights/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slipfield {

std::shared_ptr<const Heights> HeightsFiles::read(const std::filesystem::path& path,
                                                  const HeightsRequest& request) {
  std::string key = fmt::format("{} {} {} {}:{}:{}", request.mx, request.my,
                                request.infinity == Infinity::allowed, path.string(),
                                request.dataset.value_or(""), request.default_dataset);
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  Entry entry;
  if (known != entries_.end()) {
    entry = std::move(*known);
    entries_.erase(known);
  } else {
    entry = {std::move(key), std::make_shared<const Heights>(read_heights(path, request))};
  }
  entries_.push_front(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_back();
  return entries_.front().heights;
}

}  // namespace slipfield
