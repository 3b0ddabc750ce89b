#include "gpu/product_choice.h"

#include <algorithm>

namespace slipfield {

// Time of one product [us], NVIDIA H200, CUDA 13.0, graph replay, dense random tractions:
//
//                 normal         tangential      full (3 x 3)
//   grid        tiled    fft    tiled    fft    tiled    fft
//    16^2         4.0    7.1      4.9    8.1      6.2    8.5
//    24^2         4.1    7.2      5.4    8.2      7.3    8.7
//    32^2         4.2    7.1      5.7    8.3      8.0    8.9
//    40^2         4.8    7.4      7.1    8.5     11.0    9.5
//    48^2         5.3    7.5      8.3    8.5     13.4    9.3
//    56^2         5.6    8.4      9.5    9.7     15.7   10.1
//    64^2         7.3    8.4     16.5    9.7     34.9   10.2
//    72^2         9.1    8.4     20.4    9.8     77.5   10.5
//    80 x 60      8.7    8.3     19.7    9.8     62.9   10.4
//    80^2        10.2    8.7     23.7   10.4     77.7   11.1
//   128^2        44.4    8.4    132     10.3    281     12.4
//   300 x 8       4.9    8.6      7.9    9.8     13.0   10.3
//   200 x 3       6.0    7.9      8.0    9.0     11.1    9.4
//     3 x 200     8.2    7.6     11.4    8.9     18.3    9.8
//  1000 x 2       8.0   13.9     11.9   15.3     18.0   16.0
//  3000 x 4      26.1   21.8     81     23.5    171     25.7
//    64 x 1       2.4    3.4      3.5    4.4      4.9    5.1
//  1024 x 1       4.2    5.3      5.8    7.6      8.1    9.4
//  2048 x 1       4.7    8.1      7.4   11.5     11.5   14.8
//  4096 x 1       8.9   14.7     19.2   21.5     40.4   29.3
//  6000 x 1      11.8   21.3     26.6   40.6     57.4   60.2   (fft: cuFFT of 40000 points)
// 10000 x 1      22.1   21.3     63.8   40.6    137     60.2
bool tiled_is_faster(ProductShape shape, int mx, int my) {
  const long elements = static_cast<long>(mx) * my;
  const int kind = shape == ProductShape::normal ? 0 : (shape == ProductShape::full ? 2 : 1);
  if (mx == 1 || my == 1) {
    if (kind == 2 && elements > 3200 && elements <= 4096) return false;
    constexpr long kLine[] = {9800, 7800, 6200};
    return elements <= kLine[kind];
  }
  // A lane sums eight neighbours in a row; short rows leave most of them idle.
  if (mx < 8) return elements * 8 <= 1000L * mx;
  // Long thin grids: the FFT needs as long for a few rows as for many.
  const int longer = std::max(mx, my);
  constexpr long kSquare[] = {4608, 3300, 1200};
  constexpr long kLong[] = {7500, 4000, 2000};
  constexpr long kLonger[] = {9500, 6000, 3200};
  return elements <= (longer <= 512 ? kSquare : (longer <= 1500 ? kLong : kLonger))[kind];
}

}  // namespace slipfield
