#include "solver/memory_estimate.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "solver/cpu_fft_convolution.h"
#include "solver/error.h"
#include "solver/rolling.h"

namespace slipfield {
std::string readable_bytes(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", value, kUnits[unit]);
  return text.data();
}

std::size_t estimated_bytes(const ContactProblem& problem) {
  const bool tangential = std::any_of(
      problem.steps.begin(), problem.steps.end(),
      [](const StepInput& step) { return step.tangential.problem != TangentialProblem::none; });
  const bool rolling =
      std::any_of(problem.steps.begin(), problem.steps.end(),
                  [](const StepInput& step) { return is_rolling(step.tangential.problem); });
  // Fields of the step and of the normal problem; those of newton with some thirty vectors of
  // GMRES.
  std::size_t fields = 24;
  int spectra = 2;
  if (tangential) {
    fields += 90;
    spectra += 3;
  }
  if (rolling) spectra += 10;  // complex ones of the step's operator, and their inverses
  return fields * sizeof(double) * problem.grid.count() +
         CpuFftConvolution::memory_bytes(problem.grid, 2, spectra);
}

void require_memory(const ContactProblem& problem, std::size_t available,
                    const std::string& where) {
  const std::size_t needed = estimated_bytes(problem);
  if (needed <= available) return;
  std::ostringstream message;
  message << "grid.elements: " << problem.grid.mx << " x " << problem.grid.my
          << " elements need about " << readable_bytes(needed) << " (" << needed << " bytes), "
          << where << ' ' << readable_bytes(available) << " (" << available
          << " bytes); accepted: a smaller grid";
  throw InputError(message.str());
}

void require_dense_memory(std::size_t rows, std::size_t available, const std::string& where) {
  const std::size_t needed = rows * rows * sizeof(double);
  if (needed <= available) return;
  std::ostringstream message;
  message << "direct: a dense matrix of " << rows << " rows needs " << readable_bytes(needed)
          << " (" << needed << " bytes), " << where << ' ' << readable_bytes(available) << " ("
          << available << " bytes); accepted: fewer elements in contact, or an iterative method";
  throw InputError(message.str());
}

}  // namespace slipfield
