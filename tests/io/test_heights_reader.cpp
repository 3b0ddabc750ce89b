// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <hdf5.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/heights/files.h"
#include "io/heights/reader.h"
#include "solver/error.h"
#include "tests/support/near.h"
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

// What refusals of maps of lengths end with.
const std::string kSurfaceHint = "; `slipfield surface` makes heights of such files";

// A version 1 .npy file.
std::string npy(const std::string& header, const std::string& values) {
  std::string result = "\x93NUMPY";
  result += '\x01';
  result += '\0';
  result += static_cast<char>(header.size() % 256);
  result += static_cast<char>(header.size() / 256);
  return result + header + values;
}

// A map of 4 columns and 3 rows, as a case reads it.
HeightsRequest map_4_by_3() {
  HeightsRequest request = request_4_by_3();
  request.of = TableOf::lengths;
  request.form = TableForm::map;
  return request;
}

// An HDF5 file with the values as /heights; `change` adds to the file or to the dataset.
template <typename Change>
std::filesystem::path hdf5_file(const TemporaryFolder& folder, const std::string& name,
                                std::vector<std::size_t> shape, const std::vector<double>& values,
                                Change change) {
  const auto path = folder / name;
  hdf5::Handle file = hdf5::create_file(path);
  {
    const hdf5::Handle dataset =
        hdf5::write_dataset(file.id(), "heights", std::span<const double>(values), shape);
    change(file.id(), dataset.id());
  }
  file.close("H5Fclose", path.string());
  return path;
}

// As NetCDF-4 attaches coordinates: lists of references to datasets.
void attach_scales(hid_t file, hid_t dataset, const std::array<const char*, 2>& names) {
  std::array<hobj_ref_t, 2> references{};
  std::array<hvl_t, 2> lists{};
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(H5Rcreate(&references[i], file, names[i], H5R_OBJECT, -1) >= 0);
    lists[i] = {1, &references[i]};
  }
  const hsize_t count = 2;
  const hdf5::Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "", "");
  const hdf5::Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "", "");
  const hdf5::Handle attribute(
      H5Acreate2(dataset, "DIMENSION_LIST", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "", "");
  REQUIRE(H5Awrite(attribute.id(), type.id(), lists.data()) >= 0);
}

