// SPDX-License-Identifier: Apache-2.0
#include "io/influence/coefficient_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/profiles/formats.h"
#include "solver/error.h"
#include "solver/problem_limits.h"

namespace slipfield {
namespace {

constexpr std::string_view kCoefficientSeparators = " \t\r,";

// The number of a word, also in Fortran's form, 1.5D-3.
std::optional<double> fortran_number(std::string_view word) {
  std::string text(word);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  return number_of(text);
}

class CoefficientFile {
 public:
  CoefficientFile(const std::filesystem::path& path, const Grid& grid, double slack)
      : path_(path), grid_(grid), slack_(slack), file_(path, std::ios::binary) {
    if (!file_) throw InputError(fmt::format("{}: cannot be opened", path_.string()));
  }

  TabulatedCoefficients read() {
    read_header();
    TabulatedCoefficients tables{mx_, my_, rows_, {}};
    for (int row = 0; row < rows_; ++row) {
      if (rows_ > 1) read_matrix_head(row);
      for (int ky = 1 - my_; ky < my_; ++ky) {
        for (int k = 0; k < 2; ++k) next_line("the lines of titles");
        for (int kx = 0; kx < mx_; ++kx) tables.values.push_back(read_line(kx, ky));
      }
    }
    return tables;
  }

 private:
  [[noreturn]] void refuse(std::string_view problem, std::string_view accepted) const {
    throw InputError(
        fmt::format("{}:{}: {}; accepted: {}", path_.string(), number_, problem, accepted));
  }

  std::string next_line(std::string_view what) {
    std::string line;
    if (!std::getline(file_, line)) {
      const std::string problem = fmt::format("the file ends before {}", what);
      ++number_;
      refuse(problem, fmt::format("{} x {} lines of coefficients in each of {} matrices", mx_,
                                  2 * my_ - 1, rows_));
    }
    ++number_;
    return line;
  }

  std::vector<double> numbers(std::string_view line, std::size_t count, std::string_view names) {
    const auto words = words_of(before_comment(line, "%"), kCoefficientSeparators);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= words.size())
        refuse(fmt::format("has {} numbers", words.size()), fmt::format("{}: {}", count, names));
      const auto value = fortran_number(words[i]);
      if (!value) refuse(fmt::format("'{}' is not a number", words[i]), names);
      values.push_back(*value);
    }
    return values;
  }

  // The numbers of the next line that is not empty or a comment.
  std::vector<double> header(std::size_t count, std::string_view names) {
    std::string line;
    do {
      line = next_line(names);
    } while (words_of(before_comment(line, "%"), kCoefficientSeparators).empty());
    return numbers(line, count, names);
  }

  void demand(double value, std::string_view name, double accepted) const {
    if (value != accepted)
      refuse(fmt::format("{} is {}", name, value), fmt::format("{}", accepted));
  }
  void demand_spacing(double value, std::string_view name, double spacing) const {
    const double slack = std::min(slack_, 1.0e-3 * spacing);
    if (!(std::abs(value - spacing) <= slack))
      refuse(
          fmt::format("{} is {}, and the elements of the grid are {} long", name, value, spacing),
          fmt::format("{} to within {:.3g}", spacing, slack));
  }
  // XREL has few digits; CONTACT prints three, and slack is a hundredth of the last one.
  void demand_place(double value, int kx) const {
    const double meant = kx * grid_.dx;
    constexpr double kOfElement = 0.1;  // of an element
    constexpr double kRounding = 50.0;
    const double slack = kOfElement * grid_.dx + kRounding * slack_;
    if (!(std::abs(value - meant) <= slack))
      refuse(fmt::format("XREL is {}, and IX = {} elements are {:.6g}", value, kx, meant),
             fmt::format("{:.6g} to within {:.3g}", meant, slack));
  }
  int size(double value, std::string_view name) const {
    if (value != std::floor(value) || !(value >= 1.0 && value <= kMaxElements))
      refuse(fmt::format("{} is {}", name, value), "an " + kElements.describe());
    return static_cast<int>(value);
  }

  void read_header() {
    const auto kind = header(2, "NMATRIX, IACONVEX");
    if (kind[0] != 1.0 && kind[0] != grid_.my)
      refuse(fmt::format("NMATRIX is {}", kind[0]),
             fmt::format("1, or {}, one for each row of the grid", grid_.my));
    rows_ = static_cast<int>(kind[0]);
    if (kind[1] != 1.0 && kind[1] != 2.0)
      refuse(fmt::format("IACONVEX is {}", kind[1]), "1 or 2, the body that is convex");
    const auto columns = header(2, "LQUASID, XYZORDER");
    demand(columns[0], "LQUASID", 0.0);
    demand(columns[1], "XYZORDER", 312.0);
    const auto symmetry = header(2, "LSYMMX, LSYMMY");
    demand(symmetry[0], "LSYMMX", 1.0);
    demand(symmetry[1], "LSYMMY", 0.0);
    const auto sizes = header(4, "MX, MY, DX, DY");
    mx_ = size(sizes[0], "MX");
    my_ = size(sizes[1], "MY");
    demand_spacing(sizes[2], "DX", grid_.dx);
    demand_spacing(sizes[3], "DY", grid_.dy);
  }

  void read_matrix_head(int row) {
    for (int k = 0; k < 3; ++k) next_line("the lines of titles");
    const auto head = numbers(next_line("a matrix"), 3, "IMATRIX, XCENTR, YCENTR");
    demand(head[0], "IMATRIX", row + 1.0);
  }

  CoefficientMatrix read_line(int kx, int ky) {
    const std::string line = next_line(fmt::format("the coefficients of iy = {}", ky));
    const auto values = numbers(line, 11, "IX, XREL and nine coefficients");
    demand(values[0], fmt::format("IX of iy = {}", ky), kx);
    demand_place(values[1], kx);
    const auto c = values.begin() + 2;  // nn nx ny xn xx xy yn yx yy
    return {c[4], c[5], c[3], c[7], c[8], c[6], c[1], c[2], c[0]};
  }

  std::filesystem::path path_;
  Grid grid_;
  double slack_;
  std::ifstream file_;
  int number_ = 0;  // of the last line read
  int rows_ = 1;
  int mx_ = 0;
  int my_ = 0;
};

}  // namespace

TabulatedCoefficients read_coefficient_file(const std::filesystem::path& path, const Grid& grid,
                                            double slack) {
  return CoefficientFile(path, grid, slack).read();
}

}  // namespace slipfield
