// Which tractions a product takes and which displacements it gives, for the tiled and the FFT
// product alike.
#pragma once

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

// Direction indices of a product's fields: x, y, n.
inline constexpr int kDirections = 3;

enum class ProductShape {
  normal,                  // u_n = A_nn p_n
  tangential,              // u_x, u_y from p_x, p_y
  full,                    // all three from all three
  normal_from_tangential,  // u_n = A_nx p_x + A_ny p_y
  tangential_from_normal,  // u_x = A_xn p_n, u_y = A_yn p_n
};

struct ProductTerm {
  int component = -1;  // of enum class Component; -1: this pair does not couple
  double sign = 1.0;   // nx and ny are -xn and -yn at the same point
};

SLIPFIELD_HD constexpr ProductTerm product_term(int to, int from) {
  constexpr int kTable[3][3] = {{static_cast<int>(Component::xx), static_cast<int>(Component::xy),
                                 static_cast<int>(Component::xn)},
                                {static_cast<int>(Component::xy), static_cast<int>(Component::yy),
                                 static_cast<int>(Component::yn)},
                                {static_cast<int>(Component::xn), static_cast<int>(Component::yn),
                                 static_cast<int>(Component::nn)}};
  return ProductTerm{kTable[to][from], (to == 2 && from != 2) ? -1.0 : 1.0};
}

SLIPFIELD_HD constexpr bool product_takes(ProductShape shape, int direction) {
  return shape == ProductShape::full ||
         (direction == 2
              ? (shape == ProductShape::normal || shape == ProductShape::tangential_from_normal)
              : (shape == ProductShape::tangential ||
                 shape == ProductShape::normal_from_tangential));
}

SLIPFIELD_HD constexpr bool product_gives(ProductShape shape, int direction) {
  return shape == ProductShape::full ||
         (direction == 2
              ? (shape == ProductShape::normal || shape == ProductShape::normal_from_tangential)
              : (shape == ProductShape::tangential ||
                 shape == ProductShape::tangential_from_normal));
}

// Device pointers by direction (x, y, n); null where the shape neither takes nor gives it.
struct ConstFields {
  const double* field[kDirections] = {nullptr, nullptr, nullptr};
};
struct Fields {
  double* field[kDirections] = {nullptr, nullptr, nullptr};
};

enum class Accumulate { no, yes };  // out = product, or out += product

}  // namespace slipfield
