#include "app/load_case.h"

#include "app/console.h"

namespace slipfield {

CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  CaseFile file = read_case(path, overrides);
  for (const std::string& warning : file.warnings) log_warning(warning);
  return file;
}

}  // namespace slipfield
