// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_summation.h"

#include "solver/threads/team_work.h"

namespace slipfield {
std::vector<LoadedElement> loaded_elements(int mx, int my, const double* traction) {
  std::vector<LoadedElement> loaded;
  for (int jy = 0; jy < my; ++jy) {
    for (int jx = 0; jx < mx; ++jx) {
      const double value = traction[static_cast<std::size_t>(jy) * static_cast<std::size_t>(mx) +
                                    static_cast<std::size_t>(jx)];
      if (value != 0.0) loaded.push_back({jx, jy, value});
    }
  }
  return loaded;
}

void add_summed_product(int mx, int my, const InfluenceTable& table, double sign,
                        const std::vector<LoadedElement>& loaded, double* out) {
  if (loaded.empty()) return;
  constexpr double kOfProduct = 1.0e-10;  // seconds, of two flops
  const double count = static_cast<double>(mx) * my;
  const TeamWork work(count >= static_cast<double>(kLeastForProducts),
                      kOfProduct * static_cast<double>(loaded.size()) * count);
#pragma omp parallel for schedule(static) if (work.by_all())
  for (int iy = 0; iy < my; ++iy) {
    double* const row = out + static_cast<std::size_t>(iy) * static_cast<std::size_t>(mx);
    for (std::size_t first = 0; first < loaded.size(); first += kFused) {
      std::array<const double*, kFused> rows{};
      std::array<double, kFused> factor{};
      for (std::size_t k = 0; k < kFused; ++k) {
        const bool is_one = first + k < loaded.size();  // the last group is padded with zeros
        const LoadedElement& element = loaded[is_one ? first + k : first];
        rows[k] = table.at(-element.jx, iy - element.jy);
        factor[k] = is_one ? sign * element.traction : 0.0;
      }
      add_scaled_rows(row, mx, rows, factor);
    }
  }
}

}  // namespace slipfield
