// SPDX-License-Identifier: Apache-2.0
#include "gpu/gauss_seidel/gauss_seidel.h"

#include <doctest/doctest.h>

#include <cmath>

#include "solver/cpu/cpu_backend.h"
#include "solver/influence/influence_table.h"
#include "tests/support/oracle_random.h"

namespace slipfield::test {

namespace {

// The panels sum the slip in another order than the CPU; an element's own problem is solved to a
// few 1e-13 of its bound while it still moves, and sweeps do not amplify that.
constexpr double kTolerance = 1e-12;

struct Contact {
  Grid grid;
  std::vector<double> traction_x, traction_y, slip_x, slip_y, bound;
  std::vector<unsigned char> state;

  TangentialFields fields() {
    return {traction_x.data(), traction_y.data(), slip_x.data(),
            slip_y.data(),     bound.data(),      state.data()};
  }
};

// `elements` elements strewn over the grid: runs and holes.
Contact random_contact(int mx, int my, int elements, std::uint64_t seed) {
  Random random(seed);
  Contact c;
  c.grid = {mx, my, 0.13, 0.21, -1.0, -2.0, Boundary::free};
  const std::size_t count = c.grid.count();
  c.state.assign(count, static_cast<unsigned char>(ElementState::exterior));
  for (int left = elements; left > 0;) {
    auto i = static_cast<std::size_t>(random.uniform(0.0, 0.999999) * static_cast<double>(count));
    const auto run = static_cast<int>(random.uniform(1.0, 40.0));
    for (int k = 0; k < run && left > 0 && i < count; ++k, ++i) {
      if (c.state[i] != 0) continue;
      c.state[i] = static_cast<unsigned char>(ElementState::adhesion);
      --left;
    }
  }
  c.bound = random.field(count, 0.0, 1.0);
  c.traction_x = random.field(count);
  c.traction_y = random.field(count);
  c.slip_x = random.field(count);
  c.slip_y = random.field(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (random.uniform(0.0, 1.0) < 0.02) c.bound[i] = 0.0;
    const double size = std::hypot(c.traction_x[i], c.traction_y[i]);
    if (size > c.bound[i] && random.uniform(0.0, 1.0) < 0.9) {  // a few leave the disc
      c.traction_x[i] *= c.bound[i] / size;
      c.traction_y[i] *= c.bound[i] / size;
    }
  }
  return c;
}

struct DeviceContact {
  DeviceArray<double> traction_x, traction_y, slip_x, slip_y, bound;
  DeviceArray<unsigned char> state;
  explicit DeviceContact(const Contact& c)
      : traction_x(c.traction_x),
        traction_y(c.traction_y),
        slip_x(c.slip_x),
        slip_y(c.slip_y),
        bound(c.bound),
        state(c.state) {}
  TangentialFields fields() {
    return {traction_x.data(), traction_y.data(), slip_x.data(),
            slip_y.data(),     bound.data(),      state.data()};
  }
};

bool same_bits(const DeviceContact& a, const DeviceContact& b) {
  return a.traction_x.download() == b.traction_x.download() &&
         a.traction_y.download() == b.traction_y.download() &&
         a.slip_x.download() == b.slip_x.download() && a.slip_y.download() == b.slip_y.download() &&
         a.state.download() == b.state.download();
}

// |a - b|/|b| over the elements in contact, or over all.
enum class Where { contact, everywhere };
double difference(const Contact& host, Where where, const std::vector<double>& a_x,
                  const std::vector<double>& a_y, const std::vector<double>& b_x,
                  const std::vector<double>& b_y) {
  double difference2 = 0.0;
  double size2 = 0.0;
  for (std::size_t i = 0; i < b_x.size(); ++i) {
    if (where == Where::contact && host.state[i] == 0) continue;
    difference2 += std::pow(a_x[i] - b_x[i], 2) + std::pow(a_y[i] - b_y[i], 2);
    size2 += b_x[i] * b_x[i] + b_y[i] * b_y[i];
  }
  return std::sqrt(difference2 / size2);
}

constexpr std::size_t kSweeps = 70;  // more than one launch holds

const InfluenceKind kShift{};
const InfluenceKind kRolling{Displacement::change, 0.11, 0.07};
const CombinedMaterial kMaterial{1.3, 0.31, 0.0};

// Whole tables: those of CpuInfluence may hold one half of the rows.
struct DeviceTables {
  DeviceArray<double> xx, xy, yy;
  explicit DeviceTables(const Grid& grid, const InfluenceKind& kind = kShift)
      : xx(influence_table(Component::xx, grid, kMaterial, kind).values),
        xy(influence_table(Component::xy, grid, kMaterial, kind).values),
        yy(influence_table(Component::yy, grid, kMaterial, kind).values) {}
};

void check_equal(DeviceContact& device, const Contact& host) {
  CHECK(difference(host, Where::everywhere, device.traction_x.download(),
                   device.traction_y.download(), host.traction_x, host.traction_y) < kTolerance);
  CHECK(difference(host, Where::contact, device.slip_x.download(), device.slip_y.download(),
                   host.slip_x, host.slip_y) < kTolerance);
  CHECK(device.state.download() == host.state);
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gauss_seidel on the GPU: sweep after sweep the CPU's iterates") {
    struct Size {
      int mx, my, elements;
    };
    for (const Size size : {Size{1, 1, 1},
                            {7, 3, 5},
                            {9, 8, 31},
                            {32, 1, 32},
                            {11, 9, 33},
                            {13, 29, 100},
                            {61, 43, 1000},
                            {97, 71, 3001}}) {
      for (const bool rolling : {false, true}) {
        for (const SweepOrder order : {SweepOrder{}, SweepOrder{true, false},
                                       SweepOrder{false, true}, SweepOrder{true, true}}) {
          for (const double relaxation : {1.0, 0.5, 1.3}) {
            CAPTURE(size.elements);
            CAPTURE(rolling);
            CAPTURE(relaxation);
            CAPTURE(order.x_backwards);
            CAPTURE(order.y_backwards);
            Contact host = random_contact(size.mx, size.my, size.elements,
                                          static_cast<std::uint64_t>(size.elements));
            DeviceContact device(host);
            CpuBackend cpu;
            CpuInfluence influence(cpu, host.grid, kMaterial, InfluenceMethod::summation,
                                   rolling ? kRolling : kShift);
            const DeviceTables tables(host.grid, rolling ? kRolling : kShift);
            CpuGaussSeidel expected(cpu, host.grid);
            expected.set_contact(influence, host.state.data(), order);
            GaussSeidelSweeper sweeper(host.grid);
            sweeper.set_contact(tables.xx.data(), tables.xy.data(), tables.yy.data(),
                                device.state.data(), order);
            CHECK(sweeper.elements() == static_cast<std::size_t>(size.elements));
            for (int sweep = 0; sweep < 5; ++sweep) {
              CAPTURE(sweep);
              const SweepChange mine = sweeper.sweep(device.fields(), relaxation);
              const SweepChange theirs = expected.sweep(host.fields(), relaxation);
              check_equal(device, host);
              // Near the end of the iteration the change is a difference of near-equal tractions.
              CHECK(std::fabs(mine.change2 - theirs.change2) <
                    kTolerance * (theirs.change2 + theirs.traction2));
              CHECK(std::fabs(mine.traction2 - theirs.traction2) < kTolerance * theirs.traction2);
            }
          }
        }
      }
    }
  }

