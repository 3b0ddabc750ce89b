// SPDX-License-Identifier: Apache-2.0
// Names, units and descriptions of the numbers of a wheel on a rail and of its contacts, in
// addition to those of every step (field_table.h): one table for the writer, the reader, `inspect`,
// `expected:` entries and the documentation. Formulas: THEORY.md 13.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "solver/wheel_rail/wheel_rail.h"

namespace slipfield {

// solver/wheel_rail/wheel_solver.h, solver/wheel_rail/wheelset/wheelset_solver.h
struct SolvedWheel;
struct SolvedPatch;
struct SolvedWheelset;

// How the numbers of two wheels combine to the wheelset's: the axle's own number, the sum, the
// right wheel's, or none; `pair` marks numbers that a single wheel does not have.
enum class OfBoth { axle, sum, right, none, pair };
// Numbers of the undeformed bodies exist even if nothing is solved, those of a search only if the
// case requests it.
enum class NumberNeeds { position, solution, request };

// With one wheel each number has its plain name; with two, the plain name is the wheelset's, and
// each wheel's begins with "left_" or "right_".
struct WheelEntry {
  std::string_view name;
  Dimension dimension;
  OfBoth of_both;
  NumberNeeds needs;
  std::string_view description;
  double (*get)(const SolvedWheel& wheel);  // NaN: there is none
  double (*of_pair)(const SolvedWheel& left, const SolvedWheel& right) = nullptr;
};
// All names of numbers of a wheel or a wheelset, including those that begin with a side.
std::vector<std::string> wheel_entry_names();

struct ContactEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  double (*get)(const SolvedPatch& contact);
};
std::span<const ContactEntry> contact_table();

// How a number of contacts becomes that of their wheel, or of both wheels, under the same name: the
// sum, the greatest, the least, that of the contact with the greatest normal force, or none.
enum class Combined { sum, greatest, least, heaviest, none };
Combined combined_how(std::string_view name);
// All except Combined::heaviest.
std::vector<std::string_view> combined_names();
// The name without "left_" or "right_".
std::string_view without_side(std::string_view name);

NamedNumbers wheelset_numbers(const SolvedWheelset& wheelset);
// "left", "right", or "both".
std::string_view side_name(const SolvedWheelset& wheelset);
std::string_view side_name(Side side);
// Numbers of contact_table() and of its step.
NamedNumbers contact_numbers(const SolvedPatch& contact);

// A step of a wheel, or of both wheels of a wheelset, as its numbers.
struct WheelRecord {
  int number = 0;  // of the step, from 1
  Outcome outcome = Outcome::converged;
  std::string message;
  std::string side;  // "left", "right", or "both"
  NamedNumbers wheel;
  std::vector<NamedNumbers> contacts;      // the left wheel's first
  std::vector<std::string> contact_sides;  // of each
  bool touches_edge = false;               // of any contact
  std::vector<std::string> warnings;       // of a contact: "contact 2: ..."
  std::vector<WornRows> worn = {};         // of each contact, if the wheel has its fields

  // A number of a contact (from 1), or of totals() for 0. NaN if there is none.
  [[nodiscard]] double get(std::string_view name, int contact) const;
  // Adds further numbers of each contact; none if empty.
  void add(const std::vector<NamedNumbers>& of_contacts);
  // The step's numbers and the combined ones of its contacts; for a wheelset also those of each
  // side.
  [[nodiscard]] NamedNumbers totals() const;
  // The same for one side, without the side in their names, including the axle's, which both share.
  [[nodiscard]] NamedNumbers totals_of(std::string_view one_side) const;
  // Rows of the step, its sides and its contacts.
  [[nodiscard]] std::vector<TableRow> rows() const;
};
WheelRecord wheel_record(int number, const SolvedWheelset& wheelset);

// All names of WheelRecord::totals() and of contacts.
std::vector<std::string> wheel_number_names();
// Looks in both tables; null if the name is in neither. A wheel's name may begin with a side.
const WheelEntry* find_wheel_entry(std::string_view name);
const ContactEntry* find_contact_entry(std::string_view name);
// The surface number that a contact's or side's name stands for; null: none.
const SurfaceNumberEntry* surface_number_behind(std::string_view name);

// Both tables as Markdown, for the documentation.
std::string wheel_table_markdown(Units units);

}  // namespace slipfield
