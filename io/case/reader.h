// SPDX-License-Identifier: Apache-2.0
// Reads a case file (YAML, schema 1) into a contact problem and writes it. Strict: anything not
// understood is refused, never ignored.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/heights/sampling.h"
#include "io/yaml/error.h"
#include "solver/interior/interior_request.h"
#include "solver/problem.h"

namespace slipfield {

// The fields and steps written to the result file (steps numbered from 1 over the whole sequence,
// repeats counted).
struct OutputSettings {
  enum class Steps { all, last, listed };

  std::optional<std::vector<std::string>> fields;  // by name; nothing: all
  Steps steps = Steps::all;
  std::vector<int> step_numbers;       // if listed
  bool spots = false;                  // the shape of the contact
  bool sensitivities = false;          // of the forces to rigid motion and approach
  std::optional<bool> error_estimate;  // of steady rolling; nothing: chosen by the caller
  std::optional<int> compression;      // level of the fields, 0 to 9; nothing: none

  [[nodiscard]] bool wants_step(int number, int last) const;
};

// A published number that the case reproduces.
struct Expectation {
  std::string quantity;  // a name of quantity_names() (field_table.h)
  double value = 0.0;
  double tolerance = 0.0;  // absolute
  int step = 0;            // from 1 over the whole sequence; 0: the last
  int point = 0;           // of a sweep, from 1; 0: the case has no sweep
  int contact = 0;         // of a wheel, from 1; 0: the wheel, or its most loaded contact
  std::string source;      // source of the number; may be empty
};

// A file of heights that the geometry names, in the order of its HeightsShape members.
struct HeightsFile {
  std::filesystem::path path;               // absolute
  std::string dataset;                      // of an HDF5 file; empty for other formats
  std::optional<HeightsSampling> sampling;  // nothing: one value per element
};

class CaseSweep;
struct CaseSource;  // io/result/writer.h
struct WheelRailCase;
class CaseDiagnostics;
class HeightsFiles;
struct CaseText;
struct YamlNode;

// A case; if it has a sweep, the sweep's first point, without expectations.
struct CaseFile {
  ContactProblem problem;
  OutputSettings output;
  std::optional<InteriorRequest> interior;  // for the steps that the output holds
  std::vector<Expectation> expected;
  bool skipped_expected = false;  // --set changes what is computed: they do not apply
  std::vector<HeightsFile> heights_files;
  // The case file and every file that it names, for a sweep those of all points. No command
  // overwrites them.
  std::vector<std::filesystem::path> input_files;
  std::vector<std::string> warnings;  // values changed by the reader, or suspicious
  // The case with every default and every step written out; reading it gives the same problem. For
  // a sweep: the case as written, with absolute file names.
  std::string resolved_yaml;
  std::shared_ptr<const CaseSource> source;         // as written; null: a point of a sweep
  std::shared_ptr<const WheelRailCase> wheel_rail;  // null: not a wheel on a rail
  std::shared_ptr<const CaseSweep> sweep;           // its points; null: an ordinary case
};

// The number of steps of the sequence, repeats counted.
int count_steps(const std::vector<StepInput>& steps);
// The entry of the sequence that step `number`, from 1, belongs to; beyond its end the last one.
std::size_t entry_of_step(const std::vector<StepInput>& steps, int number);

// `overrides`: the arguments of --set, "key.path=value", applied in order before validation.
// Throws CaseError with all errors at once.
CaseFile read_case(const std::filesystem::path& path,
                   const std::vector<std::string>& overrides = {});

// Reads the case of a text (io/case/text.h), which the caller keeps. `diagnostics`: the faults
// found in the text so far. `files`: files named by the case that were read before. Throws
// CaseError with all errors at once; a sweep, which must keep its own text, is an error here.
CaseFile read_case(const CaseText& text, HeightsFiles& files, CaseDiagnostics& diagnostics);
// The same with another tree in place of the text's own.
CaseFile read_case(const CaseText& text, const YamlNode& tree, HeightsFiles& files,
                   CaseDiagnostics& diagnostics);

// Returns YAML, schema 1, without using `resolved_yaml`. read_case() reads back the same problem,
// output settings and expectations, number by number.
std::string write_case(const CaseFile& file);

}  // namespace slipfield
