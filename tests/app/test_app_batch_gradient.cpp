// SPDX-License-Identifier: Apache-2.0
// Contacts that a batch keeps for their derivatives: their fields, and how the work on them is
// ended.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include "app/bench/small_contacts.h"
#include "app/library/batch_gradient.h"
#include "solver/error.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using Kept = std::vector<std::shared_ptr<const KeptContact>>;

Kept kept_contacts(int count, int my) {
  std::mt19937_64 engine(23);
  ContactBatch batch;
  std::vector<ContactProblem> problems;
  for (int i = 0; i < count; ++i) {
    problems.push_back(random_small_contact(engine, 12, my, SmallContacts::creepages, 1e-8));
    add_to_batch(batch, problems.back());
  }
  BatchOptions options;
  options.fields = true;
  const BatchSolution solved = solve_batch_on_cpu(batch, options);
  Kept kept;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    REQUIRE(solved.reports[i].outcome == Outcome::converged);
    kept.push_back(std::make_shared<const KeptContact>(
        KeptContact{problems[i], problems[i].steps.front(), solved.reports[i], solved.fields[i]}));
  }
  return kept;
}

const BatchFields& batch_fields(const Kept& kept, std::size_t i) {
  return std::get<BatchFields>(kept[i]->fields);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("kept contacts: a field has the values of all contacts, one after another") {
    Kept kept = kept_contacts(3, 9);
    const BatchGradient gradient(kept, 1);
    const std::vector<double> slip = gradient.field("slip_y");
    REQUIRE(slip.size() == 3 * 12 * 9);
    for (std::size_t i = 0; i < slip.size(); ++i)
      CHECK(slip[i] == batch_fields(kept, i / (12 * 9)).slip_y[i % (12 * 9)]);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const BatchFields& fields = batch_fields(kept, i);
      for (std::size_t k = 0; k < fields.slip_x.size(); ++k)
        if (fields.element_division[k] == ElementState::exterior) CHECK(fields.slip_x[k] == 0.0);
    }
    CHECK_THROWS_WITH_AS(gradient.field("gap"), doctest::Contains("accepted: pressure"),
                         InputError);
    kept.push_back(kept_contacts(1, 10).front());
    CHECK_THROWS_WITH_AS(BatchGradient(kept, 1).field("pressure"),
                         doctest::Contains("different grids"), InputError);
  }

  TEST_CASE("kept contacts: what a watch throws ends the derivatives after the contact at work") {
    const BatchGradient gradient(kept_contacts(6, 9), 1);
    int asked = 0;
    const BatchGradient::Watch watch = [&] {
      if (++asked == 3) throw std::runtime_error("enough");
    };
    const std::vector<double> ones(6, 1.0);
    CHECK_THROWS_WITH_AS(gradient.gradient({{"approach", ones}}, {"normal.force"}, watch), "enough",
                         std::runtime_error);
    CHECK(asked == 3);
    asked = 0;
    CHECK_THROWS_WITH_AS(gradient.derivative({{"normal.force", ones}}, {"approach"}, watch),
                         "enough", std::runtime_error);
    CHECK(asked == 3);
    // Without an end the watch is asked once for each contact, and both directions are one.
    asked = -100;
    const NamedValues pulled = gradient.gradient({{"approach", ones}}, {"normal.force"}, watch);
    CHECK(asked == -94);
    const NamedValues pushed = gradient.derivative({{"normal.force", ones}}, {"approach"});
    for (std::size_t i = 0; i < ones.size(); ++i)
      CHECK(pulled[0].values[i] / pushed[0].values[i] == test::near(1.0, 1e-6));
  }
}

}  // namespace slipfield
