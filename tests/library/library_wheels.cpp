// SPDX-License-Identifier: Apache-2.0
// The C library with wheels on rails: positions that are set, parts of a step, derivatives,
// batches.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/library/library_support.h"
#include "tests/support/near.h"

using namespace slipfield_test;
using slipfield::test::near;

namespace {

const std::string kForce = "vertical_force: 10000";

double part(const Solver& solver, slipfield_side side, int contact, const char* name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CHECK(slipfield_get_totals(solver.get(), side, contact, name, &value, 1) == SLIPFIELD_OK);
  return value;
}

std::vector<double> contact_field(const Solver& solver, slipfield_side side, int contact,
                                  const char* name) {
  int elements[2] = {0, 0};
  REQUIRE(slipfield_get_grid(solver.get(), side, contact, elements, nullptr, nullptr) ==
          SLIPFIELD_OK);
  std::vector<double> values(static_cast<std::size_t>(elements[0] * elements[1]));
  REQUIRE(slipfield_get_field(solver.get(), side, contact, name, values.data(), values.size()) ==
          SLIPFIELD_OK);
  return values;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("C library: what wears off the rows is the sum over their elements") {
  const Solver solver = make(wheel_case("left", kForce) +
                             "wear: {law: archard, coefficient: 1e-4, hardness: 3000}\n");
  REQUIRE(solver);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const std::vector<double> depth = contact_field(solver, SLIPFIELD_LEFT, 1, "wear_depth");
  int elements[2] = {0, 0};
  REQUIRE(slipfield_get_grid(solver.get(), SLIPFIELD_LEFT, 1, elements, nullptr, nullptr) ==
          SLIPFIELD_OK);
  const auto width = static_cast<std::size_t>(elements[0]);
  std::vector<double> worn(depth.size());
  CHECK(slipfield_get_field(solver.get(), SLIPFIELD_LEFT, 1, "wear_profile", worn.data(),
                            worn.size()) == SLIPFIELD_BAD_INPUT);
  CHECK(std::string(slipfield_error_message()).find("one for each row of elements") !=
        std::string::npos);
  worn.resize(static_cast<std::size_t>(elements[1]));
  REQUIRE(slipfield_get_field(solver.get(), SLIPFIELD_LEFT, 1, "wear_profile", worn.data(),
                              worn.size()) == SLIPFIELD_OK);
  double greatest = 0.0;
  for (std::size_t row = 0; row < worn.size(); ++row) {
    greatest = std::max(greatest, worn[row]);
    CHECK(worn[row] == std::accumulate(&depth[row * width], &depth[row * width] + width, 0.0));
  }
  CHECK(greatest > 0.0);
}

TEST_CASE("C library: parts of a wheelset's step sum up, and have the same names in every call") {
  const Solver solver = make(wheel_case("both", kForce));
  REQUIRE(solver);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  int count = 0;
  REQUIRE(slipfield_get_contacts(solver.get(), SLIPFIELD_WHOLE, &count) == SLIPFIELD_OK);
  CHECK(count == 2);
  const auto force = [&](slipfield_side side) { return part(solver, side, 0, "track_force_y"); };
  CHECK(force(SLIPFIELD_WHOLE) == force(SLIPFIELD_LEFT) + force(SLIPFIELD_RIGHT));
  CHECK(force(SLIPFIELD_LEFT) == part(solver, SLIPFIELD_WHOLE, 0, "left_track_force_y"));
  CHECK(part(solver, SLIPFIELD_LEFT, 0, "axle_roll") ==
        part(solver, SLIPFIELD_WHOLE, 0, "axle_roll"));
  // 1e-5: to which the height is found
  CHECK(part(solver, SLIPFIELD_RIGHT, 0, "track_force_z") == near(1.0e4, 2e-5));
  for (int contact = 1; contact <= 2; ++contact) {
    const slipfield_side side = contact == 1 ? SLIPFIELD_LEFT : SLIPFIELD_RIGHT;
    const std::vector<double> pressure =
        contact_field(solver, SLIPFIELD_WHOLE, contact, "pressure");
    CHECK(same_bits(pressure, contact_field(solver, side, 1, "pressure")));
    CHECK(std::accumulate(pressure.begin(), pressure.end(), 0.0) * 0.16 ==
          near(part(solver, side, 1, "normal_force"), 1e-12));
    std::vector<double> centres(3 * pressure.size());
    REQUIRE(slipfield_get_centres(solver.get(), side, 1, centres.data(), centres.size()) ==
            SLIPFIELD_OK);
    double where = 0.0;  // of the pressure, across the track
    for (std::size_t i = 0; i < pressure.size(); ++i) where += pressure[i] * centres[3 * i + 1];
    where /= std::accumulate(pressure.begin(), pressure.end(), 0.0);
    // The reference point is within some elements of the pressure's centre.
    CHECK(std::fabs(where - part(solver, side, 1, "track_y")) < 2.0);
  }
}

TEST_CASE("C library: a position that is set is that of a case that has it, to the bit") {
  const Solver set = make(wheel_case("left", kForce));
  REQUIRE(slipfield_advance(set.get()) == SLIPFIELD_OK);
  const double values[3] = {3.0, 0.002, 5.0};
  REQUIRE(slipfield_set_numbers(set.get(),
                                "wheel_rail.wheelset.y,wheel_rail.wheelset.yaw,"
                                "wheel_rail.wheelset.velocity.y",
                                values, 3) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(set.get()) == SLIPFIELD_OK);
  std::string text = wheel_case("left", kForce);
  text.replace(text.find("y: 1.0, velocity: {x"), 20, "y: 3.0, yaw: 0.002, velocity: {y: 5, x");
  const Solver written = make(text);
  REQUIRE(written);
  REQUIRE(slipfield_advance(written.get()) == SLIPFIELD_OK);
  CHECK(same_bits(contact_field(set, SLIPFIELD_WHOLE, 1, "traction_y"),
                  contact_field(written, SLIPFIELD_WHOLE, 1, "traction_y")));
  double y = 0.0;
  REQUIRE(slipfield_get_number(set.get(), "wheel_rail.wheelset.y", &y) == SLIPFIELD_OK);
  CHECK(y == 3.0);
  // A height in place of the force; and the force again, which drops height and roll.
  const double z = part(set, SLIPFIELD_WHOLE, 0, "axle_z");
  REQUIRE(slipfield_set_number(set.get(), "wheel_rail.wheelset.z", z) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(set.get()) == SLIPFIELD_OK);
  CHECK(part(set, SLIPFIELD_WHOLE, 0, "track_force_z") == near(1.0e4, 2e-5));
  REQUIRE(slipfield_set_number(set.get(), "wheel_rail.vertical_force", 2.0e4) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(set.get()) == SLIPFIELD_OK);
  CHECK(part(set, SLIPFIELD_WHOLE, 0, "track_force_z") == near(2.0e4, 2e-5));
}

TEST_CASE("C library: forces on both wheels take the place of a height and a roll that were set") {
  const Solver solver = make(wheel_case("both", kForce));
  const double pose[2] = {0.2, 1.0e-5};
  REQUIRE(slipfield_set_numbers(solver.get(), "wheel_rail.wheelset.z,wheel_rail.wheelset.roll",
                                pose, 2) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "axle_roll") == 1.0e-5);
  REQUIRE(slipfield_set_text(solver.get(), "wheel_rail.vertical_force", "[9000, 11000]") ==
          SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_LEFT, 0, "track_force_z") == near(9.0e3, 2e-5));
  CHECK(part(solver, SLIPFIELD_RIGHT, 0, "track_force_z") == near(1.1e4, 2e-5));
}

