// SPDX-License-Identifier: Apache-2.0
// Files that must not be written or cannot be read: what is refused, in which words, and that
// nothing stays behind.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <span>

#include "io/hdf5/handle.h"
#include "io/result/reader.h"
#include "tests/support/result_sample.h"

using namespace slipfield;
using namespace slipfield::test;
namespace fs = std::filesystem;

namespace {

void write_one_step(ResultWriter& writer) {
  writer.write_step(1, sample_input(TangentialProblem::shift), sample_report(0.0),
                    sample_solution(sample_header().grid.count(), 1));
}

void write_good(const fs::path& path) {
  ResultWriter writer(path, sample_header());
  write_one_step(writer);
  writer.finish(RunOutcome::converged);
}

void write_text_file(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// A good result changed by `change` through HDF5.
void write_changed(const fs::path& path, const std::function<void(hid_t)>& change) {
  write_good(path);
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "H5Fopen",
                          path.string());
  change(file.id());
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("result reader: a dataset that claims more than the file holds costs no memory") {
    const TemporaryFolder folder;
    write_changed(folder / "out.h5", [](hid_t file) {
      const char* name = "steps/0001/convergence/change";
      hdf5::remove_link(file, name);
      const hsize_t extent = hsize_t{1} << 40U;
      const hdf5::Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "", "");
      const hdf5::Handle dataset(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                            H5P_DEFAULT, H5P_DEFAULT),
                                 H5Dclose, "", "");
    });
    CHECK_THROWS_WITH_AS(read_result(folder / "out.h5"),
                         doctest::Contains("claims 8796093022208 bytes of values but stores 0"),
                         InputError);
  }

  TEST_CASE("result writer: an existing file is refused and stays as it is") {
    const TemporaryFolder folder;
    write_text_file(folder / "out.h5", "precious");
    CHECK_THROWS_WITH_AS(ResultWriter(folder / "out.h5", sample_header()),
                         doctest::Contains("exists already"), InputError);
    CHECK(fs::file_size(folder / "out.h5") == 8);
    CHECK(folder.count() == 1);
  }

  TEST_CASE("result writer: overwriting replaces the file only when the new one is complete") {
    const TemporaryFolder folder;
    write_good(folder / "out.h5");
    const auto size = fs::file_size(folder / "out.h5");
    {
      ResultWriter writer(folder / "out.h5", sample_header(), Overwrite::allow);
      write_one_step(writer);
      CHECK(fs::file_size(folder / "out.h5") == size);
    }
    CHECK(fs::file_size(folder / "out.h5") == size);
    CHECK(folder.count() == 1);
    ResultWriter writer(folder / "out.h5", sample_header(), Overwrite::allow);
    write_one_step(writer);
    writer.finish(RunOutcome::converged);
    CHECK(read_result(folder / "out.h5").steps().size() == 1);
    CHECK(folder.count() == 1);
  }

  TEST_CASE(
      "result writer: what is not a result is not overwritten, also where it comes meanwhile") {
    const TemporaryFolder folder;
    write_text_file(folder / "out.h5", "precious");
    CHECK_THROWS_WITH_AS(ResultWriter(folder / "out.h5", sample_header(), Overwrite::allow),
                         doctest::Contains("is not a slipfield result and is not overwritten"),
                         InputError);
    ResultWriter writer(folder / "new.h5", sample_header(), Overwrite::allow);
    write_one_step(writer);
    write_text_file(folder / "new.h5", "precious");
    CHECK_THROWS_WITH_AS(writer.finish(RunOutcome::converged),
                         doctest::Contains("stays under the name"), InputError);
    CHECK(fs::file_size(folder / "new.h5") == 8);
  }

  TEST_CASE("result writer: without finish() no file stays behind") {
    const TemporaryFolder folder;
    {
      ResultWriter writer(folder / "out.h5", sample_header());
      write_one_step(writer);
      CHECK(folder.count() == 1);
      CHECK_FALSE(fs::exists(folder / "out.h5"));
    }
    CHECK(folder.count() == 0);
  }

  TEST_CASE("result writer: a file that appears meanwhile is not replaced, and nothing is lost") {
    const TemporaryFolder folder;
    ResultWriter writer(folder / "out.h5", sample_header());
    write_one_step(writer);
    write_text_file(folder / "out.h5", "precious");
    CHECK_THROWS_WITH_AS(writer.finish(RunOutcome::converged),
                         doctest::Contains("stays under the name"), InputError);
    CHECK(fs::file_size(folder / "out.h5") == 8);
    CHECK(folder.count() == 2);
  }

  TEST_CASE("result writer: the steps written so far can be read before the run has ended") {
    const TemporaryFolder folder;
    ResultWriter writer(folder / "out.h5", sample_header());
    write_one_step(writer);
    fs::copy_file(folder / ("out.h5.partial-" + std::to_string(getpid())), folder / "copy.h5");
    const ResultFile result = read_result(folder / "copy.h5");
    CHECK(result.info().outcome == "incomplete");
    CHECK(result.steps().size() == 1);
  }

  TEST_CASE("result writer: a link to a file is followed, not replaced") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "there");
    fs::create_symlink(folder / "there" / "real.h5", folder / "out.h5");
    write_good(folder / "out.h5");
    CHECK(fs::is_symlink(folder / "out.h5"));
    CHECK(read_result(folder / "there" / "real.h5").steps().size() == 1);
  }

  TEST_CASE("result writer: a place that cannot take a file is refused in one sentence") {
    const TemporaryFolder folder;
    // Whether another argument is accepted there, or the system lets nothing be written.
    const auto refused = [&](const fs::path& path, const char* text, bool is_argument) {
      try {
        ResultWriter(path, sample_header());
        FAIL(path.string());
      } catch (const Error& error) {
        CHECK(std::string(error.what()).find(text) != std::string::npos);
        CHECK(error.exit_code() == ExitCode::bad_input);
        CHECK((dynamic_cast<const InputError*>(&error) != nullptr) == is_argument);
      }
    };
    refused(folder / "missing" / "out.h5", "there is no folder", false);
    refused(folder / "", "names no file", true);
    refused("/dev/null", "not a regular file", false);
    CHECK_THROWS_WITH_AS(ResultWriter(folder / "out.h5", sample_header(), Overwrite::refuse,
                                      std::vector<std::string>{"p"}),
                         doctest::Contains("no field \"p\""), InputError);
    CHECK(folder.count() == 0);
  }

  TEST_CASE("result reader: files that are not results are refused, each with its reason") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& name, const char* text) {
      CAPTURE(name);
      CHECK_THROWS_WITH_AS(read_result(folder / name), doctest::Contains(text), InputError);
    };
    refused("missing.h5", "no such file");
    fs::create_directory(folder / "folder.h5");
    refused("folder.h5", "not a regular file");
    write_text_file(folder / "text.h5", "schema: 1\n");
    refused("text.h5", "not an HDF5 file");
    write_text_file(folder / "empty.h5", "");
    refused("empty.h5", "not an HDF5 file");
    hdf5::create_file(folder / "bare.h5").close("H5Fclose", "bare.h5");
    refused("bare.h5", "not a slipfield result");
    {
      const hdf5::Handle life = hdf5::create_file(folder / "life.h5");
      hdf5::write_attribute(life.id(), "file_type", "slipfield-life");
    }
    refused("life.h5", "a life is drawn by `slipfield plot LIFE.h5 -o FIG.png`");
    {
      const hdf5::Handle other = hdf5::create_file(folder / "other.h5");
      hdf5::write_attribute(other.id(), "file_type", "weather");
    }
    refused("other.h5", "of the type \"weather\"");
    write_changed(folder / "newer.h5", [](hid_t file) {
      hdf5::delete_attribute(file, "schema_version");
      hdf5::write_attribute(file, "schema_version", std::int64_t{2});
    });
    refused("newer.h5", "schema version 2; this program reads version 1");
    write_changed(folder / "no_steps.h5",
                  [](hid_t file) { hdf5::remove_link(file, "steps/0001"); });
    refused("no_steps.h5", "has no steps");
    write_changed(folder / "no_attribute.h5", [](hid_t file) {
      hdf5::delete_attribute(hdf5::open_group(file, "steps/0001").id(), "approach");
    });
    refused("no_attribute.h5", "steps/0001/approach");
    for (const double spacing : {std::nan(""), 0.0, -1.0}) {
      CAPTURE(spacing);
      write_changed(folder / "no_grid.h5", [&](hid_t file) {
        const std::array<double, 2> both{1.0, spacing};
        const hdf5::Handle grid = hdf5::open_group(file, "grid");
        hdf5::delete_attribute(grid.id(), "spacing");
        hdf5::write_attribute(grid.id(), "spacing", std::span<const double>(both));
      });
      refused("no_grid.h5", "accepted: finite numbers, a spacing > 0");
      fs::remove(folder / "no_grid.h5");
    }
    write_changed(folder / "text_number.h5", [](hid_t file) {
      const hdf5::Handle step = hdf5::open_group(file, "steps/0001");
      hdf5::delete_attribute(step.id(), "approach");
      hdf5::write_attribute(step.id(), "approach", "deep");
    });
    refused("text_number.h5", "does not hold numbers");
  }

  TEST_CASE("result reader: a truncated file is refused at every length") {
    const TemporaryFolder folder;
    write_good(folder / "whole.h5");
    const auto size = fs::file_size(folder / "whole.h5");
    for (const auto length : {size - 1, size / 2, size / 10, std::uintmax_t{100}}) {
      fs::copy_file(folder / "whole.h5", folder / "cut.h5", fs::copy_options::overwrite_existing);
      fs::resize_file(folder / "cut.h5", length);
      CHECK_THROWS_WITH_AS(read_result(folder / "cut.h5"), doctest::Contains("cut.h5: "),
                           InputError);
    }
  }

  TEST_CASE("result reader: a field of another shape or with unknown states is refused") {
    const TemporaryFolder folder;
    write_changed(folder / "out.h5", [](hid_t file) {
      const hdf5::Handle step = hdf5::open_group(file, "steps/0001");
      hdf5::remove_link(step.id(), "gap");
      hdf5::remove_link(step.id(), "element_division");
      const std::vector<double> values(35, 1.0);
      const std::vector<std::uint8_t> states(35, 4);
      const std::size_t transposed[] = {7, 5};
      const std::size_t shape[] = {5, 7};
      hdf5::write_dataset(step.id(), "gap", std::span<const double>(values), transposed);
      hdf5::write_dataset(step.id(), "element_division", std::span<const std::uint8_t>(states),
                          shape);
    });
    const ResultFile result = read_result(folder / "out.h5");
    CHECK_THROWS_WITH_AS(static_cast<void>(result.field(result.step(1), "gap")),
                         doctest::Contains("has not the shape (5, 7)"), InputError);
    CHECK_THROWS_WITH_AS(static_cast<void>(result.element_division(result.step(1))),
                         doctest::Contains("unknown state 4"), InputError);
    CHECK_THROWS_WITH_AS(static_cast<void>(result.step(2)),
                         doctest::Contains("no step 2; the only one is 1"), InputError);
  }

  TEST_CASE("HDF5: an error names the call, the file, the object and the reason") {
    const TemporaryFolder folder;
    write_good(folder / "out.h5");
    const hdf5::Handle file = hdf5::open_file(folder / "out.h5");
    CHECK_THROWS_WITH_AS(hdf5::open_dataset(file.id(), "steps/0001/heat"),
                         doctest::Contains("H5Dopen2 failed on"), Hdf5Error);
    CHECK_THROWS_WITH_AS(hdf5::open_dataset(file.id(), "steps/0001/heat"),
                         doctest::Contains("out.h5:/steps/0001/heat: "), Hdf5Error);
    CHECK_THROWS_WITH_AS(hdf5::open_file(folder / "missing.h5"),
                         doctest::Contains("No such file or directory"), Hdf5Error);
  }
}
