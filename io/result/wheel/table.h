// SPDX-License-Identifier: Apache-2.0
// The names, units and descriptions of the numbers of a wheel on a rail, and of its contacts beyond
// those of every step (field_table.h): one table for the writer, the reader, `inspect`, `expected:`
// entries and the documentation. Formulas: THEORY.md 13.
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

// How both wheels of a case combine: the wheelset's number is that of the axle, the sum, that of
// the right wheel, or none; a number of the pair is not one of a wheel.
enum class OfBoth { axle, sum, right, none, pair };
// Numbers of the undeformed bodies are there even where nothing is solved, those of what is
// searched for only where the case asks for it.
enum class NumberNeeds { position, solution, request };

// One wheel has each of them under its name; of two, those of the wheelset have it, and each
// wheel's begin with "left_" or "right_".
struct WheelEntry {
  std::string_view name;
  Dimension dimension;
  OfBoth of_both;
  NumberNeeds needs;
  std::string_view description;
  double (*get)(const SolvedWheel& wheel);  // not a number: there is none
  double (*of_pair)(const SolvedWheel& left, const SolvedWheel& right) = nullptr;
};
// All names of a wheel's or a wheelset's numbers, with those that begin with a side.
std::vector<std::string> wheel_entry_names();

struct ContactEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  double (*get)(const SolvedPatch& contact);
};
std::span<const ContactEntry> contact_table();

// How a number of contacts becomes one of their wheel, or of both wheels together, under the same
// name: the sum, the greatest, the least, that of the contact with the greatest normal force, or
// there is none.
enum class Combined { sum, greatest, least, heaviest, none };
Combined combined_how(std::string_view name);
// All that are not Combined::heaviest.
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
  std::vector<NamedNumbers> contacts;      // of both wheels: those of the left one first
  std::vector<std::string> contact_sides;  // of each
  bool touches_edge = false;               // a contact does
  std::vector<std::string> warnings;       // what is suspicious; of a contact: "contact 2: ..."
  std::vector<WornRows> worn = {};         // of each contact, of a wheel that has its fields

  // A number of a contact (from 1), or with 0 of totals(). NaN where there is none.
  [[nodiscard]] double get(std::string_view name, int contact) const;
  // The step's numbers and those that its contacts combine to, of a wheelset those of each side
  // too.
  [[nodiscard]] NamedNumbers totals() const;
  // The same of one side, without the side in their names, and the axle's, which both wheels share.
  [[nodiscard]] NamedNumbers totals_of(std::string_view one_side) const;
  // Rows of the step, its sides and its contacts.
  [[nodiscard]] std::vector<TableRow> rows() const;
};
WheelRecord wheel_record(int number, const SolvedWheelset& wheelset);

// All names of WheelRecord::totals() and of contacts.
std::vector<std::string> wheel_number_names();
// Looks in both tables; null where the name is in neither. A wheel's name may begin with a side.
const WheelEntry* find_wheel_entry(std::string_view name);
const ContactEntry* find_contact_entry(std::string_view name);
// The number of surfaces that it is, of a contact or a side; null: none.
const SurfaceNumberEntry* surface_number_behind(std::string_view name);

// Both tables as Markdown, for the documentation.
std::string wheel_table_markdown(Units units);

}  // namespace slipfield