TEST_CASE("C library: what a wheel refuses is a sentence, and nothing has changed") {
  const Solver solver = make(wheel_case("left", kForce));
  double value = 0.0;
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "axle_z", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("no step has run yet"));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double force = part(solver, SLIPFIELD_WHOLE, 0, "track_force_y");
  const auto refused = [&](const char* key, const char* text, const char* sentence) {
    CAPTURE(key);
    CHECK(slipfield_set_text(solver.get(), key, text) == SLIPFIELD_BAD_INPUT);
    CHECK_MESSAGE(says(sentence), message());
    CHECK(message().find('^') == std::string::npos);  // a key that was set has no text to show
  };
  refused("wheel_rail.wheelset.y", "1e9", "the wheel is not over the rail");
  refused("wheel_rail.vertical_force", "-1", "wheel_rail.vertical_force: -1 is out of range");
  refused("wheel_rail.wheelset.yy", "1", "wheel_rail.wheelset.yy: unknown key");
  refused("wheel_rail.spacing", "[0.3, 0.3]", "wheel_rail.spacing: is fixed once a step has run");
  refused("wheel_rail", "{longitudinal_force: 10, wheelset: {velocity: {pitch: -4}}}",
          "given together with 'wheelset.velocity.pitch'");
  refused("normal.force", "10", "normal.force: is fixed once a step has run");
  const auto no_part = [&](slipfield_side side, int contact, const char* sentence) {
    CHECK(slipfield_get_grid(solver.get(), side, contact, nullptr, nullptr, nullptr) ==
          SLIPFIELD_BAD_INPUT);
    CHECK_MESSAGE(says(sentence), message());
  };
  no_part(SLIPFIELD_RIGHT, 1, "side: the step has no right wheel; accepted: left, or whole");
  no_part(SLIPFIELD_WHOLE, 0, "contact: 0 is all of the step, and one contact is needed");
  no_part(SLIPFIELD_LEFT, 2, "contact: the left wheel has no contact 2; accepted: 1 to 1");
  no_part(SLIPFIELD_LEFT, -1, "contact: -1 is out of range");
  no_part(static_cast<slipfield_side>(3), 1, "side: 3 is not known");
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "left_axle_z", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("left_axle_z: there is no such total; `slipfield info --fields` lists all"));
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 1, "axle_z", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("axle_z: this part of the step has no such total"));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_y") == force);
  const double one = 1.0;
  const double* const seeds[] = {&one};
  double stiffness = 0.0;
  double* const values[] = {&stiffness};
  REQUIRE(slipfield_get_gradient(solver.get(), SLIPFIELD_LEFT, 1, "normal_force", seeds,
                                 "normal.approach", values, nullptr) == SLIPFIELD_OK);
  CHECK(stiffness > 0.0);
  const Solver ball = make(kRolling);
  REQUIRE(slipfield_advance(ball.get()) == SLIPFIELD_OK);
  CHECK(slipfield_get_totals(ball.get(), SLIPFIELD_LEFT, 0, "force_x", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("side: the case has one contact"));
  CHECK(slipfield_get_wheel_derivatives(ball.get(), SLIPFIELD_WHOLE, "force_x", "normal.force",
                                        &value, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("accepted: a case with wheel_rail"));
}

TEST_CASE("C library: the gradient of a wheel's totals goes through the geometry to its profiles") {
  const Solver solver = make(wheel_case("left", kForce));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double one = 1.0;
  const double* const seeds[] = {&one};
  double stiffness = 0.0;
  double* const values[] = {&stiffness};
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "normal_force", seeds, "stiffness",
                               values, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("the step has no 'normal_force' with derivatives; accepted: track_force_x"));
  std::size_t points = 0;
  REQUIRE(slipfield_get_profile(solver.get(), SLIPFIELD_WHOLE, "rail", nullptr, 0, &points) ==
          SLIPFIELD_OK);
  REQUIRE(points > 10);
  std::vector<double> profile(2 * points);
  CHECK(slipfield_get_profile(solver.get(), SLIPFIELD_WHOLE, "rail", profile.data(), points,
                              nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("points: room for"));
  CHECK(slipfield_get_profile(solver.get(), SLIPFIELD_WHOLE, "axle", nullptr, 0, &points) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("body: axle is not known; accepted: wheel or rail"));
  REQUIRE(slipfield_get_profile(solver.get(), SLIPFIELD_LEFT, "rail", profile.data(),
                                profile.size(), nullptr) == SLIPFIELD_OK);
  std::vector<double> by_points(profile.size());
  double by_y = 0.0;
  std::size_t near_change = 0;
  double* const of_wheel[] = {by_points.data(), &by_y};
  REQUIRE(slipfield_get_gradient(solver.get(), SLIPFIELD_LEFT, 0, "track_force_y", seeds,
                                 "wheel_rail.rail.profile,wheel_rail.wheelset.y", of_wheel,
                                 &near_change) == SLIPFIELD_OK);
  CHECK(by_y != 0.0);
  CHECK(std::any_of(by_points.begin(), by_points.end(), [](double by) { return by != 0.0; }));
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_LEFT, 0, "track_force_y", seeds,
                               "normal.approach", values, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(
      says("the step has no 'normal.approach' with derivatives; accepted: wheel_rail.wheelset.y"));
}

TEST_CASE("C library: gradients of a wheel are those of its last step, whatever was asked before") {
  const double one = 1.0;
  const double* const seeds[] = {&one};
  const auto by_y = [&](const Solver& solver, const char* seed) {
    double found = 0.0;
    double* const values[] = {&found};
    REQUIRE(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, seed, seeds,
                                   "wheel_rail.wheelset.y", values, nullptr) == SLIPFIELD_OK);
    return found;
  };
  const auto at = [](double y) {
    Solver solver = make(wheel_case("left", kForce));
    REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", y) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    return solver;
  };
  const Solver solver = at(1.0);
  const double before = by_y(solver, "track_force_y");
  CHECK(by_y(solver, "track_force_x") == near(by_y(at(1.0), "track_force_x")));
  CHECK(by_y(solver, "track_force_y") == before);
  REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", -2.0) == SLIPFIELD_OK);
  CHECK(by_y(solver, "track_force_y") == before);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double after = by_y(solver, "track_force_y");
  CHECK(std::fabs(after - before) > 1e-3 * std::fabs(before));
  CHECK(after == near(by_y(at(-2.0), "track_force_y")));
}

