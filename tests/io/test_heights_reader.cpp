// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/heights/files.h"
#include "io/heights/reader.h"
#include "solver/error.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::TemporaryFolder;

const std::filesystem::path kData = SLIPFIELD_TEST_DATA_DIR;

// 4 elements in x, 3 in y, as the files in tests/data, which NumPy and h5py wrote.
HeightsRequest request_4_by_3() {
  HeightsRequest request;
  request.mx = 4;
  request.my = 3;
  return request;
}

std::vector<double> values_4_by_3(double factor = 1.0) {
  std::vector<double> values;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) values.push_back(factor * (10 * row + column + 0.5));
  }
  return values;
}

std::string error_of_heights(const std::filesystem::path& path, const HeightsRequest& request) {
  try {
    read_heights(path, request);
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::string prefix = path.string() + ": ";
    REQUIRE(message.rfind(prefix, 0) == 0);
    return message.substr(prefix.size());
  }
  return {};
}

std::string error_of_text(const std::string& content, const HeightsRequest& request) {
  const TemporaryFolder folder;
  return error_of_heights(folder.write("heights.txt", content), request);
}

// A version 1 .npy file.
std::string npy(const std::string& header, const std::string& values) {
  std::string result = "\x93NUMPY";
  result += '\x01';
  result += '\0';
  result += static_cast<char>(header.size() % 256);
  result += static_cast<char>(header.size() / 256);
  return result + header + values;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "heights: .npy of float64, of float32 in Fortran order, of integers [written by NumPy]") {
    const auto request = request_4_by_3();
    CHECK(read_heights(kData / "heights_f8.npy", request).values == values_4_by_3());
    CHECK(read_heights(kData / "heights_f4_fortran.npy", request).values == values_4_by_3());
    CHECK(read_heights(kData / "heights_i2.npy", request).values == values_4_by_3(2.0));
    CHECK(read_heights(kData / "heights_i2.npy", request).dataset.empty());
  }

  TEST_CASE("heights: HDF5 of float64, and of compressed integers under a name [written by h5py]") {
    auto request = request_4_by_3();
    CHECK(read_heights(kData / "heights.h5", request).values == values_4_by_3());
    CHECK(read_heights(kData / "heights.h5", request).dataset == "/heights");
    request.dataset = "scan/counts";
    CHECK(read_heights(kData / "heights.h5", request).values == values_4_by_3(2.0));
  }

  TEST_CASE("heights: text with blanks or commas, comments and empty lines") {
    const TemporaryFolder folder;
    HeightsRequest request;
    request.mx = 3;
    request.my = 2;
    const auto path =
        folder.write("h.txt", "# a scan\n\n 1 2.5\t-3e-2 # first row\r\n+4,5 , 6\n\n");
    CHECK(read_heights(path, request).values == std::vector<double>{1, 2.5, -3e-2, 4, 5, 6});
  }

  TEST_CASE("heights: infinity is a distance without contact, but no height") {
    const TemporaryFolder folder;
    HeightsRequest request;
    request.mx = 2;
    request.my = 1;
    const auto path = folder.write("h.txt", "inf 1\n");
    CHECK(error_of_heights(path, request) ==
          "the value in row 1, column 1 is inf; a finite number is needed");
    const auto missing = folder.write("missing.txt", "1 nan\n");
    CHECK(error_of_heights(missing, request) ==
          "the value in row 1, column 2 is nan; a finite number is needed: fill in the points "
          "that were not measured");
    request.infinity = Infinity::allowed;
    CHECK(read_heights(path, request).values.front() == std::numeric_limits<double>::infinity());
    CHECK(error_of_text("1 -inf\n", request) ==
          "the value in row 1, column 2 is -inf; a finite number, or inf where no contact is "
          "possible");
    CHECK(error_of_text("1 nan\n", request) ==
          "the value in row 1, column 2 is nan; a finite number, or inf where no contact is "
          "possible");
    CHECK(error_of_text("inf inf\n", request) == "holds no finite value, so nothing could touch");
  }

  TEST_CASE("heights: another shape is refused with both shapes") {
    HeightsRequest request;
    request.mx = 3;
    request.my = 4;
    const std::string problem = "has the shape (3, 4); the grid needs (my, mx) = (4, 3)";
    CHECK(error_of_heights(kData / "heights_f8.npy", request) == problem);
    CHECK(error_of_heights(kData / "heights_f4_fortran.npy", request) == problem);
    CHECK(error_of_heights(kData / "heights.h5", request) == problem);
    CHECK(error_of_text("1 2\n", request) ==
          "has the shape (1, 2); the grid needs (my, mx) = (4, 3)");
    CHECK(error_of_text("# nothing\n", request) ==
          "has the shape (0, 0); the grid needs (my, mx) = (4, 3)");
    request.dataset = "/line";
    CHECK(error_of_heights(kData / "heights.h5", request) ==
          "has the shape (4); the grid needs (my, mx) = (4, 3)");
  }

  TEST_CASE("heights: files that cannot be read are refused with the reason") {
    const TemporaryFolder folder;
    auto request = request_4_by_3();
    CHECK(error_of_heights(folder.path() / "none.h5", request) ==
          "there is no such file; the path is relative to the case file");
    CHECK(error_of_heights(folder.path(), request) == "is not a file");
    CHECK(error_of_text("", request) == "is empty");
    CHECK(error_of_text(std::string("\0\1\2", 3), request) ==
          "is neither an HDF5 file, nor .npy, nor text");
    request.dataset = "/nothing";
    CHECK(error_of_heights(kData / "heights.h5", request) == "has no dataset '/nothing'");
    CHECK(error_of_text("1 2\n", request) == "is not an HDF5 file, which the key 'dataset' needs");
    request.dataset = "/scan";
    CHECK(error_of_heights(kData / "heights.h5", request).find("cannot be read at '/scan' (") == 0);
    request.dataset = "/scan/names";
    request.mx = 2;
    CHECK(error_of_heights(kData / "heights.h5", request) ==
          "has the shape (2); the grid needs (my, mx) = (3, 2)");
    const auto broken = folder.write("broken.h5", "\x89HDF\r\n\x1a\n and nothing else");
    request.dataset = std::nullopt;
    CHECK(error_of_heights(broken, request).find("cannot be read at '/heights' (") == 0);
  }

  TEST_CASE("heights: text that is not a table of numbers is refused with its line") {
    const auto request = request_4_by_3();
    const std::vector<std::pair<std::string, std::string>> examples{
        {"1 2 3 4\n5 6 x 8\n", "'x' in line 2 is not a number"},
        {"1 2 3 4\n5 6 7\n", "line 2 has 3 values, the lines before it have 4"},
        {"1,,3,4\n", "a value is missing at a comma in line 1"},
        {",2,3,4\n", "a value is missing at a comma in line 1"},
        {"1,2,3,\n", "a value is missing after the last comma of line 1"},
        {"1 2 3 4e\n", "'4e' in line 1 is not a number"},
        {"1 2 3 1e999\n", "'1e999' in line 1 is not a number"},
        {"1;2;3;4\n", "'1;2;3;4' in line 1 is not a number"}};
    for (const auto& example : examples) {
      CAPTURE(example.first);
      const auto& [content, problem] = example;
      CHECK(error_of_text(content, request) == problem);
    }
  }

  TEST_CASE("heights: a damaged or foreign .npy is refused before its values are read") {
    const auto request = request_4_by_3();
    const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n";
    const std::string values(96, '\0');
    CHECK(error_of_heights(kData / "heights_big_endian.npy", request) ==
          "holds values of the type '>f8'; little-endian float64, float32 or integers are needed "
          "(numpy: array.astype('<f8'))");
    const std::vector<std::pair<std::string, std::string>> examples{
        {npy(good, values), ""},
        {npy(good, values.substr(1)), "has 95 bytes of values; its header needs 96"},
        {npy(good, values + "x"), "has 97 bytes of values; its header needs 96"},
        {npy(good, values).substr(0, 30), "is truncated"},
        {npy(good, values).substr(0, 7), "is truncated"},
        {edited(npy(good, values), std::string("NUMPY\x01", 6), "NUMPY\x07"),
         "has the .npy version 7; 1 to 3 are known"},
        {npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (12,), }\n", values),
         "has a damaged .npy header, or one of a structured array"},
        {npy("{'descr': '<f8', 'shape': (3, 4), }\n", values),
         "has a damaged .npy header, or one of a structured array"},
        {npy("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}", values),
         "has a damaged .npy header, or one of a structured array"},
        {npy(good + "x", values), "has a damaged .npy header, or one of a structured array"},
        {npy("{'descr': '<c16', 'fortran_order': False, 'shape': (3, 4)}", values),
         "holds values of the type '<c16'; little-endian float64, float32 or integers are needed "
         "(numpy: array.astype('<f8'))"},
        {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 4)}",
             values),
         "has a damaged .npy header, or one of a structured array"},
        {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (12,)}", values),
         "has the shape (12); the grid needs (my, mx) = (3, 4)"}};
    for (const auto& example : examples) {
      CAPTURE(example.second);
      const auto& [content, problem] = example;
      CHECK(error_of_text(content, request) == problem);
    }
  }

  TEST_CASE("heights: a file that many steps or points name is read once while it is kept") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("a.txt", "1 2\n3 4\n");
    HeightsFiles files;
    const auto first = files.read(path, {});
    folder.write("a.txt", "5 6\n7 8\n");
    CHECK(files.read(path, {}) == first);  // the same object
    HeightsRequest request;
    request.mx = 3;
    CHECK_THROWS_AS(files.read(path, request), InputError);  // what is asked of it still counts
    for (const char* name : {"b.txt", "c.txt", "d.txt", "e.txt"})
      files.read(folder.write(name, "0 1\n"), {});
    CHECK(files.read(path, {})->values == std::vector<double>{5, 6, 7, 8});
    CHECK(first->values == std::vector<double>{1, 2, 3, 4});  // who holds it keeps it
  }

  TEST_CASE("heights: a case names its file from its own folder and resolves it for any other") {
    const TemporaryFolder folder;
    folder.write("rough.txt", "1 2 3 4\n5 6 7 8\n9 10 11 12\n");
    std::string text = edited(test::kPlainCase, "{type: quadratic, xx: 0.01, yy: 0.02}",
                              "{type: heights, file: rough.txt, of: lower}");
    text = edited(text, "[19, 17]", "[4, 3]");
    const CaseFile file = read_case(folder.write("case.yaml", text));
    const auto& shape = std::get<HeightsShape>(file.problem.geometry.at(0));
    CHECK(shape.of == HeightsOf::lower);
    CHECK(shape.values == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    const CaseFile again = test::read_text(file.resolved_yaml);  // in another folder
    CHECK(std::get<HeightsShape>(again.problem.geometry.at(0)).values == shape.values);
    CHECK(again.resolved_yaml == file.resolved_yaml);
  }

  TEST_CASE("heights: an error of the file is at the place of its key") {
    const auto messages =
        test::messages_of(edited(test::kPlainCase, "{type: quadratic, xx: 0.01, yy: 0.02}",
                                 "{type: heights, file: none.h5}"));
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] ==
          "case.yaml:12:33: geometry.file: none.h5: there is no such file; the path is relative to "
          "the case file");
  }
}

}  // namespace slipfield
