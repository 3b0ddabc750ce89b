// The names, units and descriptions of the numbers of a wheel on a rail, and of its patches beyond
// those of every step (field_table.h): one table for the writer, the reader, `inspect`, `expected:`
// entries and the documentation. Formulas: THEORY.md 13.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/field_table.h"

namespace slipfield {

// solver/wheel_rail/wheel_solver.h
struct SolvedWheel;
struct SolvedPatch;

struct WheelEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  double (*get)(const SolvedWheel& wheel);
};
std::span<const WheelEntry> wheel_table();

struct PatchEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  double (*get)(const SolvedPatch& patch);
};
std::span<const PatchEntry> patch_table();

// Numbers by their names.
using NamedNumbers = std::map<std::string, double, std::less<>>;
NamedNumbers wheel_numbers(const SolvedWheel& wheel);
// Those of patch_table() and the quantities of its step.
NamedNumbers patch_numbers(const SolvedPatch& patch);

// A step of a wheel as its numbers.
struct WheelRecord {
  int number = 0;  // of the step, from 1
  Outcome outcome = Outcome::converged;
  std::string message;
  NamedNumbers wheel;
  std::vector<NamedNumbers> patches;

  // Of patch `patch` (from 1), or with 0 of the wheel, else of its patch with the greatest normal
  // force. Not a number where there is none.
  [[nodiscard]] double get(std::string_view name, int patch) const;
  // The numbers that get() knows with patch 0.
  [[nodiscard]] NamedNumbers totals() const;
};
WheelRecord wheel_record(int number, const SolvedWheel& wheel);

// All names that a WheelRecord may know.
std::vector<std::string> wheel_number_names();
// Of both tables alone; nothing where the name is in neither.
const WheelEntry* find_wheel_entry(std::string_view name);
const PatchEntry* find_patch_entry(std::string_view name);

// Both tables as Markdown, for the documentation.
std::string wheel_table_markdown(Units units);

}  // namespace slipfield
