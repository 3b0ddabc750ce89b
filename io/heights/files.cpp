#include "io/heights/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/error.h"

namespace slipfield {

bool names_array(const std::filesystem::path& file) {
  return file.filename().string().starts_with(kArrayPrefix);
}

void HeightsFiles::give(const std::string& name, std::shared_ptr<const Heights> heights) {
  given_[name] = std::move(heights);
}

std::shared_ptr<const Heights> HeightsFiles::given(const std::filesystem::path& path,
                                                   const HeightsRequest& request) const {
  const std::string name = path.filename().string();
  const auto array = given_.find(name.substr(kArrayPrefix.size()));
  if (array == given_.end()) {
    std::string names;
    for (const auto& [known, values] : given_) names += (names.empty() ? "" : ", ") + known;
    throw InputError(name + ": no such array was given; given are " +
                     (names.empty() ? "none" : names));
  }
  check_heights(name, request, *array->second);
  return array->second;
}

std::shared_ptr<const Heights> HeightsFiles::read(const std::filesystem::path& path,
                                                  const HeightsRequest& request) {
  if (names_array(path) && (!given_.empty() || !std::filesystem::exists(path)))
    return given(path, request);
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
