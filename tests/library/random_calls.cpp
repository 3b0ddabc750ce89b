// SPDX-License-Identifier: Apache-2.0
// Random calls of the C library, right and wrong ones, on a few solvers and states:
//   random_calls COUNT SEED
// Every call ends with a status, a failed one with a sentence; numbers of solved steps are finite.
// Without the sanitizers it finds crashes only.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "tests/library/library_support.h"

namespace {

constexpr std::array kKeys{"tangential.x.creepage",
                           "tangential.x.force_ratio",
                           "normal.force",
                           "normal.approach",
                           "friction.coefficient",
                           "tangential.spin",
                           "grid.elements",
                           "solver.tolerance",
                           "steps.0",
                           "tangential",
                           "no.such.key",
                           ".",
                           "",
                           "bodies.upper",
                           "output.fields",
                           "geometry.radius",
                           "title",
                           "friction",
                           "wheel_rail.wheelset.y",
                           "wheel_rail.wheelset.z",
                           "wheel_rail.wheelset.velocity.yaw",
                           "wheel_rail.vertical_force",
                           "wheel_rail.side",
                           "wheel_rail"};
constexpr std::array kTexts{"1.0e-3",
                            "-0.5",
                            "0",
                            "1e300",
                            "[4, 5]",
                            "{coefficient: 0.2}",
                            "{",
                            "no",
                            "'x'",
                            "",
                            "{problem: none}",
                            "[1, 2, [3]]",
                            "\t",
                            "!!tag 1",
                            "{static: 0.4, kinetic: 0.3}",
                            "&a [*a]",
                            "none",
                            "both",
                            "[9000, 11000]",
                            "{wheelset: {y: 2}}",
                            "nan",
                            "{problem: shift, x: {shift: 1e-3}, y: {force: 0}}"};
constexpr std::array kNames{"force_x",
                            "normal_force,approach",
                            "moment_z",
                            "pressure",
                            "",
                            ",",
                            "shift_x",
                            "elements_contact,residual",
                            "traction_x",
                            "friction_power",
                            "track_force_y",
                            "left_track_force_z,axle_z"};
constexpr std::array<double, 15> kNumbers{2.0,   1e4, 0.0,   1e-3, -1e-3, 0.04, -0.04,   1e-170,
                                          1e170, 0.3, 1e308, -0.0, 5.0,   NAN,  INFINITY};

class Caller {
 public:
  explicit Caller(unsigned seed) : random_(seed) {}

  bool call() {
    slipfield_solver*& solver = solvers_[pick(solvers_.size())];
    slipfield_state*& state = states_[pick(states_.size())];
    slipfield_solver* given = pick(50) == 0 ? nullptr : solver;
    const auto side = static_cast<slipfield_side>(pick(8) == 0 ? pick(4) : 0);
    const int contact = static_cast<int>(pick(4)) - 1;
    switch (pick(18)) {
      case 0:
        slipfield_solver_destroy(solver);
        solver = nullptr;
        return make(solver);
      case 1:
      case 2:
        return done(slipfield_set_number(given, from(kKeys), from(kNumbers)));
      case 3:
      case 4:
        return done(slipfield_set_text(given, from(kKeys), from(kTexts)));
      case 5: {
        const double values[2] = {from(kNumbers), from(kNumbers)};
        return done(slipfield_set_numbers(given, "tangential.x.creepage,normal.force", values,
                                          1 + pick(2)));
      }
      case 6: {
        const slipfield_array array{pick(2) == 0 ? "mu" : "h", values_.data(),
                                    static_cast<int>(pick(20)) - 1, static_cast<int>(pick(20))};
        return done(pick(4) == 0 ? slipfield_set_array_device(given, &array)
                                 : slipfield_set_array(given, &array));
      }
      case 7: {
        double value = 0.0;
        return done(slipfield_get_number(given, from(kKeys), &value));
      }
      case 8: {
        const char* text = nullptr;
        return done(slipfield_get_text(given, from(kKeys), &text));
      }
      case 9:
      case 10:
        return advance(given);
      case 11: {
        double values[2];
        return done(slipfield_get_totals(given, side, contact, from(kNames), values, 1 + pick(2)));
      }
      case 12:
        return done(slipfield_get_field(given, side, contact, from(kNames), values_.data(),
                                        64 + 8 * pick(2)));
      case 13:
        return done(slipfield_state_save(given, &state));
      case 14:
        return done(slipfield_state_restore(given, state));
      case 15: {
        int count = 0;
        return done(slipfield_get_contacts(given, side, &count));
      }
      case 16: {
        int elements[2] = {0, 0};
        if (pick(20) != 0) return done(slipfield_get_grid(given, side, contact, elements, {}, {}));
        if (pick(2) == 0) return call_gradients(given, side, contact);
        double values[4];
        return done(slipfield_get_wheel_derivatives(given, side, "track_force_y", from(kKeys),
                                                    values, values + 2));
      }
      default:
        if (pick(40) != 0) {
          const char* text = nullptr;
          return done(slipfield_get_warnings(given, &text));
        }
        // Inputs of two contacts; a list may have several names.
        const double inputs[64] = {from(kNumbers), from(kNumbers)};
        double totals[64];
        if (pick(4) == 0) {
          std::vector<double> gradients(4096);
          return done(slipfield_batch_gradients(given, 2, from(kKeys), inputs, from(kNames), totals,
                                                from(kNames), from(kKeys), gradients.data(),
                                                nullptr, nullptr, nullptr, nullptr));
        }
        return done(slipfield_batch(given, 2, from(kKeys), inputs, from(kNames), totals, nullptr,
                                    nullptr, nullptr));
    }
  }