TEST_CASE("C library: a lifted wheel has no contact, no force, and says so") {
  const Solver solver = make(wheel_case("left", kForce));
  REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.z", -1.0) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  int count = -1;
  REQUIRE(slipfield_get_contacts(solver.get(), SLIPFIELD_LEFT, &count) == SLIPFIELD_OK);
  CHECK(count == 0);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_z") == 0.0);
  CHECK(std::isnan(part(solver, SLIPFIELD_WHOLE, 0, "max_pressure")));
  const char* text = nullptr;
  REQUIRE(slipfield_get_warnings(solver.get(), &text) == SLIPFIELD_OK);
  CHECK(std::string(text).find("wheel_rail: the left wheel touches nothing") != std::string::npos);
  // As those of slipfield_get_gradient; the gap closes as the wheel goes down.
  std::array<double, 3> values{1.0, 1.0, 0.0};
  REQUIRE(slipfield_get_wheel_derivatives(
              solver.get(), SLIPFIELD_WHOLE, "track_force_z,track_force_x,least_gap",
              "wheel_rail.wheelset.z", values.data(), nullptr) == SLIPFIELD_OK);
  CHECK(values[0] == 0.0);
  CHECK(values[1] == 0.0);
  CHECK(values[2] == near(-1.0));
}

