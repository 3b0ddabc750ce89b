// SPDX-License-Identifier: Apache-2.0
// The distance between the undeformed rail and wheel over a plane (THEORY.md 13.4).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The wheel's round surface near a contact, as a mesh of points between which its height over the
// tangent plane is interpolated (THEORY.md 13.4).
class WheelMesh {
 public:
  // Points at the grid's spacings along the wheel's profile and along x, counted from the patch's
  // reference point; they extend beyond the grid, along y by an additional `reach` [length].
  WheelMesh(const Profile& profile, const PlacedWheel& wheel, const ContactPatch& patch,
            double reach = 0.0);

  // A position within the mesh.
  struct Place {
    double x = 0.0;  // of the contact coordinates
    double y = 0.0;
    std::ptrdiff_t i = 0;
    std::ptrdiff_t j = 0;
    double u = 0.5;
    double v = 0.5;
  };
  // n of the surface at (x, y) of the contact coordinates, bilinear within a mesh cell; NaN where
  // the wheel does not reach. place: in and out, the last point found, or nothing; the search
  // starts there and is faster the closer it is.
  [[nodiscard]] double normal_at(double x, double y, std::optional<Place>& place) const;
  // The same at this y for all x of the grid; place: that of the first x.
  void normals_along_x(double y, std::optional<Place>& place, std::span<double> n) const;

 private:
  struct Mesh;  // a point of it and the vectors to its neighbours
  [[nodiscard]] Place start_at(double x, double y, const std::optional<Place>& near) const;
  // Walks from cell to cell towards (x, y); returns the place found, or nothing.
  double walk(Place at, double x, double y, std::optional<Place>& place) const;
  std::size_t walk_together(const Place& from, double x, std::span<double> n,
                            std::optional<Place>& place) const;
  [[nodiscard]] Mesh mesh(std::ptrdiff_t index) const;

  double first_x_ = 0.0;  // of the grid
  double dx_ = 0.0;
  double dy_ = 0.0;
  std::ptrdiff_t columns_ = 0;  // of x
  std::ptrdiff_t rows_ = 0;
  std::ptrdiff_t reference_column_ = 0;
  std::ptrdiff_t reference_row_ = 0;
  // The points in contact coordinates; columns vary fastest.
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> n_;
};

// h = n of the rail's surface less n of the wheel's at the centres of place.grid, in the frame of
// `place`; place.on_wheel is its origin on the wheel. < 0 where they overlap, +infinity where a
// body is missing. reach [length]: how far beyond the grid along y the wheel's surface is searched.
std::vector<double> distance_over_plane(const WheelOnRail& bodies, const ContactPatch& place,
                                        double reach = 0.0);

}  // namespace slipfield