void write_numbers(hid_t file, const std::string& name, const std::vector<double>& values) {
  const std::size_t shape[] = {values.size()};
  hdf5::write_dataset(file, name, std::span<const double>(values), shape);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("heights: a # within a word is part of it, so that 1.#QNAN is not 1") {
    HeightsRequest request;
    CHECK(error_of_text("0 0 1.#QNAN\n0 1 2\n", request) == "'1.#QNAN' in line 1 is not a number");
    CHECK(error_of_text("0 1\n-1.#IND 1\n", request) == "'-1.#IND' in line 2 is not a number");
    CHECK(error_of_text("0,1.#INF,2\n", request) == "'1.#INF' in line 1 is not a number");
    const TemporaryFolder folder;  // comments as before
    const auto path = folder.write("h.txt", "#a b\n1 2 # c\n3 4\t#d\n5 6# e\n7,8,#9\n");
    CHECK_THROWS(read_heights(path, request));  // the comma has no value
    const auto good = folder.write("g.txt", "#a b\n1 2 # c\n3 4\t#d\n5 6# e\n7 8#\n");
    CHECK(read_heights(good, request).values == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  }

  TEST_CASE("heights: commas are decimal signs, or between numbers, or refused where unclear") {
    const HeightsRequest request;
    for (const char* line : {"0,1, 0,2, 0,3\n", "-1,5 ,2,5\n", "-3,1,-2,5,-1,7,-4,2\n",
                             "1,234.5;2,5\n", "0,1 2,5,7\n"}) {
      CAPTURE(line);
      CHECK(error_of_text(line, request).find("in line 1 has a decimal comma; accepted: decimal") !=
            std::string::npos);
    }
    const TemporaryFolder folder;
    for (const char* line :
         {"-1,5 0,25 3\n", "-1,5\t0,25\t3\n", "-1,5;0,25;3\n", " -1,5 ; ,25 ;3\n"}) {
      CAPTURE(line);
      CHECK(read_heights(folder.write("h.txt", line), request).values ==
            std::vector<double>{-1.5, 0.25, 3.0});
    }
    CHECK(error_of_text("1 0,5\n2 1.5\n", request) ==
          "line 2 has a decimal point, and line 1 decimal commas; accepted: one use in all lines");
    CHECK(error_of_text("1 2\n1.5 2\n1;0,5\n", request) ==
          "'0,5' in line 3 has a decimal comma, and line 2 a decimal point; accepted: one use in "
          "all lines");
    CHECK(error_of_text("1;;2\n", request) == "a value is missing at a semicolon in line 1");
    for (const char* line :
         {"1,2,3,4\n", "1, 2, 3, 4\n", "1,2 , 3,4,5\n", "1 2 3 4\n", "1;2;3;4\n"}) {
      CAPTURE(line);
      CHECK(read_heights(folder.write("h.txt", line), request).values[1] == 2.0);
    }
  }

  TEST_CASE("heights: a byte-order mark and Fortran's exponents are read") {
    const TemporaryFolder folder;
    const auto path = folder.write("h.txt",
                                   "\uFEFF1.5D+01 -2d-1\n"
                                   "3D2 4\n");
    CHECK(read_heights(path, {}).values == std::vector<double>{15, -0.2, 300, 4});
    for (const char* word : {"D2", "1.5D", "1.5D+", "1D2x", "1.5DD2"})
      CHECK(error_of_text(std::string("1 ") + word + "\n", {}) ==
            "'" + std::string(word) + "' in line 1 is not a number");
  }

  TEST_CASE("heights: a list of x, y and z is not a map, in rows or in columns") {
    HeightsRequest request;
    request.of = TableOf::lengths;
    request.form = TableForm::map;
    std::string rows;
    std::array<std::string, 3> columns;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) {
        if (x == 2 && y == 1) continue;  // one was not measured
        const std::array<double, 3> point{0.1 * x, 0.2 * y, 0.01 * x * y};
        for (std::size_t i = 0; i < 3; ++i) {
          rows += std::to_string(point[i]) + (i < 2 ? " " : "\n");
          columns[i] += std::to_string(point[i]) + " ";
        }
      }
    }
    const std::string problem =
        "lists x, y and z of 11 points; accepted: a table with a row of heights for each y, the "
        "lowest first" +
        kSurfaceHint;
    CHECK(error_of_text(rows, request) == problem);
    CHECK(error_of_text(columns[0] + "\n" + columns[1] + "\n" + columns[2], request) == problem);
    request.form = TableForm::list;
    CHECK(error_of_text(rows, request).empty());
    request.form = TableForm::map;  // three columns of heights
    CHECK(error_of_text("1 2 3\n2 3 4\n3 4 5\n2 4 5\n1 2 2\n0 3 3\n2 2 2\n", request).empty());
  }

  TEST_CASE("heights: a row and a column of places are refused, a plane is taken") {
    HeightsRequest request;
    request.of = TableOf::lengths;
    request.form = TableForm::map;
    const auto table = [&](double roughness, double corner) {
      std::string text = std::to_string(corner);
      for (int x = 0; x < 6; ++x) text += " " + std::to_string(0.5 * x);
      for (int y = 0; y < 5; ++y) {
        text += "\n" + std::to_string(0.25 * y + 0.25);
        for (int x = 0; x < 6; ++x)
          text += " " + std::to_string(0.5 * x + 0.25 * y + 0.75 +
                                       roughness * std::sin(7.0 * x + 3.0 * y));
      }
      return error_of_text(text, request);
    };
    CHECK(table(0.1, 0.0) ==
          "has places in its first row and its first column; accepted: a table of heights alone, a "
          "row for each y, the lowest first" +
              std::string(kSurfaceHint));
    CHECK(table(0.0, -0.5).empty());
    // A tilted plane with a bump that leaves its first row and column straight.
    std::string tilted;
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 7; ++x)
        tilted += std::to_string(0.5 * x + 0.25 * y + (x * y > 0 ? std::sin(x * y) : 0.0)) + " ";
      tilted += "\n";
    }
    CHECK(error_of_text(tilted, request).empty());
  }

  TEST_CASE("heights: places are none in few rows, with few digits and with the noise of a stage") {
    HeightsRequest request;
    request.of = TableOf::lengths;
    request.form = TableForm::map;
    const auto table = [&](int mx, int my, int digits, bool turned) {
      const double unit = std::pow(10.0, -digits);
      const auto rounded = [&](double value) { return unit * std::round(value / unit); };
      const auto height = [](int x, int y) { return std::sin(7.0 * x + 3.0 * y); };
      std::string text;
      for (int row = 0; row <= (turned ? mx : my); ++row) {
        for (int column = 0; column <= (turned ? my : mx); ++column) {
          const int x = turned ? row : column;
          const int y = turned ? column : row;
          const double value = x == 0 && y == 0 ? 0.0
                               : y == 0         ? rounded((x + 1) / 3.0)
                               : x == 0         ? rounded(2.0 * (y + 1) / 3.0)
                                                : height(x, y);
          text += std::to_string(value) + " ";
        }
        text += "\n";
      }
      return error_of_text(text, request);
    };
    for (const bool turned : {false, true}) {
      CHECK(table(8, 6, 3, turned).starts_with("has places in its first row"));
      CHECK(table(8, 2, 3, turned).starts_with("has places in its first row"));
      CHECK(table(8, 3, 6, turned).starts_with("has places in its first row"));
    }
    // Few rows of heights, of which the first may be even by chance.
    CHECK(error_of_text("1 2 3 4 5 6\n2 4 6 8 10 12\n1 5 2 7 3 9\n", request).empty());
    CHECK(error_of_text("1 2 3 4 5 6\n1 2 2 3 3 4\n1 3 2 4 4 5\n", request).empty());
    CHECK(error_of_text("0.0 0.4 0.9 1.3 1.7 2.2 2.6\n1.5 1.4 2.9 3.3 2.7 3.2 3.6\n1.0 1.9 2.1 2.2 "
                        "2.9 3.1 4.0\n",
                        request)
              .empty());
    CHECK(error_of_text("0 4 9 13 17 22 26\n3 4 29 13 7 2 6\n1 19 21 3 7 8 2\n", request).empty());
    const auto scan = [&](double noise, double unit) {
      std::string text;
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 6; ++x) {
          const double at = 0.1 * x + noise * std::sin(5.0 * (x + 6 * y));
          text += std::to_string(unit * std::round(at / unit)) + " " +
                  std::to_string(0.4 * y + noise * std::cos(3.0 * (x + 6 * y))) + " " +
                  std::to_string(std::sin(x + 6.0 * y)) + "\n";
        }
      return error_of_text(text, request);
    };
    CHECK(scan(0.0, 1e-6).starts_with("lists x, y and z of 24 points"));
    CHECK(scan(0.01, 1e-6).starts_with("lists x, y and z of 24 points"));
    CHECK(scan(0.0, 0.2).starts_with("lists x, y and z of 24 points"));  // two places are one
  }

  TEST_CASE("heights: a list of points is none in any order of its columns, with more of them") {
    auto request = map_4_by_3();
    request.mx = 0;
    request.my = 0;
    const auto listed = [&](const std::vector<int>& columns, bool twice) {
      std::string text;
      for (int i = 0; i < 25 + (twice ? 1 : 0); ++i) {
        const int place = i % 25;
        const double point[] = {0.5 * (place % 5), 0.25 * (place / 5), std::sin(7.0 * place), 1.0};
        for (const int column : columns) text += std::to_string(point[column]) + " ";
        text += "\n";
      }
      return error_of_text(text, request);
    };
    for (const auto& columns :
         std::vector<std::vector<int>>{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {0, 1, 2, 3}})
      CHECK(listed(columns, false).starts_with("lists x, y and z of 25 points"));
    CHECK(listed({0, 1, 2}, true).starts_with("lists x, y and z of 26 points"));
    CHECK(listed({2, 3, 2}, false).empty());
  }

  TEST_CASE("heights: a unit in a text file's comments is that of the case, or refused") {
    const auto request = map_4_by_3();
    const std::string rows = "1 2 3 4\n5 6 7 8\n9 10 11 13\n";
    CHECK(error_of_text("# Channel: Z\n# Value units: m\n" + rows, request) ==
          "line 2 says that the values are in m; accepted: the case's unit of length, mm, or an "
          "HDF5 file, whose units count");
    CHECK(error_of_text("#unit = um\r\n" + rows, request).starts_with("line 1 says"));
    for (const char* head : {"# Value units: mm\n", "# Width: 5 um\n", "# units: counts\n", "# z\n",
                             "# xy units: um\n"})
      CHECK(error_of_text(head + rows, request).empty());
  }

  TEST_CASE("heights: a comment's unit counts wherever it stands, if it is that of the values") {
    const auto request = map_4_by_3();
    const std::string rows = "1 2 3 4\n5 6 7 8\n9 10 11 13\n";
    for (const char* head : {"# Height [um]\n", "# z in um\n", "# heights (um)\n", "# z/um\n",
                             "#Height map (in \u00b5m), pixel size 1 mm\n", "# H\u00f6he [\xb5m]\n",
                             "# x [mm], y [mm], surface heights [ um ]\n", "# values in UM.\n"}) {
      CAPTURE(head);
      CHECK(error_of_text(head + rows, request).starts_with("line 1 says that the values are in"));
    }
    for (const char* head :
         {"# Height [mm]\n", "# z in mm\n", "# pixel size [um], heights in mm\n", "# x, y in um\n",
          "# height step [um]\n", "# rms of the heights (um)\n", "# 5 um of height\n",
          "# heights in mm (measured in um)\n", "# measured by A. Maier (m)\n"}) {
      CAPTURE(head);
      CHECK(error_of_text(head + rows, request).empty());
    }
    HeightsRequest profile;
    profile.of = TableOf::lengths;
    profile.mx = 2;
    profile.columns = columns_of_profile();
    for (const char* head : {"# y [um] z [um]\n", "# y_um z_um\n", "y [um];z [um]\n", "y/um z/um\n",
                             "# y, z in um\n", "# lateral (mm), vertical (um)\n"}) {
      CAPTURE(head);
      CHECK(error_of_text(head + std::string("0 1\n2 3\n"), profile)
                .starts_with("line 1 says that the values are in um"));
    }
  }

  TEST_CASE("heights: the names in a first line decide the order of the columns, or are refused") {
    const TemporaryFolder folder;
    HeightsRequest profile;
    profile.mx = 2;
    profile.columns = columns_of_profile();
    const std::vector<double> in_order{0, 10, 1, 11, 2, 12};
    const auto read = [&](const std::string& head, const std::string& rows) {
      return read_heights(folder.write("p.txt", head + "\n" + rows), profile).values;
    };
    for (const char* head :
         {"z,y", "height;lateral", "# z y", "# Columns: z, y", "Z [mm] Y [mm]", "z (mm)\ty (mm)",
          "H\u00f6he;Breite", "rail z;rail y", "z [mm], lateral position [mm]", "\"z\";\"y\"",
          "z x", "z_mm y_mm", "zmm ymm", "# a scan\n# z y\n# by NumPy", "# y z\nz,y"}) {
      CAPTURE(head);
      CHECK(read(head, "10 0\n11 1\n12 2\n") == in_order);
    }
    for (const char* head : {"y,z",
                             "x z",
                             "x y",
                             "# y z",
                             "y;s",
                             "foo;z",
                             "Crown profile",
                             "Vertical profile",
                             "# height over width",
                             "# heights",
                             "# z;y;x",
                             "a title of z",
                             "lateral height",
                             "# z y\ny,z",
                             "dwars;hoogte",
                             "s h",
                             "c1 c2",
                             "z vs y",
                             "Profile Y",
                             "z foo",
                             "Height over lateral position",
                             "# Resolution: vertical 0.001 mm, lateral 0.01 mm",
                             "# z 0.0, y 0.0",
                             "# Height = 12, Width = 40",
                             "# Height / width",
                             "# Wear depth, lateral wear",
                             "# y z\n# height, width",
                             "# measured in Ft. Collins",
                             "# surface [um] rms 0.5",
                             "# height noise [um]: 0.3",
                             "# tolerance of the profile [um]"}) {
      CAPTURE(head);
      CHECK(read(head, "0 10\n1 11\n2 12\n") == in_order);
    }
    for (const char* head : {"foo;y", "z;foo;y", "z,y,n"}) {
      CAPTURE(head);
      CHECK(error_of_text(head + std::string("\n0 10\n1 11\n"), profile) ==
            "the names in line 1, '" + std::string(head) +
                "', leave open which column is which; accepted: y, z in any order, or no line of "
                "names");
    }
    HeightsRequest four;
    four.mx = 4;
    four.columns = {{"ratio", "a/b"}, {"creepage_x"}, {"creepage_y"}, {"spin"}};
    const auto turned = folder.write("t.txt", "a/b spin creepage_x creepage_y\n1 4 2 3\n");
    CHECK(read_heights(turned, four).values == std::vector<double>{1, 2, 3, 4});
    CHECK(error_of_text("vx vy spin r\n1 2 3 4\n", four).starts_with("the names in line 1"));
  }

  TEST_CASE("heights: a text file whose lines end with a carriage return alone is refused") {
    CHECK(error_of_text("1 2 3 4\r5 6 7 8\r9 10 11 12\r\n", map_4_by_3()) ==
          "has lines that end with a carriage return alone; accepted: line feeds");
  }

  TEST_CASE("heights: fill values are refused, and usual ones far from the others warned of") {
    HeightsRequest request;
    request.of = TableOf::lengths;
    request.form = TableForm::map;
    for (const char* fill : {"9.96921e+36", "-9.97e36", "1.70141e38", "-3.4028235e+38", "1e20"}) {
      CAPTURE(fill);
      const std::string error = error_of_text(std::string("1 2\n3 ") + fill + "\n", request);
      CHECK(error.find("the value in row 2, column 2 is ") == 0);
      CHECK(error.find("; it looks like a fill value: fill in the points") != std::string::npos);
    }
    request.infinity = Infinity::allowed;  // a great distance is far away, as infinity is
    CHECK(error_of_text("1 1e30\n", request).empty());
    CHECK_FALSE(error_of_text("1 9.96921e36\n", request).empty());
    CHECK_FALSE(error_of_text("1 -1e30\n", request).empty());
    request.of = TableOf::numbers;
    CHECK(error_of_text("1 9.96921e36\n", request).empty());
    const auto warning = [](std::vector<double> values) {
      const int mx = static_cast<int>(values.size()) / 2;
      return fill_value_warning({std::move(values), mx, 2, {}}).value_or("");
    };
    CHECK(warning({0.01, 0.02, -9999, 0.015, -9999, 0.01}) ==
          "the value -9999 in 2 places, first in row 1, column 3, lies far from all others (0.01 "
          "to 0.02), as a fill value does where nothing was measured");
    CHECK(warning({0.01, 0.02, 32767, 0.015})
              .find("the value 32767 in 1 place, first in row 2, column 1") == 0);
    CHECK(warning({0.01, 0.02, 0.03, -0.015}).empty());
    CHECK(warning({9997, 9998, 9999, 9998}).empty());
  }

  TEST_CASE("heights: units of inches and feet in an HDF5 dataset are known") {
    const TemporaryFolder folder;
    for (const auto& [unit, in_mm] : {std::pair("mil", 0.0254), std::pair("thou", 0.0254),
                                      std::pair("inch", 25.4), std::pair("ft", 304.8)}) {
      const auto file = hdf5_file(
          folder, unit + std::string(".h5"), {3, 4}, values_4_by_3(),
          [&](hid_t, hid_t set) { hdf5::write_attribute(set, "units", std::string_view(unit)); });
      const std::vector<double> values = read_heights(file, map_4_by_3()).values;
      for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(values[i] == test::near(in_mm * values_4_by_3()[i], 1e-14));
    }
  }

  TEST_CASE("heights: scale, offset and unit of an HDF5 dataset are applied [CF conventions]") {
    const TemporaryFolder folder;
    const auto packed = hdf5_file(folder, "a.h5", {3, 4}, values_4_by_3(), [](hid_t, hid_t set) {
      hdf5::write_attribute(set, "scale_factor", 2.0);
      hdf5::write_attribute(set, "add_offset", -1.0);
      hdf5::write_attribute(set, "units", std::string_view("\xc2\xb5m"));
    });
    auto request = map_4_by_3();
    const std::vector<double> in_mm = read_heights(packed, request).values;
    request.metres = 1.0;
    const std::vector<double> in_m = read_heights(packed, request).values;
    for (std::size_t i = 0; i < in_mm.size(); ++i) {
      const double micrometres = 2.0 * values_4_by_3()[i] - 1.0;
      CHECK(in_mm[i] == test::near(1e-3 * micrometres, 1e-14));
      CHECK(in_m[i] == test::near(1e-6 * micrometres, 1e-14));
    }
    request.of = TableOf::coefficients;
    CHECK(error_of_heights(packed, request) ==
          "'/heights' has the units '\xc2\xb5m'; accepted: of coefficients 1 or %");
    const auto counts = hdf5_file(folder, "b.h5", {3, 4}, values_4_by_3(), [](hid_t, hid_t set) {
      hdf5::write_attribute(set, "units", std::string_view("counts"));
    });
    CHECK(error_of_heights(counts, map_4_by_3()) ==
          "'/heights' has the units 'counts', which is not a length; accepted: m, cm, mm, um, nm, "
          "inch");
    const auto percent = hdf5_file(folder, "c.h5", {3, 4}, values_4_by_3(), [](hid_t, hid_t set) {
      hdf5::write_attribute(set, "units", std::string_view("%"));
    });
    CHECK(read_heights(percent, request).values[0] == test::near(0.005, 1e-14));
  }

  TEST_CASE("heights: values that an HDF5 dataset calls missing are refused with their place") {
    const TemporaryFolder folder;
    for (const char* name : {"_FillValue", "missing_value"}) {
      const auto path =
          hdf5_file(folder, std::string(name) + ".h5", {3, 4}, values_4_by_3(),
                    [&](hid_t, hid_t set) { hdf5::write_attribute(set, name, 12.5); });
      CHECK(error_of_heights(path, map_4_by_3()) ==
            "the stored value in row 2, column 3 is 12.5, the file's " + std::string(name) +
                ": fill in the points that were not measured" + kSurfaceHint);
    }
    const auto path = hdf5_file(folder, "r.h5", {3, 4}, values_4_by_3(), [](hid_t, hid_t set) {
      const double range[] = {0.0, 20.0};
      hdf5::write_attribute(set, "valid_range", std::span<const double>(range));
    });
    CHECK(
        error_of_heights(path, map_4_by_3())
            .find("the stored value in row 3, column 1 is 20.5, outside the file's valid range") ==
        0);
  }

  TEST_CASE("heights: rows and columns follow the coordinates of an HDF5 file") {
    const TemporaryFolder folder;
    const std::vector<double> values = values_4_by_3();
    const auto at = [&](const Heights& heights, int row, int column) {
      return heights.values[static_cast<std::size_t>(4 * row + column)];
    };
    const auto falling = hdf5_file(folder, "a.h5", {3, 4}, values, [](hid_t file, hid_t) {
      write_numbers(file, "y", {0.2, 0.1, 0.0});
    });
    const Heights turned = read_heights(falling, map_4_by_3());
    CHECK(at(turned, 0, 1) == 21.5);
    CHECK(at(turned, 2, 3) == 3.5);
    CHECK(turned.dy == test::near(0.1, 1e-12));
    CHECK(turned.dx == 0.0);
    const auto capital = hdf5_file(folder, "e.h5", {3, 4}, values, [](hid_t file, hid_t) {
      write_numbers(file, "X", {4.0, 3.0, 2.0, 1.0});
    });
    CHECK(at(read_heights(capital, map_4_by_3()), 0, 0) == 3.5);
    const auto attached = [&](const char* name, std::array<const char*, 2> names,
                              std::vector<double> rows, std::vector<double> columns) {
      return hdf5_file(folder, name, {3, 4}, values, [&](hid_t file, hid_t set) {
        write_numbers(file, names[0], rows);
        write_numbers(file, names[1], columns);
        attach_scales(file, set, names);
      });
    };
    const Heights both = read_heights(
        attached("b.h5", {"northing", "easting"}, {3, 2, 1}, {0.8, 0.6, 0.4, 0.2}), map_4_by_3());
    CHECK(at(both, 0, 0) == 23.5);
    CHECK(at(both, 2, 3) == 0.5);
    CHECK(both.dy == 0.0);  // numbers of rows
    CHECK(both.dx == test::near(0.2, 1e-12));
    CHECK(error_of_heights(attached("c.h5", {"x", "y"}, {0, 1, 2}, {0, 1, 2, 3}), map_4_by_3())
              .find("has the dimensions (x, y); accepted: (y, x)") != std::string::npos);
    CHECK(error_of_heights(attached("d.h5", {"y", "x"}, {0, 1, 5}, {0, 1, 2, 3}), map_4_by_3()) ==
          "its coordinates '/y' are not evenly spaced; accepted: values at even steps");
  }

  TEST_CASE("heights: dimensions (x, y) are refused by whatever name the file has for them") {
    const TemporaryFolder folder;
    const std::vector<double> values = values_4_by_3();
    for (const auto& names : std::vector<std::array<const char*, 2>>{
             {"lon", "lat"}, {"x_mm", "y_mm"}, {"Easting", "Northing"}}) {
      const auto path = hdf5_file(folder, std::string(names[0]) + ".h5", {3, 4}, values,
                                  [&](hid_t file, hid_t set) {
                                    write_numbers(file, names[0], {0, 1, 2});
                                    write_numbers(file, names[1], {0, 1, 2, 3});
                                    attach_scales(file, set, names);
                                  });
      CHECK(error_of_heights(path, map_4_by_3()) ==
            std::string("'/heights' has the dimensions (") + names[0] + ", " + names[1] +
                "); accepted: (y, x), a row of values along x for each y");
    }
    // Not attached, but of other lengths than (y, x) has.
    const auto beside = hdf5_file(folder, "b.h5", {3, 4}, values, [](hid_t file, hid_t) {
      write_numbers(file, "x", {0, 1, 2});
      write_numbers(file, "y", {0, 1, 2, 3});
    });
    CHECK(error_of_heights(beside, map_4_by_3()).find("has the dimensions (x, y)") !=
          std::string::npos);
  }

  TEST_CASE("heights: falling coordinates turn rows round in every form that files have of them") {
    const TemporaryFolder folder;
    const std::vector<double> values = values_4_by_3();
    const auto first_row = [&](const std::filesystem::path& path) {
      const Heights heights = read_heights(path, map_4_by_3());
      return std::vector<double>(heights.values.begin(), heights.values.begin() + 4);
    };
    const std::vector<double> last(values.end() - 4, values.end());
    for (const char* name : {"lat", "NORTHING"})
      CHECK(first_row(hdf5_file(folder, name, {3, 4}, values, [&](hid_t file, hid_t) {
              write_numbers(file, name, {0.2, 0.1, 0.0});
            })) == last);
    const auto table = [](hid_t file, std::vector<std::size_t> shape, std::vector<double> y) {
      hdf5::write_dataset(file, "y", std::span<const double>(y), shape);
    };
    CHECK(first_row(hdf5_file(folder, "column", {3, 4}, values, [&](hid_t file, hid_t) {
            table(file, {3, 1}, {2, 1, 0});
          })) == last);
    const std::vector<double> mesh{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0};
    CHECK(first_row(hdf5_file(folder, "mesh", {3, 4}, values, [&](hid_t file, hid_t) {
            table(file, {3, 4}, mesh);
          })) == last);
    std::vector<double> columns(12);  // as MATLAB stores them
    for (std::size_t i = 0; i < 12; ++i) columns[i] = values[4 * (i % 3) + i / 3];
    CHECK(first_row(hdf5_file(folder, "matlab", {4, 3}, columns, [&](hid_t file, hid_t set) {
            hdf5::write_ascii_attribute(set, "MATLAB_class", "double");
            table(file, {1, 3}, {2, 1, 0});
          })) == last);
  }

  TEST_CASE("heights: attributes of an HDF5 dataset count however their names are spelled") {
    const TemporaryFolder folder;
    const auto changed = [&](const char* name, const char* unit, const char* factor) {
      return hdf5_file(folder, name, {3, 4}, values_4_by_3(), [&](hid_t, hid_t set) {
        hdf5::write_attribute(set, unit, std::string_view("um"));
        hdf5::write_attribute(set, factor, 2.0);
      });
    };
    for (const auto& path :
         {changed("a.h5", "Units", "Scale_Factor"), changed("b.h5", "UNIT", "SCALE_FACTOR")})
      CHECK(read_heights(path, map_4_by_3()).values[0] == test::near(0.001, 1e-14));
    for (const char* name : {"FillValue", "fill_value", "nodata", "NODATA_value"}) {
      const auto path =
          hdf5_file(folder, std::string(name) + ".h5", {3, 4}, values_4_by_3(),
                    [&](hid_t, hid_t set) { hdf5::write_attribute(set, name, 12.5); });
      CHECK(error_of_heights(path, map_4_by_3()) ==
            "the stored value in row 2, column 3 is 12.5, the file's " + std::string(name) +
                ": fill in the points that were not measured" + kSurfaceHint);
    }
  }

  TEST_CASE("heights: arrays of MATLAB and Octave are read as they show them") {
    const TemporaryFolder folder;
    // Z(3, 4), stored column by column.
    std::vector<double> columns(12);
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 4; ++column)
        columns[3 * column + row] = values_4_by_3()[4 * row + column];
    const auto matlab = hdf5_file(folder, "a.mat", {4, 3}, columns, [](hid_t, hid_t set) {
      hdf5::write_ascii_attribute(set, "MATLAB_class", "double");
    });
    CHECK(read_heights(matlab, map_4_by_3()).values == values_4_by_3());
    const auto text = hdf5_file(folder, "b.mat", {4, 3}, columns, [](hid_t, hid_t set) {
      hdf5::write_ascii_attribute(set, "MATLAB_class", "char");
    });
    CHECK(error_of_heights(text, map_4_by_3()) ==
          "'/heights' is of MATLAB's class char; accepted: an array of numbers");
    const auto octave = hdf5_file(folder, "c.h5", {1, 1}, {0.0}, [&](hid_t file, hid_t) {
      const hdf5::Handle group = hdf5::create_group(file, "Z");
      hdf5::write_attribute(group.id(), "OCTAVE_NEW_FORMAT", std::int64_t{1});
      const std::size_t shape[] = {4, 3};
      hdf5::write_dataset(group.id(), "value", std::span<const double>(columns), shape);
    });
    auto request = map_4_by_3();
    request.dataset = "/Z/value";
    CHECK(read_heights(octave, request).values == values_4_by_3());
    const auto old = folder.write("d.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64");
    CHECK(error_of_heights(old, map_4_by_3()) ==
          "is MATLAB's format of version 5 to 7, which is not read; accepted: save(file, 'Z', "
          "'-v7.3')" +
              kSurfaceHint);
  }

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
        {"1:2:3:4\n", "'1:2:3:4' in line 1 is not a number"}};
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