TEST_CASE("C library: a warning of the case's own position ends where another one is set") {
  std::string text = wheel_case("left", kForce);
  text.replace(text.find("y: 1.0"), 6, "y: -30");
  const Solver solver = make(text);
  const auto derailed = [&] {
    const char* warnings = nullptr;
    REQUIRE(slipfield_get_warnings(solver.get(), &warnings) == SLIPFIELD_OK);
    return std::string(warnings).find("the tip of its flange is on the rail") != std::string::npos;
  };
  CHECK(derailed());
  for (const double y : {1.0, 2.0}) {
    REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", y) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    CHECK_FALSE(derailed());
  }
}

TEST_CASE("C library: a wheel's state is how many steps have run, and the last one's results") {
  const Solver solver = make(wheel_case("left", kForce));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double first = part(solver, SLIPFIELD_WHOLE, 0, "track_force_y");
  slipfield_state* saved = nullptr;
  REQUIRE(slipfield_state_save(solver.get(), &saved) == SLIPFIELD_OK);
  const State state(saved);
  REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", 2.0) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_y") != first);
  REQUIRE(slipfield_state_restore(solver.get(), state.get()) == SLIPFIELD_OK);
  CHECK(slipfield_steps_done(solver.get()) == 1);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_y") == first);
  const Solver ball = make(kRolling);
  CHECK(slipfield_state_restore(ball.get(), state.get()) == SLIPFIELD_BAD_INPUT);
  CHECK(says("the state is of a wheel on a rail; accepted: a state of the same case"));
}

