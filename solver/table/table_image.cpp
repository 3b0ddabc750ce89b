// SPDX-License-Identifier: Apache-2.0
// Converts forces at the knots to coefficients of cubic B-splines (THEORY.md 6.9).
#include <Eigen/Dense>
#include <cmath>
#include <cstring>

#include "solver/table/creep_table.h"
#include "solver/table/slipfield_table.h"

namespace slipfield {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Coefficients of the spline through n values; its fourth difference vanishes at the ends. A single
// value is its own coefficient.
Matrix open_spline(int n) {
  if (n == 1) return Matrix::Ones(1, 1);
  Matrix system = Matrix::Zero(n + 2, n + 2);
  for (int i = 0; i < n; ++i) system.block<1, 3>(i + 1, i) << 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0;
  system.block<1, 5>(0, 0) << 1.0, -4.0, 6.0, -4.0, 1.0;
  system.block<1, 5>(n + 1, n - 3) << 1.0, -4.0, 6.0, -4.0, 1.0;
  const Matrix inverse = system.inverse();
  return inverse.middleCols(1, n);
}

Matrix closed_spline(int n) {
  Matrix system = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    system(i, i) = 4.0 / 6.0;
    system(i, (i + 1) % n) += 1.0 / 6.0;
    system(i, (i + n - 1) % n) += 1.0 / 6.0;
  }
  return system.inverse();
}

// The directions of a table, continued over the sphere by the symmetries of the forces.
class Sphere {
 public:
  Sphere(const CreepTable& table)
      : symmetric_(table.request.patch == TablePatch::ellipse),
        angles_(static_cast<int>(table.angles.size())),
        top_(static_cast<int>(table.elevations.size()) - 1),
        around_(symmetric_ ? 2 * (angles_ - 1) : angles_),
        over_(4 * top_) {}

  [[nodiscard]] int around() const { return around_; }
  [[nodiscard]] int over() const { return over_; }
  [[nodiscard]] int cells_around() const { return symmetric_ ? angles_ - 1 : angles_; }
  [[nodiscard]] int cells_up() const { return top_; }

  // Force `part` at angle i of a full turn and elevation j of a full turn, -2 top < j <= 2 top;
  // knots: the forces (angles, elevations, 3) of one radius.
  [[nodiscard]] double value(const double* knots, int i, int j, int part) const {
    double sign = 1.0;
    const int half = around_ / 2;
    if (std::abs(j) > top_) {  // over the pole
      i += half;
      j = (j > 0 ? 2 : -2) * top_ - j;
    }
    if (j < 0) {  // the opposite creepages
      i += half;
      j = -j;
      sign = -1.0;
    }
    i %= around_;
    if (symmetric_ && i >= angles_) {  // creepage_x < 0; angles begin at -90 degrees
      i = around_ - i;
      if (part == 0) sign = -sign;
    }
    return sign * knots[(static_cast<std::size_t>(i) * static_cast<std::size_t>(top_ + 1) +
                         static_cast<std::size_t>(j)) *
                            3 +
                        static_cast<std::size_t>(part)];
  }

 private:
  bool symmetric_;
  int angles_;
  int top_;     // the elevation of pure spin
  int around_;  // knots of a full turn
  int over_;
};

// Appends the coefficients of one ratio and radius, (cells + 3, cells + 3, 3).
void append_layer(const Sphere& sphere, const double* knots, const Matrix& around,
                  const Matrix& over, std::vector<double>& out) {
  std::array<Matrix, 3> layer;
  for (int part = 0; part < 3; ++part) {
    Matrix full(sphere.around(), sphere.over());
    for (int i = 0; i < sphere.around(); ++i) {
      for (int j = 0; j < sphere.over(); ++j) {
        const int turned = 2 * j <= sphere.over() ? j : j - sphere.over();
        full(i, j) = sphere.value(knots, i, turned, part);
      }
    }
    layer[static_cast<std::size_t>(part)] = around * full * over.transpose();
  }
  for (int i = -1; i < sphere.cells_around() + 2; ++i)
    for (int j = -1; j < sphere.cells_up() + 2; ++j)
      for (const Matrix& part : layer)
        out.push_back(
            part((i + sphere.around()) % sphere.around(), (j + sphere.over()) % sphere.over()));
}

// Applies `spline` along the slowest dimension of (n, rest).
std::vector<double> along_first(const Matrix& spline, const std::vector<double>& values) {
  const Eigen::Index n = spline.cols();
  const Eigen::Index rest = static_cast<Eigen::Index>(values.size()) / n;
  const Matrix product = spline * Eigen::Map<const Matrix>(values.data(), n, rest);
  return {product.data(), product.data() + product.size()};
}

void append_bytes(std::vector<unsigned char>& image, const void* from, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(from);
  image.insert(image.end(), begin, begin + bytes);
}

}  // namespace

std::vector<unsigned char> table_image(const CreepTable& table) {
  const Sphere sphere(table);
  const auto ratios = table.ratios.size();
  const auto radii = table.radii.size();
  const std::size_t knots = table.angles.size() * table.elevations.size() * 3;
  const Matrix around = closed_spline(sphere.around());
  const Matrix over = closed_spline(sphere.over());
  const Matrix outwards = open_spline(static_cast<int>(radii));
  std::vector<double> coefficients;
  for (std::size_t q = 0; q < ratios; ++q) {
    std::vector<double> layers;
    for (std::size_t k = 0; k < radii; ++k) {
      // F = 3r/(1 + 3r) H; the knot r = 0 holds H, the limit of F/(3r).
      const double r = table.radii[k];
      const double share = k == 0 || std::isinf(r) ? 1.0 : 3.0 * r / (1.0 + 3.0 * r);
      const double* const begin = table.forces.data() + (q * radii + k) * knots;
      std::vector<double> of_share(begin, begin + knots);
      for (double& value : of_share) value /= share;
      append_layer(sphere, of_share.data(), around, over, layers);
    }
    const std::vector<double> block = along_first(outwards, layers);
    coefficients.insert(coefficients.end(), block.begin(), block.end());
  }
  const Matrix sidewards = open_spline(static_cast<int>(ratios));
  coefficients = along_first(sidewards, coefficients);
  std::vector<double> linear(table.linear.size());
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = std::log(table.linear[i]);
  linear = along_first(sidewards, linear);

  slipfield_table_header header{};
  std::memcpy(header.magic, SLIPFIELD_TABLE_MAGIC, sizeof header.magic);
  header.order = 2;
  header.symmetric = table.request.patch == TablePatch::ellipse ? 1 : 0;
  header.ratios = static_cast<int>(ratios) - 1;
  header.radii = static_cast<int>(radii) - 1;
  header.angles = sphere.cells_around();
  header.elevations = sphere.cells_up();
  header.first_ratio = std::log(table.ratios.front());
  header.ratio_step =
      ratios > 1 ? std::log(table.ratios.back() / table.ratios.front()) / header.ratios : 0.0;
  std::vector<unsigned char> image;
  append_bytes(image, &header, sizeof header);
  append_bytes(image, linear.data(), linear.size() * sizeof(double));
  const std::vector<float> rounded(coefficients.begin(), coefficients.end());
  append_bytes(image, rounded.data(), rounded.size() * sizeof(float));
  return image;
}

}  // namespace slipfield
