// SPDX-License-Identifier: Apache-2.0
// Writer and reader of result files against each other, and against HDF5 itself.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/checksum.h"
#include "io/file_identity.h"
#include "io/hdf5/handle.h"
#include "io/output_rule.h"
#include "io/result/any_result.h"
#include "io/result/header.h"
#include "io/result/reader.h"
#include "solver/derived_numbers.h"
#include "tests/support/near.h"
#include "tests/support/result_sample.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void write_sample(const std::filesystem::path& path, RunOutcome outcome = RunOutcome::converged,
                  std::optional<int> compression = {}) {
  ResultHeader header = sample_header();
  header.compression = compression;
  ResultWriter writer(path, header);
  writer.write_step(1, sample_input(TangentialProblem::shift), sample_report(0.0),
                    sample_solution(header.grid.count(), 1));
  writer.write_step(2, sample_input(TangentialProblem::transient_rolling), sample_report(100.0),
                    sample_solution(header.grid.count(), 2));
  writer.finish(outcome);
}

void set_file_type(const std::filesystem::path& path, std::string_view type) {
  const hdf5::Handle file = hdf5::change_file(path);
  hdf5::delete_attribute(file.id(), "file_type");
  hdf5::write_attribute(file.id(), "file_type", type);
}

// Page faults of the processes that this one started and that have ended: each adds some.
long faults_of_readers() {
  struct rusage used {};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_minflt;
}