TEST_CASE("C library: a wheel's derivatives are those of its contact's forces, and of the loads") {
  std::string text = wheel_case("left", "vertical_force: 10000");
  text += "output: {sensitivities: true}\nsolver: {tolerance: 1.0e-9}\n";
  const Solver solver = make(text);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  std::array<double, 4> values{};
  std::array<double, 4> errors{};
  REQUIRE(slipfield_get_wheel_derivatives(
              solver.get(), SLIPFIELD_LEFT, "track_force_x,track_force_z",
              "wheel_rail.vertical_force,wheel_rail.wheelset.velocity.pitch", values.data(),
              errors.data()) == SLIPFIELD_OK);
  // The height is found to 1e-5 of the force, of which a tenth is the difference.
  CHECK(values[2] == near(1.0, 1e-3));
  std::array<double, 9> jacobian{};
  REQUIRE(slipfield_get_jacobian(solver.get(), SLIPFIELD_LEFT, 1, jacobian.data()) == SLIPFIELD_OK);
  // The pitch turns the wheel's surface backwards by its rolling radius over the velocity.
  const double radius = part(solver, SLIPFIELD_LEFT, 0, "rolling_radius");
  const double velocity = part(solver, SLIPFIELD_LEFT, 1, "reference_velocity");
  const double creepages = radius / velocity;
  // It changes the spin too, by the angle of some hundredths; 5 %: of differences of 1/10 of the
  // creepage at which all slips.
  CHECK(std::fabs(values[1]) == near(std::fabs(jacobian[0] * creepages), 0.05));
  CHECK(errors[1] < 0.05 * std::fabs(values[1]));
  CHECK(slipfield_get_wheel_derivatives(solver.get(), SLIPFIELD_LEFT, "track_force_x",
                                        "wheel_rail.wheelset.z", values.data(),
                                        nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("wheel_rail.wheelset.z: the last step does not prescribe it; accepted: "));
  CHECK(slipfield_steps_done(solver.get()) == 1);
}

TEST_CASE("C library: a wheel's derivatives agree with wider and with narrower differences") {
  const Solver solver = make(wheel_case("both", kForce));
  REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", 2.5) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const auto agrees = [&](const char* key, double at, double step) {
    CAPTURE(key);
    double value = 0.0;
    double error = 0.0;
    REQUIRE(slipfield_get_wheel_derivatives(solver.get(), SLIPFIELD_WHOLE, "track_force_y", key,
                                            &value, &error) == SLIPFIELD_OK);
    const auto force_at = [&](double there) {
      REQUIRE(slipfield_set_number(solver.get(), key, there) == SLIPFIELD_OK);
      REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
      return part(solver, SLIPFIELD_WHOLE, 0, "track_force_y");
    };
    for (const double h : {0.4 * step, 1.5 * step}) {
      const double difference = (force_at(at + h) - force_at(at - h)) / (2.0 * h);
      // 10 %: elements of 0.4 mm come into contact and leave it
      CHECK(difference == near(value, 0.1));
    }
    CHECK(error < 0.1 * std::fabs(value));
    force_at(at);
  };
  agrees("wheel_rail.wheelset.yaw", 0.0, 1.0e-4);
  agrees("wheel_rail.wheelset.velocity.y", 0.0, 0.2);
}