  TEST_CASE("gauss_seidel on the GPU: many sweeps in one launch equal as many launches") {
    for (const int elements : {1, 97, 129, 700}) {
      CAPTURE(elements);
      const Contact host = random_contact(43, 31, elements, 5);
      Contact expected = host;
      CpuBackend cpu;
      CpuInfluence influence(cpu, host.grid, kMaterial, InfluenceMethod::summation, kRolling);
      const DeviceTables tables(host.grid, kRolling);
      GaussSeidelSweeper sweeper(host.grid);
      CpuGaussSeidel expected_sweeper(cpu, host.grid);
      expected_sweeper.set_contact(influence, host.state.data(), SweepOrder{});
      for (std::size_t k = 0; k < kSweeps; ++k) expected_sweeper.sweep(expected.fields(), 0.7);
      DeviceContact first(host);
      std::vector<SweepChange> first_changes;
      for (int run = 0; run < 5; ++run) {
        DeviceContact device(host);
        sweeper.set_contact(tables.xx.data(), tables.xy.data(), tables.yy.data(),
                            device.state.data(), SweepOrder{});
        const auto changes = sweeper.sweeps(device.fields(), 0.7, static_cast<int>(kSweeps));
        CHECK(changes.size() == kSweeps);
        check_equal(device, expected);
        if (run == 0) {
          first = std::move(device);
          first_changes = changes;
          continue;
        }
        CHECK(same_bits(device, first));
        for (std::size_t k = 0; k < kSweeps; ++k) {
          CHECK(changes[k].change2 == first_changes[k].change2);
          CHECK(changes[k].traction2 == first_changes[k].traction2);
        }
      }
    }
  }

  TEST_CASE("gauss_seidel on the GPU: an empty contact changes nothing") {
    const Contact host = random_contact(9, 5, 0, 3);
    const DeviceTables tables(host.grid);
    DeviceContact device(host);
    GaussSeidelSweeper sweeper(host.grid);
    sweeper.set_contact(tables.xx.data(), tables.xy.data(), tables.yy.data(), device.state.data(),
                        SweepOrder{});
    const SweepChange change = sweeper.sweep(device.fields(), 1.0);
    CHECK(change.change2 == 0.0);
    CHECK(change.traction2 == 0.0);
    CHECK(device.traction_x.download() == host.traction_x);
    CHECK(device.slip_y.download() == host.slip_y);
  }
}

}  // namespace slipfield::test
