// SPDX-License-Identifier: Apache-2.0
// What the tests of the C library share. They see slipfield.h only.
#pragma once

#include <slipfield.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace slipfield_test {

struct Destroy {
  void operator()(slipfield_solver* solver) const { slipfield_solver_destroy(solver); }
  void operator()(slipfield_state* state) const { slipfield_state_destroy(state); }
};
using Solver = std::unique_ptr<slipfield_solver, Destroy>;
using State = std::unique_ptr<slipfield_state, Destroy>;

// A sphere on a plane that rolls steadily: G = 1, mu = 0.3.
inline const char* const kRolling =
    "schema: 1\nunits: N-mm-s\n"
    "bodies: {upper: {shear_modulus: 1.0, poisson_ratio: 0.28},\n"
    "         lower: {shear_modulus: 1.0, poisson_ratio: 0.28}}\n"
    "friction: {coefficient: 0.3}\n"
    "grid: {elements: [16, 16], spacing: [0.15, 0.15]}\n"
    "geometry: {type: sphere, radius: 50.0}\n"
    "normal: {force: 0.04}\n"
    "tangential: {problem: steady_rolling, x: {creepage: 1.0e-3}, y: {creepage: 0.0}}\n";

// A wheelset of the Manchester benchmark, on coarse grids; `side`, and what presses it down.
inline std::string wheel_case(const std::string& side, const std::string& load) {
  const std::string profiles = std::string(SLIPFIELD_CASES) + "/profiles/MBench_";
  return "schema: 1\nunits: N-mm-s\n"
         "bodies:\n"
         "  wheel: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "  rail: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "friction: {coefficient: 0.3}\n"
         "wheel_rail:\n"
         "  side: " +
         side +
         "\n"
         "  wheel: {profile: " +
         profiles +
         "S1002_v3.prw}\n"
         "  rail: {profile: " +
         profiles +
         "UIC60_v3.prr}\n"
         "  spacing: [0.4, 0.4]\n"
         "  wheelset: {y: 1.0, velocity: {x: 2000, pitch: -4.3465752}}\n"
         "  " +
         load + "\n";
}
inline slipfield_options cpu_options() {
  slipfield_options options;
  slipfield_options_init(&options);
  options.backend = "cpu";
  options.threads = 1;
  return options;
}

inline Solver make(const std::string& yaml, slipfield_options options = cpu_options()) {
  slipfield_solver* solver = nullptr;
  slipfield_solver_create_from_text(yaml.c_str(), yaml.size(), &options, &solver);
  return Solver(solver);
}

inline double total(const Solver& solver, const char* name) {
  double value = 0.0;
  slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, name, &value, 1);
  return value;
}

inline std::vector<double> field(const Solver& solver, const char* name) {
  int elements[2] = {0, 0};
  slipfield_get_grid(solver.get(), SLIPFIELD_WHOLE, 0, elements, nullptr, nullptr);
  std::vector<double> values(static_cast<std::size_t>(elements[0]) *
                             static_cast<std::size_t>(elements[1]));
  slipfield_get_field(solver.get(), SLIPFIELD_WHOLE, 0, name, values.data(), values.size());
  return values;
}

inline std::string message() { return slipfield_error_message(); }
inline bool says(const char* text) { return message().find(text) != std::string::npos; }

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace slipfield_test
