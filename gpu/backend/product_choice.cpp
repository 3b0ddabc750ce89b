// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/product_choice.h"

#include <algorithm>

namespace slipfield {

// Time of one product [us], NVIDIA H200, CUDA 13.0, graph replay, dense random tractions:
//
//                 normal      tangential   half-coupled  full (3 x 3)
//   grid        tiled   fft  tiled   fft   tiled   fft   tiled   fft
//    16^2         4.0   7.1    4.9   8.1       -     -     6.2   8.5
//    32^2         4.2   7.1    5.7   8.3       -     -     8.0   8.9
//    40^2         4.8   7.3    7.1   8.5     5.7   8.4    11.0   9.4
//    48^2         5.3   7.5    8.4   8.6     6.4   8.5    13.4   9.3
//    56^2         5.6   8.3    9.5   9.7     7.0   9.3    15.6  10.1
//    60^2         5.7   8.4   10.2   9.7     7.3   9.3    18.0  10.1
//    64^2         7.4   8.4   16.3   9.7    10.6   9.3    35.0  10.1
//    72^2         9.1   8.5   20.4   9.8    13.2   9.4    77.7  10.7
//    80 x 60      8.7   8.3   19.7   9.8       -     -    62.9  10.4
//    80^2        10.2   8.7   23.8  10.4    15.1   9.9    78.1  11.2
//   128^2        44.4   8.4    132  10.3       -     -     281  12.4
//   300 x 8       4.9   8.6    7.9   9.8       -     -    13.0  10.3
//   200 x 3       6.0   7.9    8.0   9.0       -     -    11.1   9.4
//     3 x 200     8.2   7.6   11.4   8.9       -     -    18.3   9.8
//   600 x 6       7.5  10.4   12.9  11.8     9.5  11.5    21.6  12.2
//  1000 x 2       8.0  13.9   11.9  15.3       -     -    18.0  16.0
//  1500 x 3       9.6  13.9   20.9  15.2    13.3  15.5    46.3  16.9
//  2500 x 3      19.4  21.2   42.1  22.7    27.0  22.5    90.9  24.2
//  3000 x 4      26.1  21.8     81  23.5       -     -     171  25.7
//    64 x 1       2.4   3.4    3.5   4.4       -     -     4.9   5.1
//  1024 x 1       4.2   5.3    5.8   7.6       -     -     8.1   9.4
//  1500 x 1       4.6   7.0    6.7   9.7     5.4  10.2     9.9  12.2
//  2048 x 1       4.7   8.1    7.4  11.5       -     -    11.5  14.8
//  4096 x 1       8.9  14.7   19.2  21.5       -     -    40.4  29.3
//  6000 x 1      11.8  21.3   26.6  40.6       -     -    57.4  60.0   (fft: cuFFT, 40000 points)
// 10000 x 1      22.1  21.4   63.7  40.6    39.5  30.8     137  60.0
bool tiled_is_faster(Block shape, int mx, int my) {
  const long elements = static_cast<long>(mx) * my;
  const int kind = shape == Block::normal       ? 0
                   : shape == Block::tangential ? 1
                   : shape == Block::full       ? 3
                                                : 2;
  if (mx == 1 || my == 1) {
    if (kind == 3 && elements > 3200 && elements <= 4096) return false;
    constexpr long kLine[] = {9800, 7800, 8500, 6200};
    return elements <= kLine[kind];
  }
  // A lane sums eight neighbours in a row; short rows leave most of them idle.
  if (mx < 8) return elements * 8 <= 1000L * mx;
  // Long thin grids: the FFT takes as long for a few rows as for many.
  const int longer = std::max(mx, my);
  constexpr long kSquare[] = {4608, 3300, 3900, 1200};
  constexpr long kLong[] = {7000, 3300, 4900, 1800};
  constexpr long kLonger[] = {9000, 3900, 6000, 1800};
  return elements <= (longer <= 512 ? kSquare : (longer <= 1500 ? kLong : kLonger))[kind];
}

}  // namespace slipfield
