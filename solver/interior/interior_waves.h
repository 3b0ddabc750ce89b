// SPDX-License-Identifier: Apache-2.0
// The interior of a body under a periodic grid (THEORY.md 12.7): each wave of the tractions goes
// down by itself, exactly, in half-spaces and bodies of layers. The mean tractions press and shear
// a body that cannot widen.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/layered_bodies.h"
#include "solver/interior/interior_planes.h"
#include "solver/interior/interior_points.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"

namespace slipfield {

// inside_waves() of a half-space, in closed form; qz: wavenumber times depth.
InsideShares half_space_waves(double poisson_ratio, double qz);

// Each component under the wave exp(i (qx x + qy y)) of a load of 1, of each load; displacements in
// lengths. At no wavenumber they are counted from the surface.
using WaveResponse = std::array<std::array<std::complex<double>, kInteriorComponents>, kLoads>;
WaveResponse wave_response(const ElasticBody& body, double depth, double qx, double qy);

// Waves of one body's loads at a depth, for a grid that is periodic in both directions.
class InteriorWaves {
 public:
  // The loads are the solution's.
  InteriorWaves(const Grid& grid, const ElasticBody& material, Body body,
                const ContactSolution& solution);

  // Amplitudes of the first `components`, over mx/2 + 1 times my waves, those along x fastest.
  using Amplitudes = std::vector<std::vector<std::complex<double>>>;
  [[nodiscard]] Amplitudes at(double depth, int components) const;
  // The sum of waves anywhere.
  [[nodiscard]] InteriorValues sum_at(const Amplitudes& amplitudes, double x, double y) const;
  // At all element centres; overwrites the amplitudes.
  void sum(std::vector<std::complex<double>>& amplitudes, std::vector<double>& values) const;

  [[nodiscard]] bool loaded() const { return !loads_.empty(); }
  static std::size_t memory_bytes(const Grid& grid, int components);

 private:
  struct Load {
    int load = 0;
    std::vector<std::complex<double>> waves;
  };
  [[nodiscard]] int columns() const { return grid_.mx / 2 + 1; }
  // The number of waves of a row, from -my/2 on.
  [[nodiscard]] int number_of_row(int row) const {
    return 2 * row <= grid_.my ? row : row - grid_.my;
  }
  [[nodiscard]] double unit_x() const;
  [[nodiscard]] double unit_y() const;

  Grid grid_;
  ElasticBody material_;
  Body body_;
  std::vector<Load> loads_;  // those that are not zero everywhere
};

// Planes of such a grid on the CPU.
class CpuInteriorWaves final : public HostInteriorPlanes {
 public:
  // Throws InputError where this machine has too little memory.
  CpuInteriorWaves(const InteriorTask& task, const ContactSolution& solution);

  void compute(double depth) override;

 private:
  InteriorWaves waves_;
};

}  // namespace slipfield