  void end() {
    for (slipfield_solver* solver : solvers_) slipfield_solver_destroy(solver);
    for (slipfield_state* state : states_) slipfield_state_destroy(state);
  }

  std::size_t solved = 0;
  std::size_t refused = 0;

 private:
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  template <typename List>
  typename List::value_type from(const List& list) {
    return list[pick(list.size())];
  }

  bool call_gradients(slipfield_solver* given, slipfield_side side, int contact) {
    double values[4];
    const double seed = from(kNumbers);
    const double* const seeds[] = {&seed};
    double* const found[] = {values};
    switch (pick(4)) {
      case 0:
        return done(slipfield_keep_steps(given, pick(3)));
      case 2: {
        std::size_t points = 0;
        return done(slipfield_get_profile(given, side, pick(2) == 0 ? "wheel" : "rail", nullptr, 0,
                                          &points));
      }
      case 1:
        return done(
            slipfield_get_gradients(given, 1, from(kNames), seeds, from(kKeys), found, nullptr));
      default:
        return done(slipfield_get_gradient(given, side, contact, from(kNames), seeds, from(kKeys),
                                           found, nullptr));
    }
  }

  bool make(slipfield_solver*& solver) {
    std::string yaml = slipfield_test::kRolling;
    yaml.replace(yaml.find("[16, 16]"), 8, "[8, 8]");
    yaml.replace(yaml.find("[0.15, 0.15]"), 12, "[0.3, 0.3]");
    if (pick(3) == 0)
      yaml.replace(yaml.find("{coefficient: 0.3}"), 18, "{coefficient: {file: array:mu}}");
    if (pick(4) == 0) yaml.resize(pick(yaml.size()));
    if (pick(8) == 0 && !yaml.empty()) yaml[pick(yaml.size())] = static_cast<char>(pick(256));
    if (pick(8) == 0) {
      yaml = slipfield_test::wheel_case("left", "vertical_force: 10000");
      yaml.replace(yaml.find("[0.4, 0.4]"), 10, "[1.5, 1.5]");
    }
    slipfield_options options = slipfield_test::cpu_options();
    const slipfield_array array{"mu", values_.data(), 8, 8};
    if (pick(5) != 0) {
      options.arrays = &array;
      options.array_count = 1;
    }
    return done(slipfield_solver_create_from_text(yaml.c_str(), yaml.size(), &options, &solver));
  }

  bool advance(slipfield_solver* solver) {
    const slipfield_status status = slipfield_advance(solver);
    if (!done(status)) return false;
    if (status != SLIPFIELD_OK) return true;
    ++solved;
    double totals[2];
    if (slipfield_get_totals(solver, SLIPFIELD_WHOLE, 0, "normal_force,approach", totals, 2) !=
        SLIPFIELD_OK) {
      std::fprintf(stderr, "a solved step has no totals: %s\n", slipfield_error_message());
      return false;
    }
    int contacts = 0;
    if (!done(slipfield_get_contacts(solver, SLIPFIELD_WHOLE, &contacts))) return false;
    // A wheel that touches nothing has none of a contact's totals.
    return contacts == 0 || (std::isfinite(totals[0]) && std::isfinite(totals[1]));
  }

  bool done(slipfield_status status) {
    if (status == SLIPFIELD_OK) return true;
    ++refused;
    const bool known = status > SLIPFIELD_OK && status <= SLIPFIELD_CANCELLED;
    const std::string sentence = slipfield_error_message();
    if (known && !sentence.empty() && sentence.find("internal error") == std::string::npos)
      return true;
    std::fprintf(stderr, "status %d with the sentence '%s'\n", static_cast<int>(status),
                 sentence.c_str());
    return false;
  }

  std::mt19937 random_;
  std::array<slipfield_solver*, 3> solvers_{};
  std::array<slipfield_state*, 2> states_{};
  std::vector<double> values_ = std::vector<double>(400, 0.2);
};

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 3000;
  Caller caller(argc > 2 ? static_cast<unsigned>(std::atol(argv[2])) : 1);
  for (long i = 0; i < count; ++i)
    if (!caller.call()) {
      std::fprintf(stderr, "call %ld\n", i);
      return 1;
    }
  caller.end();
  std::printf("%ld calls: %zu steps solved, %zu refused with a sentence\n", count, caller.solved,
              caller.refused);
  return caller.solved > 0 && caller.refused > 0 ? 0 : 1;
}
