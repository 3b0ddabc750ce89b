// SPDX-License-Identifier: Apache-2.0
// Fuzz target of the result readers: a sound result, or that of a sweep, with changes made to it
// either is read or is refused with one of the program's errors.
//
// The input is a byte that chooses (even: steps, odd: a sweep) and a list of changes of four bytes
// each: what (an attribute, group or dataset of the sample), how (removed, or replaced by another
// type, shape or value), and two bytes of value. Plain damage to a file's bytes tests the HDF5
// library rather than the reader, and is left to it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"
#include "io/result/writer.h"
#include "solver/error.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/result_sample.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace slipfield;

struct Target {
  const char* object;
  const char* attribute;  // null: the object itself
};

constexpr std::array kStepTargets = {
    Target{"/", "file_type"},
    Target{"/", "schema_version"},
    Target{"/", "program_version"},
    Target{"/", "created"},
    Target{"/", "outcome"},
    Target{"/", "units"},
    Target{"/", "title"},
    Target{"/", "backend"},
    Target{"/", "warning"},
    Target{"/case", nullptr},
    Target{"/grid", nullptr},
    Target{"/grid", "elements"},
    Target{"/grid", "spacing"},
    Target{"/grid", "origin"},
    Target{"/grid", "boundary"},
    Target{"/grid/x", nullptr},
    Target{"/steps", nullptr},
    Target{"/steps/0001", nullptr},
    Target{"/steps/0002", nullptr},
    Target{"/steps/junk", nullptr},
    Target{"/steps/99999999999999999999", nullptr},
    Target{"/steps/-1", nullptr},
    Target{"/steps/0001", "problem"},
    Target{"/steps/0001", "outcome"},
    Target{"/steps/0001", "message"},
    Target{"/steps/0001", "normal_force"},
    Target{"/steps/0001", "elements_slip"},
    Target{"/steps/0001", "iterations_normal"},
    Target{"/steps/0002", "rolling_step"},
    Target{"/steps/0001/pressure", nullptr},
    Target{"/steps/0001/gap", nullptr},
    Target{"/steps/0002/slip_x", nullptr},
    Target{"/steps/0001/element_division", nullptr},
    Target{"/steps/0001/convergence", nullptr},
    Target{"/steps/0001/convergence/phase", nullptr},
    Target{"/steps/0001/convergence/iteration", nullptr},
    Target{"/steps/0001/convergence/change", nullptr},
};

constexpr std::array kSweepTargets = {
    Target{"/", "file_type"},
    Target{"/", "schema_version"},
    Target{"/", "outcome"},
    Target{"/", "units"},
    Target{"/case", nullptr},
    Target{"/table", nullptr},
    Target{"/table", "shape"},
    Target{"/table", "keys"},
    Target{"/table/point", nullptr},
    Target{"/table/normal.force", nullptr},
    Target{"/table/normal.force", "spacing"},
    Target{"/table/title", nullptr},
    Target{"/table/outcome", nullptr},
    Target{"/table/message", nullptr},
    Target{"/table/force_x", nullptr},
    Target{"/table/elements_slip", nullptr},
    Target{"/points", nullptr},
    Target{"/points/0001", nullptr},
    Target{"/points/0001", "file_type"},
    Target{"/points/0001/grid", nullptr},
    Target{"/points/0001/steps", nullptr},
    Target{"/points/0001/steps/0001", nullptr},
    Target{"/points/0001/steps/0001/pressure", nullptr},
    Target{"/points/0004", nullptr},
};

const std::filesystem::path& folder() {
  static const test::TemporaryFolder temporary;
  return temporary.path();
}

const std::filesystem::path& sweep_sample() {
  static const std::filesystem::path path = [] {
    const std::filesystem::path name = folder() / "sweep.h5";
    ResultHeader header = test::sample_header();
    const ResultHeader of_point = header;
    header.sweep = SweepLayout{{1, 4}, {2, 2}, {}};
    ResultWriter writer(name, header, Overwrite::allow);
    writer.begin_point(1, of_point, {});
    writer.write_step({1, 1}, test::sample_input(TangentialProblem::shift),
                      test::sample_report(0.0), test::sample_solution(header.grid.count(), 1));
    writer.finish_point(1, RunOutcome::converged);
    SweepTable table =
        empty_sweep_block({{"normal.force", {}, {1.0, 1.0, 2.0, 2.0}, Spacing::logarithmic},
                           {"title", {"a", "b", "a", "b"}, {}, Spacing::linear}},
                          {2, 2}, {1, 4});
    for (int point = 1; point <= 3; ++point) {
      StepRows rows = rows_of_step(1, test::sample_input(TangentialProblem::shift),
                                   test::sample_report(static_cast<double>(point - 1)));
      rows.point = point;
      put_points(table, {rows});
    }
    table.messages[3] = "stopped";
    writer.write_rows(table);
    writer.finish(RunOutcome::incomplete);
    return name;
  }();
  return path;
}

const std::filesystem::path& step_sample() {
  static const std::filesystem::path path = [] {
    const std::filesystem::path name = folder() / "steps.h5";
    const ResultHeader header = test::sample_header();
    ResultWriter writer(name, header, Overwrite::allow);
    writer.write_step(1, test::sample_input(TangentialProblem::shift), test::sample_report(0.0),
                      test::sample_solution(header.grid.count(), 1));
    writer.write_step(2, test::sample_input(TangentialProblem::steady_rolling),
                      test::sample_report(9.0), test::sample_solution(header.grid.count(), 2));
    writer.finish(RunOutcome::converged);
    return name;
  }();
  return path;
}