TEST_CASE("C library: the errors of a wheel's derivatives hold what another grid changes") {
  std::array<std::array<double, 2>, 2> values{};
  std::array<double, 2> errors{};
  for (const int grid : {0, 1}) {
    std::string text = wheel_case("both", kForce);
    if (grid == 1) text.replace(text.find("spacing: [0.4, 0.4]"), 19, "spacing: [0.37, 0.37]");
    const Solver solver = make(text);
    REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.y", 2.5) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    REQUIRE(slipfield_get_wheel_derivatives(solver.get(), SLIPFIELD_WHOLE,
                                            "track_force_y,track_moment_z", "wheel_rail.wheelset.y",
                                            values[grid].data(),
                                            grid == 0 ? errors.data() : nullptr) == SLIPFIELD_OK);
  }
  for (const std::size_t i : {0U, 1U}) {
    CAPTURE(i);
    CHECK(errors[i] < 0.5 * std::fabs(values[0][i]));
    // Nine of ten are within the error; twice it, as both grids have one.
    CHECK(std::fabs(values[1][i] - values[0][i]) < 2.0 * errors[i]);
  }
}

TEST_CASE(
    "C library: a batch of wheels gives the bits of single ones, and NaN of one off its rail") {
  const Solver solver = make(wheel_case("both", kForce));
  const std::array<double, 3> inputs{0.5, 1.0e9, 3.0};
  std::array<double, 6> totals{};
  std::array<slipfield_status, 3> statuses{};
  CHECK(slipfield_batch(solver.get(), 3, "wheel_rail.wheelset.y", inputs.data(),
                        "left_track_force_y,axle_z", totals.data(), statuses.data(), nullptr,
                        nullptr) != SLIPFIELD_OK);
  CHECK(says("contact 1: "));
  CHECK(statuses[0] == SLIPFIELD_OK);
  CHECK(statuses[1] > SLIPFIELD_NOT_CONVERGED);
  CHECK(std::isnan(totals[2]));
  CHECK(slipfield_steps_done(solver.get()) == 0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    const Solver one = make(wheel_case("both", kForce));
    REQUIRE(slipfield_set_number(one.get(), "wheel_rail.wheelset.y", inputs.at(i)) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(one.get()) == SLIPFIELD_OK);
    CHECK(totals.at(2 * i) == part(one, SLIPFIELD_WHOLE, 0, "left_track_force_y"));
    CHECK(totals.at(2 * i + 1) == part(one, SLIPFIELD_WHOLE, 0, "axle_z"));
  }
}

TEST_CASE("C library: the default pitch velocity follows a velocity that is set, in batches too") {
  std::string text = wheel_case("left", kForce);
  text.replace(text.find(", pitch: -4.3465752"), 19, "");
  const Solver solver = make(text);
  const std::array<double, 1> fast{20000.0};
  double batch = 0.0;
  REQUIRE(slipfield_batch(solver.get(), 1, "wheel_rail.wheelset.velocity.x", fast.data(),
                          "track_force_x", &batch, nullptr, nullptr, nullptr) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double slow = part(solver, SLIPFIELD_WHOLE, 0, "track_force_x");
  REQUIRE(slipfield_set_number(solver.get(), "wheel_rail.wheelset.velocity.x", 20000.0) ==
          SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_x") == batch);
  // The same creepages at ten times the velocity.
  CHECK(batch == near(slow, 1e-6));
}

TEST_CASE("C library: a wheel's step that is cancelled leaves the solver where it was") {
  int calls = 0;
  slipfield_options options = cpu_options();
  options.user = &calls;
  options.progress = [](void* user, int, const char*, int, double) {
    return ++*static_cast<int*>(user) == 10 ? 0 : 1;
  };
  const Solver solver = make(wheel_case("left", kForce), options);
  CHECK(slipfield_advance(solver.get()) == SLIPFIELD_CANCELLED);
  CHECK(slipfield_steps_done(solver.get()) == 0);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const Solver other = make(wheel_case("left", kForce));
  REQUIRE(slipfield_advance(other.get()) == SLIPFIELD_OK);
  CHECK(part(solver, SLIPFIELD_WHOLE, 0, "track_force_y") ==
        part(other, SLIPFIELD_WHOLE, 0, "track_force_y"));
}

TEST_SUITE_END();