// Not every file system does.
bool keeps_holes(const std::filesystem::path& path) {
  constexpr off_t kBytes = off_t{1} << 21U;
  std::ofstream(path).put('x');
  struct stat of_file {};
  return truncate(path.c_str(), kBytes) == 0 && stat(path.c_str(), &of_file) == 0 &&
         of_file.st_blocks * 512 < kBytes / 2;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("result file: its kind is read once, and again when it has changed") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5";
    write_sample(path);
    const long none = faults_of_readers();
    CHECK(kind_of(path) == ResultKind::one_contact);
    const long first = faults_of_readers();
    CHECK(first > none);
    CHECK(kind_of(path) == ResultKind::one_contact);
    CHECK(faults_of_readers() == first);

    // Again until the clock of the file system has advanced.
    const auto before = identity_of(path);
    do {
      set_file_type(path, kSweepFileType);
    } while (identity_of(path) == before);
    CHECK(kind_of(path) == ResultKind::sweep);
    CHECK(faults_of_readers() > first);
  }

  TEST_CASE("result file: a file that has just changed is read again before it is replaced") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5";
    write_sample(path);
    using Kind = std::pair<FileKind, std::string_view>;
    for (const auto& [kind, type] :
         {Kind(FileKind::result, kResultFileType), Kind(FileKind::surface, kSurfaceFileType),
          Kind(FileKind::creep_table, "slipfield-creep-table")}) {
      CAPTURE(type);
      set_file_type(path, type);
      CHECK(file_type_of(path) == type);
      const long known = faults_of_readers();
      check_output(path, kind, Overwrite::allow);
      CHECK(faults_of_readers() > known);
      CHECK(file_type_of(path) == type);
    }
  }

  TEST_CASE(
      "result file: every field comes back bit for bit, infinite values included, packed or not") {
    const TemporaryFolder folder;
    std::optional<int> compression;
    SUBCASE("in one piece") {}
    SUBCASE("in chunks") { compression = 0; }
    SUBCASE("packed") { compression = 9; }
    write_sample(folder / "out.h5", RunOutcome::converged, compression);
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    CHECK(hdf5::is_contiguous(file.id(), "steps/0001/pressure") == !compression);
    const ResultFile result = read_result(folder / "out.h5");
    REQUIRE(result.steps().size() == 2);
    for (unsigned number = 1; number <= 2; ++number) {
      const ContactSolution wrote = sample_solution(sample_header().grid.count(), number);
      const ContactSolution read = result.solution(result.step(static_cast<int>(number)));
      for (const FieldEntry& entry : field_table()) {
        CAPTURE(entry.name);
        CHECK(same_bits(wrote.*(entry.values), read.*(entry.values)));
      }
      CHECK(wrote.element_division == read.element_division);
    }
  }

  TEST_CASE("packed dataset: smaller where numbers repeat, in chunks of whole rows") {
    const TemporaryFolder folder;
    const std::size_t shape[] = {700, 300};  // more than one chunk of 1 MiB
    std::vector<double> values(700 * 300);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7);
    const hdf5::Handle file = hdf5::create_file(folder / "packed.h5");
    const auto stored = [&](const std::string& name, int level) {
      const hdf5::Handle dataset =
          hdf5::write_dataset(file.id(), name, std::span<const double>(values), shape, level);
      hdf5::flush(file);
      CHECK(hdf5::read_doubles(file.id(), name) == values);
      return H5Dget_storage_size(dataset.id());
    };
    CHECK(stored("chunks", 0) >= values.size() * sizeof(double));
    CHECK(stored("packed", 1) < values.size());  // 7 different numbers: far below a byte each
    CHECK_THROWS_AS(
        hdf5::write_dataset(file.id(), "wrong", std::span<const double>(values).first(5), shape, 1),
        Hdf5Error);
  }

  TEST_CASE("result file: the case as it was written comes back, and none where none was given") {
    const TemporaryFolder folder;
    ResultHeader header = sample_header();
    for (const bool known : {false, true}) {
      if (known)
        header.source = std::make_shared<const CaseSource>(
            CaseSource{"wheel.yaml", "schema: 1  # µ measured\n", {"a=b=c", "title=x"}});
      const std::filesystem::path path = folder / (known ? "known.h5" : "unknown.h5");
      ResultWriter writer(path, header);
      writer.write_step(1, sample_input(TangentialProblem::shift), sample_report(0.0),
                        sample_solution(header.grid.count(), 1));
      writer.finish(RunOutcome::converged);
      const std::shared_ptr<const CaseSource> source = read_result(path).info().header.source;
      REQUIRE((source != nullptr) == known);
      if (!known) continue;
      CHECK(source->file == "wheel.yaml");
      CHECK(source->text == header.source->text);
      CHECK(source->overrides == header.source->overrides);
    }
  }

  TEST_CASE("result file: the files that the case names are there as cksum prints them") {
    const TemporaryFolder folder;
    ResultHeader header = sample_header();
    header.inputs = {cksum_line(folder.write("digits.txt", "123456789")),
                     cksum_line(folder / "gone.txt")};
    ResultWriter writer(folder / "out.h5", header);
    writer.write_step(1, sample_input(TangentialProblem::shift), sample_report(0.0),
                      sample_solution(header.grid.count(), 1));
    writer.finish(RunOutcome::converged);
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    CHECK(hdf5::read_text(file.id(), "case_files") ==
          "930766865 9 " + (folder / "digits.txt").string() + "\n- - " +
              (folder / "gone.txt").string());
  }

  TEST_CASE("checksums: a file that both lists name with other bytes has changed") {
    const std::vector<std::string> before = {"1 2 /a/h.txt", "3 4 /b c/h.txt"};
    using Lines = std::vector<std::string>;
    CHECK(changed_between(before, before).empty());
    CHECK(changed_between(before, Lines{"5 2 /other/h.txt"}).empty());  // of other points
    CHECK(changed_between(before, Lines{"3 4 /b c/h.txt", "1 3 /a/h.txt"}) == "/a/h.txt");
    CHECK(changed_between(before, Lines{"- - /b c/h.txt"}) == "/b c/h.txt");
  }

  TEST_CASE("result file: header, reports and histories come back unchanged") {
    const TemporaryFolder folder;
    write_sample(folder / "out.h5", RunOutcome::not_converged);
    const ResultFile result = read_result(folder / "out.h5");
    const ResultInfo& info = result.info();
    const ResultHeader header = sample_header();
    CHECK(info.header.title == header.title);
    CHECK(info.header.case_yaml == header.case_yaml);
    CHECK(info.header.backend == "cpu");
    CHECK(info.header.device == "a processor");
    CHECK(info.header.units == Units::n_mm_s);
    CHECK(info.header.grid.mx == 7);
    CHECK(info.header.grid.my == 5);
    CHECK(info.header.grid.dy == header.grid.dy);
    CHECK(info.header.grid.y0 == header.grid.y0);
    CHECK(info.outcome == "not_converged");
    CHECK(info.created.size() == std::strlen("2026-01-01T00:00:00Z"));

    const ResultStep& rolling = result.step(0);
    CHECK(rolling.number == 2);
    CHECK(rolling.input.tangential.problem == TangentialProblem::transient_rolling);
    CHECK(rolling.input.tangential.velocity == 30.0);
    const StepReport wrote = sample_report(100.0);
    for (const QuantityEntry& entry : quantity_table()) {
      CAPTURE(entry.name);
      if (entry.applies(TangentialProblem::transient_rolling))
        CHECK(entry.get(rolling.report) == entry.get(wrote));
    }
    REQUIRE(rolling.report.history.size() == 3);
    CHECK(rolling.report.history[2].phase == Phase::outer);
    CHECK(rolling.report.history[1].iteration == 2);
    CHECK(rolling.report.history[1].change == 1.0e-9);
  }

  TEST_CASE("result file: one of an older version, without products on coarser grids, is read") {
    const TemporaryFolder folder;
    write_sample(folder / "out.h5");
    {
      const hdf5::Handle file(H5Fopen((folder / "out.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose, "H5Fopen", "out.h5");
      const hdf5::Handle step = hdf5::open_group(file.id(), "steps/0001");
      REQUIRE(H5Adelete(step.id(), "matrix_products_coarse") >= 0);
    }
    const StepReport wrote = sample_report(0.0);
    const ResultFile result = read_result(folder / "out.h5");
    CHECK(result.step(1).report.matrix_products_coarse == 0);
    CHECK(result.step(1).report.matrix_products == wrote.matrix_products);
    CHECK(result.step(1).report.seconds == wrote.seconds);
  }

  TEST_CASE("result file: the rigid motion is named after the tangential problem of its step") {
    const TemporaryFolder folder;
    write_sample(folder / "out.h5");
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle shift = hdf5::open_group(file.id(), "steps/0001");
    const hdf5::Handle rolling = hdf5::open_group(file.id(), "steps/0002");
    for (const char* name : {"shift_x", "shift_y", "rotation"}) {
      CHECK(hdf5::has_attribute(shift.id(), name));
      CHECK_FALSE(hdf5::has_attribute(rolling.id(), name));
    }
    for (const char* name : {"creepage_x", "creepage_y", "spin"}) {
      CHECK_FALSE(hdf5::has_attribute(shift.id(), name));
      CHECK(hdf5::has_attribute(rolling.id(), name));
    }
    CHECK(hdf5::read_string_attribute(rolling.id(), "problem") == "transient_rolling");
  }

  TEST_CASE("result file: datasets have the shape (my, mx), a unit and a description") {
    const TemporaryFolder folder;
    write_sample(folder / "out.h5");
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle step = hdf5::open_group(file.id(), "steps/0001");
    for (const std::string& name : field_names(sample_input(TangentialProblem::shift))) {
      CAPTURE(name);
      CHECK(hdf5::dataset_shape(step.id(), name) == std::vector<std::size_t>{5, 7});
      const hdf5::Handle dataset = hdf5::open_dataset(step.id(), name);
      CHECK_FALSE(hdf5::read_string_attribute(dataset.id(), "units").empty());
      CHECK_FALSE(hdf5::read_string_attribute(dataset.id(), "description").empty());
    }
    const hdf5::Handle pressure = hdf5::open_dataset(step.id(), "pressure");
    CHECK(hdf5::read_string_attribute(pressure.id(), "units") == "N/mm^2");
    const hdf5::Handle grid = hdf5::open_group(file.id(), "grid");
    CHECK(hdf5::read_doubles(grid.id(), "x").front() == -0.4375);  // origin + dx/2
    CHECK(hdf5::read_doubles(grid.id(), "y").back() == 1.875);     // origin + 4.5 dy
  }

  TEST_CASE("result file: sensitivities have their shapes, units and descriptions") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    StepReport report = sample_report(0.0);
    report.sensitivities = std::array<double, 9>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    report.approach_sensitivities = std::array<double, 4>{10.0, 11.0, 12.0, 1.0 / 13.0};
    {
      ResultWriter writer(folder / "out.h5", header);
      writer.write_step(1, sample_input(TangentialProblem::shift), report,
                        sample_solution(header.grid.count(), 1));
      writer.finish(RunOutcome::converged);
    }
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle step = hdf5::open_group(file.id(), "steps/0001");
    CHECK(hdf5::dataset_shape(step.id(), "sensitivities") == std::vector<std::size_t>{3, 3});
    CHECK(hdf5::dataset_shape(step.id(), "approach_sensitivities") == std::vector<std::size_t>{4});
    CHECK(hdf5::read_doubles(step.id(), "approach_sensitivities") ==
          std::vector<double>{10.0, 11.0, 12.0, 1.0 / 13.0});
    const hdf5::Handle dataset = hdf5::open_dataset(step.id(), "approach_sensitivities");
    CHECK(hdf5::read_string_attribute(dataset.id(), "units") ==
          "forces in N, moment_z in N times the case's length, over the case's length");
    CHECK(hdf5::read_string_attribute(dataset.id(), "description") ==
          "derivatives of (normal_force, force_x, force_y, moment_z) to the approach; elements in "
          "contact and rigid motion held");
  }

  TEST_CASE("result file: a list of fields leaves out the others, for ParaView as well") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    ResultWriter writer(folder / "out.h5", header, Overwrite::refuse,
                        std::vector<std::string>{"gap", "element_division"});
    writer.write_step(3, sample_input(TangentialProblem::none), sample_report(0.0),
                      sample_solution(header.grid.count(), 1));
    writer.finish(RunOutcome::converged);
    const ResultFile result = read_result(folder / "out.h5");
    CHECK(result.step(3).fields == std::vector<std::string>{"gap", "element_division"});
    CHECK_THROWS_WITH_AS(static_cast<void>(result.field(result.step(3), "pressure")),
                         doctest::Contains("step 3 has no field \"pressure\""), InputError);
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle cells = hdf5::open_group(file.id(), "VTKHDF/CellData");
    CHECK(hdf5::link_names(cells.id()) == std::vector<std::string>{"element_division", "gap"});
  }

  TEST_CASE("result file: non-convergence and contact at the grid's edge are reported in it") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    StepReport report = sample_report(0.0);
    report.outcome = Outcome::not_converged;
    report.message = "the normal problem did not converge";
    report.touches_edge = true;
    ResultWriter writer(folder / "out.h5", header);
    writer.write_step(1, sample_input(TangentialProblem::shift), report,
                      sample_solution(header.grid.count(), 1));
    writer.finish(RunOutcome::not_converged);
    const ResultFile result = read_result(folder / "out.h5");
    CHECK(result.info().warning.find("edge of the grid") != std::string::npos);
    CHECK(result.step(1).report.outcome == Outcome::not_converged);
    CHECK(result.step(1).report.message == report.message);
    CHECK(result.step(1).report.touches_edge);
  }

  TEST_CASE("result file: step 10000 comes after step 9999, not after step 1000") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    const ContactSolution solution = sample_solution(header.grid.count(), 1);
    ResultWriter writer(folder / "out.h5", header, Overwrite::refuse,
                        std::vector<std::string>{"gap"});
    for (const int number : std::array{1000, 9999, 10000})
      writer.write_step(number, sample_input(TangentialProblem::none), sample_report(0.0),
                        solution);
    writer.finish(RunOutcome::converged);
    const ResultFile result = read_result(folder / "out.h5");
    CHECK(result.steps()[1].number == 9999);
    CHECK(result.step(0).number == 10000);
    CHECK(same_bits(result.field(result.step(0), "gap"), solution.gap));
  }

  TEST_CASE("result file: with a rolling velocity the slip is also a velocity, the work a power") {
    const TemporaryFolder folder;
    write_sample(folder / "out.h5");
    const ResultFile result = read_result(folder / "out.h5");
    const ResultStep& rolling = result.step(2);
    const double rate = 30.0 / 0.125;  // V/dq of the sample
    for (const auto& [velocity, distance] : {std::array{"relative_slip_velocity_x", "slip_x"},
                                             std::array{"relative_slip_velocity_y", "slip_y"}}) {
      std::vector<double> expected = result.field(rolling, distance);
      for (double& value : expected) value *= rate;
      CHECK(same_bits(result.field(rolling, velocity), expected));
      CHECK_THROWS_AS(static_cast<void>(result.field(result.step(1), velocity)), InputError);
    }
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle group = hdf5::open_group(file.id(), "steps/0002");
    const hdf5::Handle velocity = hdf5::open_dataset(group.id(), "relative_slip_velocity_x");
    CHECK(hdf5::read_string_attribute(velocity.id(), "units") == "mm/s");
    CHECK(hdf5::read_double_attribute(group.id(), "friction_power") ==
          rolling.report.friction_work * rate);
    const hdf5::Handle cells = hdf5::open_group(file.id(), "VTKHDF/CellData");
    CHECK(hdf5::has_link(cells.id(), "relative_slip_velocity_y"));
    StepInput standing = rolling.input;
    standing.tangential.velocity = 0.0;
    CHECK(field_names(standing).size() + 2 == field_names().size());
    CHECK_THROWS_WITH_AS(
        static_cast<void>(quantity(rolling.report, standing, "friction_power")),
        "a step without a rolling velocity, or a duration, has no quantity \"friction_power\"",
        InputError);
  }

  TEST_CASE("quantity: forces over mu F_n, unknown names, and names of another problem") {
    const StepInput input = sample_input(TangentialProblem::shift);
    StepReport report;
    report.normal_force = 10.0;
    report.force_x = -3.0;
    report.friction_coefficient = 0.4;
    CHECK(std::isnan(quantity(report, input, "force_ratio_x")));  // as read from a file without it
    add_derived_numbers(input.tangential, 0.0, report);
    CHECK(quantity(report, input, "force_ratio_x") == near(-0.75));
    CHECK(quantity(report, input, "force_x") == -3.0);
    CHECK_THROWS_WITH_AS(static_cast<void>(quantity(report, input, "force_z")),
                         doctest::Contains("no quantity \"force_z\"; did you mean 'force_x' or "
                                           "'force_y'? `slipfield info --fields` lists all"),
                         InputError);
    CHECK_THROWS_WITH_AS(static_cast<void>(quantity(report, input, "spin")),
                         doctest::Contains("\"shift\" has no quantity \"spin\""), InputError);
    for (const std::string& name : quantity_names()) {
      const bool rolling = name == "spin" || name == "friction_power" ||
                           name == "first_order_rows" || name.rfind("creepage", 0) == 0;
      const auto problem = rolling ? TangentialProblem::steady_rolling : TangentialProblem::shift;
      CHECK_NOTHROW(static_cast<void>(quantity(report, sample_input(problem), name)));
    }
  }

  TEST_CASE("result file: steps that follow one another quickly are all there, in their order") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    constexpr int kSteps = 600;  // more than are written at a time
    {
      ResultWriter writer(folder / "out.h5", header, Overwrite::refuse,
                          std::vector<std::string>{"pressure"});
      for (int number = 1; number <= kSteps; ++number)
        writer.write_step(number, sample_input(TangentialProblem::shift), sample_report(number),
                          sample_solution(header.grid.count(), static_cast<unsigned>(number)));
      CHECK(writer.steps_written() == kSteps);
      writer.finish(RunOutcome::converged);
    }
    const ResultFile result = read_result(folder / "out.h5");
    REQUIRE(result.steps().size() == kSteps);
    for (int number = 1; number <= kSteps; ++number) {
      const ResultStep& step = result.steps()[static_cast<std::size_t>(number - 1)];
      REQUIRE(step.number == number);
      CHECK(step.report.normal_force == sample_report(number).normal_force);
      CHECK(
          same_bits(result.field(step, "pressure"),
                    sample_solution(header.grid.count(), static_cast<unsigned>(number)).pressure));
    }
  }

  TEST_CASE("result file: long texts come back, and datasets hold them at a fixed length") {
    const TemporaryFolder folder;
    ResultHeader header = sample_header();
    header.title = std::string(10'000, 't');
    header.case_yaml = std::string(20'000'000, 'c');  // beyond 64 kB, where attributes end
    {
      ResultWriter writer(folder / "out.h5", header);
      writer.write_step(1, sample_input(TangentialProblem::shift), sample_report(0.0),
                        sample_solution(header.grid.count(), 1));
      writer.finish(RunOutcome::converged);
    }
    const ResultFile result = read_result(folder / "out.h5");
    CHECK(result.info().header.title == header.title);
    CHECK(result.info().header.case_yaml == header.case_yaml);
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    const hdf5::Handle dataset = hdf5::open_dataset(file.id(), "case");
    const hdf5::Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", "case");
    CHECK(H5Tis_variable_str(type.id()) == 0);
    CHECK(H5Tget_cset(type.id()) == H5T_CSET_UTF8);
  }

  TEST_CASE("HDF5: a field of zeros takes no room on the disk, and reads as any other") {
    const TemporaryFolder folder;
    constexpr std::size_t kCount = std::size_t{1} << 18;  // 2 MiB
    std::vector<double> values(kCount, 0.0);
    std::vector<double> signs(kCount, 0.0);
    signs.back() = -0.0;
    const std::vector<std::size_t> shape{512, 512};
    {
      const hdf5::Handle file = hdf5::create_file(folder / "zeros.h5");
      hdf5::write_dataset(file.id(), "ones", std::vector<double>(kCount, 1.0), shape);
      hdf5::remove_link(file.id(), "ones");  // what takes its place must not show it
      hdf5::write_dataset(file.id(), "zeros", values, shape);
      hdf5::write_dataset(file.id(), "signs", signs, shape);
      hdf5::write_dataset(file.id(), "more", values, shape);
    }
    const hdf5::Handle file = hdf5::open_file(folder / "zeros.h5");
    CHECK(hdf5::read_doubles(file.id(), "zeros") == values);
    CHECK(hdf5::read_doubles(file.id(), "more") == values);
    CHECK(std::signbit(hdf5::read_doubles(file.id(), "signs").back()));
    struct stat of_file {};
    REQUIRE(stat((folder / "zeros.h5").c_str(), &of_file) == 0);
    CHECK(static_cast<std::size_t>(of_file.st_size) > 3 * kCount * sizeof(double));
    if (keeps_holes(folder / "hole"))
      CHECK(static_cast<std::size_t>(of_file.st_blocks) * 512 < 2 * kCount * sizeof(double));
  }

  TEST_CASE("HDF5: rows of texts come back, empty, long and packed ones") {
    const TemporaryFolder folder;
    const hdf5::Handle file = hdf5::create_file(folder / "texts.h5");
    const std::vector<std::string> none;
    const std::vector<std::string> few = {"", "µ", "three words here"};
    std::vector<std::string> many(5000);  // 5 MB when padded
    many[4321] = std::string(1000, 'x');
    hdf5::write_texts(file.id(), "none", none);
    hdf5::write_texts(file.id(), "few", few);
    hdf5::write_texts(file.id(), "many", many);
    CHECK(hdf5::read_texts(file.id(), "none") == none);
    CHECK(hdf5::read_texts(file.id(), "few") == few);
    CHECK(hdf5::read_texts(file.id(), "many") == many);
    hdf5::flush(file);
    CHECK(std::filesystem::file_size(folder / "texts.h5") < 1'000'000);
  }
}