double number_of(std::uint8_t a, std::uint8_t b) {
  constexpr std::array kSpecial = {0.0,
                                   -1.0,
                                   1.0e300,
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN(),
                                   7.0,
                                   2147483648.0};
  return a < kSpecial.size() ? kSpecial[a] : 256.0 * a + b;
}

std::int64_t integer_of(std::uint8_t a, std::uint8_t b) {
  constexpr std::array kSpecial = {std::int64_t{0},
                                   std::int64_t{-1},
                                   std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min(),
                                   std::int64_t{1} << 31,
                                   std::int64_t{7},
                                   std::int64_t{5}};
  return a < kSpecial.size() ? kSpecial[a] : 256 * a + b;
}

// A dataset without data: any size costs nothing until it is read.
void create_empty_dataset(hid_t file, const std::string& name, std::uint8_t a, std::uint8_t b) {
  const std::array<hsize_t, 3> extent = {hsize_t{1} << (a % 44U), b, 7};
  const int rank = a % 3;
  const hdf5::Handle space(
      rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent.data(), nullptr), H5Sclose,
      "H5Screate", name);
  const std::array types = {H5T_NATIVE_DOUBLE, H5T_NATIVE_UINT8, H5T_NATIVE_INT64, H5T_C_S1};
  const hdf5::Handle made(H5Dcreate2(file, name.c_str(), types[b % types.size()], space.id(),
                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          H5Dclose, "H5Dcreate2", name);
}

void change_object(hid_t file, const std::string& name, std::uint8_t how, std::uint8_t a,
                   std::uint8_t b) {
  if (how % 8 != 7) hdf5::remove_link(file, name);
  switch (how % 8) {
    case 0:
      break;
    case 1:
      hdf5::create_group(file, name);
      break;
    case 2:
      hdf5::write_text(file, name, std::string(b, 'x'));
      break;
    case 3: {
      const std::array shape = {std::size_t{a} % 8, std::size_t{b} % 8};
      hdf5::write_dataset(
          file, name, std::span<const double>(std::vector(shape[0] * shape[1], number_of(a, b))),
          shape);
      break;
    }
    case 4: {
      const std::array shape = {std::size_t{a} % 40};
      hdf5::write_dataset(file, name,
                          std::span<const std::int64_t>(std::vector(shape[0], integer_of(a, b))),
                          shape);
      break;
    }
    case 5:
      hdf5::link_hard(file, a % 2 == 0 ? "/steps" : "/steps/0002", file, name);  // a ring, perhaps
      break;
    case 6:
      H5Lcreate_soft("/no/where", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    default:
      hdf5::remove_link(file, name);
      create_empty_dataset(file, name, a, b);
  }
}

void change_attribute(hid_t file, const Target& target, std::uint8_t how, std::uint8_t a,
                      std::uint8_t b) {
  const hdf5::Handle object(H5Oopen(file, target.object, H5P_DEFAULT), H5Oclose, "H5Oopen",
                            target.object);
  const std::string name = target.attribute;
  if (hdf5::has_attribute(object.id(), name)) hdf5::delete_attribute(object.id(), name);
  switch (how % 6) {
    case 0:
      break;
    case 1:
      hdf5::write_attribute(object.id(), name, number_of(a, b));
      break;
    case 2:
      hdf5::write_attribute(object.id(), name, integer_of(a, b));
      break;
    case 3:
      hdf5::write_attribute(object.id(), name,
                            std::string_view("steady_rolling\n\x1b[31m\xff", b % 20U));
      break;
    case 4:
      hdf5::write_attribute(object.id(), name,
                            std::span<const double>(std::vector(a % 5U, number_of(b, a))));
      break;
    default:
      hdf5::write_attribute(object.id(), name,
                            std::span<const std::int64_t>(std::vector(a % 5U, integer_of(b, a))));
  }
}

void change(hid_t file, std::span<const Target> targets, const std::uint8_t* bytes) {
  const Target& target = targets[bytes[0] % targets.size()];
  try {
    if (target.attribute == nullptr)
      change_object(file, target.object, bytes[1], bytes[2], bytes[3]);
    else
      change_attribute(file, target, bytes[1], bytes[2], bytes[3]);
  } catch (const Hdf5Error&) {  // what is to be changed is gone already
  }
}

void read_steps(const ResultFile& result) {
  for (const ResultStep& step : result.steps()) static_cast<void>(result.solution(step));
}

void read_whole_sweep(const std::filesystem::path& path) {
  const SweepTable table = read_any_result(path).rows;
  for (std::size_t point = 0; point < table.count(); ++point)
    static_cast<void>(table.describe(point));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer asks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostChanges = 16;
  const bool sweep = size > 0 && data[0] % 2 == 1;
  const std::filesystem::path path = folder() / "changed.h5";
  std::filesystem::copy_file(sweep ? sweep_sample() : step_sample(), path,
                             std::filesystem::copy_options::overwrite_existing);
  {
    const hdf5::Handle file = hdf5::change_file(path);
    const std::span<const Target> targets =
        sweep ? std::span<const Target>(kSweepTargets) : std::span<const Target>(kStepTargets);
    for (std::size_t i = 1; i + 4 <= size && i < 4 * kMostChanges; i += 4)
      change(file.id(), targets, data + i);
  }
  if (sweep) read_or_refuse([&] { read_whole_sweep(path); });
  read_or_refuse([&] { read_steps(read_result(path, {sweep ? 1 : 0})); });
  return 0;
}
