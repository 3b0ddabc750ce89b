// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/profiles/reader.h"
#include "solver/error.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

using test::kProfiles;
using test::TemporaryFolder;

std::string error_of(const std::string& name, const std::string& content, ProfileRole role,
                     const ProfileChanges& changes = {}) {
  const TemporaryFolder folder;
  const auto path = folder.write(name, content);
  try {
    read_profile(path, role, changes);
  } catch (const InputError& error) {
    const std::string message = error.what();
    REQUIRE(message.rfind(path.string(), 0) == 0);
    return message.substr(path.string().size());
  }
  return {};
}

std::string rail_table(const std::string& separator, const std::string& head = "") {
  std::string text = head;
  for (int i = 0; i <= 60; ++i) {
    const double y = -30.0 + i;
    text += std::to_string(y) + separator + std::to_string(y * y / 200.0) + "\n";
  }
  return text;
}

// A row for each point, by its y, z and number; with decimal commas or points.
std::string rows_of_rail(const std::string& head, const char* row, bool commas = false) {
  std::string text = head;
  for (int i = 0; i <= 60; ++i) {
    std::string line = fmt::format(fmt::runtime(row), -30.0 + i, 0.005 * (i - 30) * (i - 30), i);
    if (commas) std::ranges::replace(line, '.', ',');
    text += line + "\n";
  }
  return text;
}

Profile read_rows_of_rail(const std::string& text) {
  CAPTURE(text.substr(0, 60));
  const TemporaryFolder folder;
  const Profile rail = read_profile(folder.write("a.csv", text), ProfileRole::rail, {});
  CHECK(rail.points.size() == 61);
  CHECK(rail.points.front().y == -30.0);
  CHECK(rail.points[40].z == 0.5);
  return rail;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("profile files: SIMPACK's wheel and rail come out in canonical form") {
  const auto wheel = test::manchester_wheel();
  CHECK(wheel->points.size() == 399);
  CHECK(wheel->points.front().y == 60.0);
  CHECK(wheel->points.front().z == -2.6356764);
  CHECK(wheel->points.back().y == -69.612628);
  const auto rail = test::manchester_rail();
  CHECK(rail->points.size() == 492);  // three of 495 repeat the one before within 1e-4 mm
  CHECK(rail->points.front().y == test::near(-43.704898, 1e-9));
  CHECK(rail->notes.empty());  // SIMPACK's format says where z points
  CHECK(rail->warnings.empty());
  CHECK(wheel->warnings.empty());
}

TEST_CASE("profile files: MiniProf's rail, mirrored, is SIMPACK's") {
  ProfileChanges mirror;
  mirror.mirror_y = true;
  const Profile other = read_profile(kProfiles / "MBench_UIC60_v3.ban", ProfileRole::rail, mirror);
  // 19 of the points that its header counts are commented out.
  CHECK(other.warnings.empty());
  CHECK(std::ranges::count(other.notes, "19 points are commented out") == 1);
  const auto rail = test::manchester_rail();
  for (const double y : {-40.0, -20.3, 0.0, 7.7, 29.0}) {
    const double z = rail->curve.at(rail->curve.parameter_at_y(y, SeenFrom::above).value()).z();
    const double s = other.curve.parameter_at_y(y, SeenFrom::above).value();
    CHECK(other.curve.at(s).z() == test::near(z, 1e-7));  // other points at its ends
  }
  try {
    read_profile(kProfiles / "MBench_UIC60_v3.ban", ProfileRole::rail, {});
    FAIL("a MiniProf file without mirror_y was taken");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("mirror_y: true") != std::string::npos);
  }
}

TEST_CASE("profile files: tables with blanks, commas, semicolons and a line of names are one") {
  for (const char* separator : {" ", "\t", ", ", ";"}) {
    const TemporaryFolder folder;
    for (const char* head : {"", "y,z\n", "# measured\n\n"}) {
      const Profile rail = read_profile(folder.write("rail.csv", rail_table(separator, head)),
                                        ProfileRole::rail, {});
      CHECK(rail.points.size() == 61);
      CHECK(rail.points[40].y == 10.0);
      CHECK(rail.points[40].z == 0.5);
    }
  }
}

TEST_CASE("profile files: SIMPACK's keywords shift, cut, mirror and scale in their order") {
  std::string text =
      "header.begin\n type = 0\nheader.end\nspline.begin\n shift.y = 1\n bound.y.min = -20 ! mm\n"
      " bound.y.max = 20\n mirror.y = 1\n units.len.f = 100\n point.begin\n";
  for (int i = 0; i <= 60; ++i)
    text += std::to_string(-3.0 + 0.1 * i) + " " +
            std::to_string(0.05 * (i - 30) * (i - 30) / 100.0) + " 1.0\n";
  const TemporaryFolder folder;
  const Profile rail =
      read_profile(folder.write("a.prr", text + "point.end\n"), ProfileRole::rail, {});
  // In cm: y = -3 .. 3 shifted by 1, mirrored, times 10; the bounds of 20 cut nothing.
  CHECK(rail.points.front().y == test::near(-40.0));
  CHECK(rail.points.back().y == test::near(20.0));
  CHECK(rail.points[0].z == test::near(4.5));
}

TEST_CASE("profile files: a first line with a byte-order mark or Fortran's exponents is a point") {
  const TemporaryFolder folder;
  const Profile marked =
      read_profile(folder.write("a.txt", rail_table(" ", "\xef\xbb\xbf")), ProfileRole::rail, {});
  CHECK(marked.points.size() == 61);
  CHECK(marked.points.front().y == -30.0);
  std::string fortran;
  for (int i = 0; i <= 60; ++i) {
    const double y = -30.0 + i;
    fortran += std::to_string(y / 10.0) + "D+01 " + std::to_string(y * y / 2.0) + "d-02\n";
  }
  const Profile rail = read_profile(folder.write("b.txt", fortran), ProfileRole::rail, {});
  CHECK(rail.points.size() == 61);
  CHECK(rail.points.front().y == test::near(-30.0));
  CHECK(rail.points.front().z == test::near(4.5));
}

TEST_CASE("profile files: text in UTF-16 is read by its byte-order mark, and not without") {
  const TemporaryFolder folder;
  const std::string plain = rail_table("\t", "y [mm]\tz [mm]\n");
  std::string little = "\xff\xfe";
  std::string big = "\xfe\xff";
  for (const char letter : plain) {
    little += {letter, '\0'};
    big += {'\0', letter};
  }
  for (const std::string& text : {little, big}) {
    const Profile rail = read_profile(folder.write("a.txt", text), ProfileRole::rail, {});
    CHECK(rail.points.size() == 61);
    CHECK(rail.points[40].z == 0.5);
  }
  CHECK(error_of("b.txt", little.substr(2), ProfileRole::rail) ==
        ": is not text; accepted: plain text, UTF-8 or UTF-16 with its mark");
}

namespace {

// The right side, as VAMPIRE has it: y from the track's centre, `origin` + that of the profile.
std::string vampire_file(const std::string& head, double origin, double left_differs,
                         std::vector<ProfilePoint> points) {
  std::string text = head;
  for (const ProfilePoint& p : points)
    text += fmt::format("{:.4f}, {:.4f}, {:.4f}, {:.4f}\n", -(p.y + origin) - left_differs, p.z,
                        p.y + origin, p.z);
  return text;
}

}  // namespace

TEST_CASE(
    "profile files: VAMPIRE's wheels and rails count from the track's centre, by their datum") {
  const TemporaryFolder folder;
  const std::vector<ProfilePoint> shape = test::manchester_wheel()->points;
  const std::string wheel_head = "WHEELPROFILE\nS1002, new\nTREADDATUM {}\nFLANGEBACK 1360.0\n";
  for (const auto& [datum, millimetres] :
       {std::pair("EUROPEAN", 70.0), std::pair("US1", 72.23125), std::pair("US2", 77.7875),
        std::pair("CUSTOM 68.5", 68.5)}) {
    CAPTURE(datum);
    const std::string text =
        vampire_file(test::edited(wheel_head, "{}", datum), 680.0 + millimetres, 0.0, shape);
    const Profile wheel = read_profile(folder.write("a.whe", text), ProfileRole::wheel, {});
    REQUIRE(wheel.points.size() == shape.size());
    CHECK(wheel.points[100].y == test::within(shape[100].y, 6e-5));  // of four decimals
    CHECK(wheel.points[100].z == test::within(shape[100].z, 6e-5));
    CHECK(wheel.notes.back().rfind("its file has the flange backs 1360 mm apart at y = -", 0) == 0);
  }
  // z up, as VAMPIRE's rails are: the shape shows it. The gauge point is at y = 0.
  std::vector<ProfilePoint> rail;
  for (int i = 0; i <= 70; ++i) rail.push_back({1.0 * i, -(i - 35.0) * (i - 35.0) / 200.0});
  const std::string rail_head = "RailProfile\n\nGAUGEPOINT US\n! worn\nGauge = 1435\n";
  const Profile read = read_profile(
      folder.write("b.rai", vampire_file(rail_head, 717.5, 0.25, rail)), ProfileRole::rail, {});
  CHECK(read.points.front().y == test::within(0.0, 1e-12));
  CHECK(read.points.front().z == test::near(6.125));
  CHECK(read.notes.back() ==
        "its file has the gauge of 1435 mm at y = 0, 15.88 mm below the top (gauge, gauge_height)");
  REQUIRE(read.warnings.size() == 1);
  CHECK(read.warnings[0] ==
        "its left side differs from its right one by up to 0.25 mm; the right one is taken, and "
        "the left one needs a file of its own");
  for (ProfilePoint& p : rail) p.y = -p.y;  // with y to the left the same rail, turned round
  const Profile turned = read_profile(
      folder.write("c.rai", vampire_file(rail_head, -717.5, 0.0, rail)), ProfileRole::rail, {});
  REQUIRE(turned.points.size() == read.points.size());
  for (std::size_t i = 0; i < read.points.size(); ++i) {
    CHECK(turned.points[i].y == test::near(read.points[i].y));
    CHECK(turned.points[i].z == test::near(read.points[i].z));
  }
  REQUIRE(turned.warnings.size() == 1);
  CHECK(turned.warnings[0].find("its right side (the third column) is at y < 0") == 0);
}

TEST_CASE("profile files: what is missing in VAMPIRE's files is one sentence") {
  const auto of = [](const std::string& text) {
    return error_of("a.whe", text, ProfileRole::wheel);
  };
  CHECK(
      of("WHEELPROFILE\nx\nTREADDATUM EUROPEAN\n1 2 3 4\n") ==
      ": is one of VAMPIRE's without a line FLANGEBACK; accepted: both TREADDATUM and FLANGEBACK");
  CHECK(
      of("WHEELPROFILE\nx\nTREADDATUM ASIAN\nFLANGEBACK 1360\n1 2 3 4\n") ==
      ":3: TREADDATUM has no known datum; accepted: EUROPEAN, US1, US2 or CUSTOM with a length in "
      "mm");
  CHECK(of("WHEELPROFILE\nx\nTREADDATUM US1\nFLANGEBACK -5\n1 2 3 4\n") ==
        ":4: FLANGEBACK has no length; accepted: a number of mm > 0");
  CHECK(of("WHEELPROFILE\nx\nTREADDATUM US1\nFLANGEBACK 1360\n1 2\n") ==
        ":5: has 2 of the 4 numbers of a point; accepted: 4 or more in each line of points, or the "
        "file without this line, if it was cut off");
  CHECK(of("RAILPROFILE\nx\nGAUGEPOINT US\nGAUGE 1435\n1 2 3 4\n")
            .rfind(": is the profile of a rail, where a wheel's is needed; accepted: ", 0) == 0);
}

TEST_CASE("profile files: GENSYS's rails are warned of, whose y points to the track's centre") {
  const TemporaryFolder folder;
  const auto path = folder.write("uic60.rail", rail_table("   "));
  const Profile rail = read_profile(path, ProfileRole::rail, {});
  REQUIRE(rail.warnings.size() == 1);
  CHECK(rail.warnings[0].find("mirror_y: true turns it, mirror_y: false leaves it") !=
        std::string::npos);
  for (const bool mirror : {false, true}) {
    ProfileChanges said;
    said.mirror_y = mirror;
    CHECK(read_profile(path, ProfileRole::rail, said).warnings.empty());
  }
  CHECK(role_of_name("S1002.wheel") == ProfileRole::wheel);
  CHECK(role_of_name("uic60.rail") == ProfileRole::rail);
}

TEST_CASE("profile files: a roller measured like a wheel has a rail's place, where z is said") {
  const TemporaryFolder folder;
  std::string roller = "MINIWHEELPROF 3\n\n";  // crowned: as a wheel's its body is above, z up
  for (int i = 0; i <= 80; ++i)
    roller += fmt::format("{} {}\n", i - 40, -(i - 40.0) * (i - 40.0) / 600.0);
  ProfileChanges said;
  said.mirror_y = false;
  CHECK(error_of("a.mpt", roller, ProfileRole::rail, said) ==
        ": is the profile of a wheel, where a rail's is needed; accepted: another file, or "
        "mirror_z: true or false for a roller measured like a wheel");
  said.mirror_z = true;
  const Profile rail = read_profile(folder.write("b.mpt", roller), ProfileRole::rail, said);
  CHECK(rail.points.front().z == test::near(1600.0 / 600.0));
  CHECK(rail.notes.back() == "its file says that it is a wheel's profile");
  CHECK(rail.warnings.empty());
}

TEST_CASE("profile files: MiniProf's keys count in any case, and blanks around them do not") {
  const TemporaryFolder folder;
  ProfileChanges as_is;
  as_is.mirror_y = false;
  std::string points;
  for (int i = 0; i <= 60; ++i) {
    const double y = -30.0 + i;
    points += std::to_string(y * y / 200.0) + " 7 " + std::to_string(y) + "\n";
  }
  for (const char* keys :
       {"XOffset=2\nYOffset=1\nColumnDef=Y,A,X\n", "Xoffset=2\nYoffset=1\nColumndef=Y,A,X\n",
        "XOFFSET=2\nYOFFSET=1\nCOLUMNDEF=Y,A,X\n",
        "xoffset = 2\n yOffset = 1\ncolumnDef = y, a, x\n",
        "\xef\xbb\xbfXoffset=2\nYOffset=1\nProgramName=A=B\nColumnDef=Y A X\n"}) {
    CAPTURE(keys);
    for (const char* name : {"a.ban", "a.mpt", "a.txt"}) {
      const Profile rail = read_profile(folder.write(name, std::string(keys) + "\n" + points),
                                        ProfileRole::rail, as_is);
      CHECK(rail.points.size() == 61);
      CHECK(rail.points.front().y == test::near(-28.0));
      CHECK(rail.points.front().z == test::near(5.5));
    }
  }
}

TEST_CASE("profile files: MiniProf's keys count with blanks, _ or quotes in them") {
  const TemporaryFolder folder;
  ProfileChanges as_is;
  as_is.mirror_y = false;
  for (const char* keys : {"X_Offset=2\nColumnDef=X,Y\n", "X Offset = 2\nColumn Def = X, Y\n",
                           "\"ColumnDef\"=\"X,Y\"\n\"XOffset\"=\"2\"\n", "x-offset='2'\n"}) {
    CAPTURE(keys);
    const Profile rail =
        read_profile(folder.write("a.txt", keys + rail_table(" ")), ProfileRole::rail, as_is);
    CHECK(rail.points.size() == 61);
    CHECK(rail.points.front().y == test::near(-28.0));
  }
  const auto refused = [&](const std::string& keys, const std::string& points = rail_table(" ")) {
    return error_of("a.ban", keys + points, ProfileRole::rail, as_is);
  };
  CHECK(refused("XOffset=3,0\n") ==
        ":1: XOffset is '3,0'; accepted: a number, with a decimal point");
  CHECK(refused("XOffset=3 mm\n").find(":1: XOffset is '3 mm'") == 0);
  CHECK(refused("XScale=2\n") ==
        ":1: 'XScale' is '2', which is not done; accepted: 1 here, and scale in the case");
  CHECK(refused("Rotation=0.1\n").find("'Rotation' is '0.1', which is not done") !=
        std::string::npos);
  CHECK(refused("XScale=1\nRotation=0\n").empty());
  for (const char* head : {"ColumnDef=X,Y\n", "MINIRAILPROF 3\nname\n\n"})
    CHECK(refused(head, "-30,5,4,5\n-29,5, -4,2\n").find("'-29,5,' has a decimal comma") !=
          std::string::npos);
  const Profile twice = read_profile(
      folder.write("c.ban", "XOffset=3\nXOffset=2\nYOffset=1\nYOffset=1\n" + rail_table(" ")),
      ProfileRole::rail, as_is);
  CHECK(twice.points.front().y == test::near(-28.0));
  REQUIRE_FALSE(twice.warnings.empty());
  CHECK(twice.warnings.front() == "line 2 has XOffset again: 2 is taken, and 3 before it is not");
  const Profile more = read_profile(folder.write("b.ban", "ColumnDef=X,Y\n" + rail_table(" 1 ")),
                                    ProfileRole::rail, as_is);
  REQUIRE_FALSE(more.warnings.empty());  // the last one: z is 1
  CHECK(more.warnings.back() ==
        "line 2 has 3 numbers, and ColumnDef names 2: the first of them are taken");
}

TEST_CASE("profile files: MiniProf's decimal commas are read, between semicolons, tabs or blanks") {
  const TemporaryFolder folder;
  ProfileChanges as_is;
  as_is.mirror_y = false;
  const auto with_commas = [](std::string text) {
    std::ranges::replace(text, '.', ',');
    return text;
  };
  const Profile points = read_profile(folder.write("a.ban", "XOffset=1.5\n" + rail_table(" ")),
                                      ProfileRole::rail, as_is);
  for (const char* head : {"XOffset=1,5\n", "XOffset=1.5\nColumnDef=X,Y\n"})
    for (const char* separator : {";", "\t", " ", " ; "}) {
      CAPTURE(head);
      CAPTURE(separator);
      const Profile commas =
          read_profile(folder.write("b.ban", head + with_commas(rail_table(separator))),
                       ProfileRole::rail, as_is);
      REQUIRE(commas.points.size() == points.points.size());
      for (std::size_t i = 0; i < points.points.size(); ++i) {
        CHECK(commas.points[i].y == points.points[i].y);
        CHECK(commas.points[i].z == points.points[i].z);
      }
    }
  CHECK(error_of("c.ban", "ColumnDef=X,Y\n-30,5;4,5\n-29.5;4.25\n", ProfileRole::rail, as_is) ==
        ":3: has a decimal point, and line 2 decimal commas; accepted: one use in all lines");
}

TEST_CASE("profile files: a unit in the header needs the same in the case") {
  const TemporaryFolder folder;
  ProfileChanges changes;
  changes.mirror_y = false;
  for (const char* head : {"Y [cm];Z [cm]\n", "y[cm] z[cm]\n", "y (cm) z (cm)\n",
                           "# y [cm], z [cm]\n", "ColumnDef=X,Y\nUnit=cm\n"}) {
    CAPTURE(head);
    const auto text = head + rail_table(" ");
    CHECK(
        error_of("a.txt", text, ProfileRole::rail, changes) ==
        ": says that its points are in 'cm'; accepted: unit: cm, or unit: mm where they are in mm");
    ProfileChanges said = changes;
    said.unit = LengthUnit::millimetre;
    const Profile taken = read_profile(folder.write("b.txt", text), ProfileRole::rail, said);
    CHECK(taken.points.front().y == -30.0);
    CHECK(taken.warnings.back() == "says that its unit is 10 mm; the case's unit of 1 mm is taken");
    said.unit = std::nullopt;
    said.scale = 2.0;  // as files were read before: the case's factor alone
    CHECK(read_profile(folder.write("c.txt", text), ProfileRole::rail, said).points.front().y ==
          -60.0);
  }
  CHECK(error_of("a.txt", "y [mm];z [cm]\n" + rail_table(";"), ProfileRole::rail) ==
        ": has one column in mm and the other in cm; accepted: one unit");
  for (const char* head : {"# units: inch\n", "y_in z_in\n", "% unit = inches\n"}) {
    CAPTURE(head);
    CHECK(error_of("a.txt", rail_table("  ", head), ProfileRole::rail)
              .find("accepted: unit: inch, or unit: mm where they are in mm") != std::string::npos);
  }
  CHECK(error_of("a.txt", "y [mm];z [mm]\n" + rail_table(";"), ProfileRole::rail).empty());
}

TEST_CASE("profile files: two columns are those of their names, in a comment as well") {
  const TemporaryFolder folder;
  std::string points;
  for (int i = 0; i <= 60; ++i)
    points += std::to_string((i - 30) * (i - 30) / 200.0) + " " + std::to_string(i - 30) + "\n";
  for (const char* head : {"z y\n", "Z;Y\n", "# z y\n", "% Z [mm], Y [mm]\n", "vertical lateral\n",
                           "height [mm]\twidth [mm]\n", "z x\n"}) {
    CAPTURE(head);
    const Profile rail = read_profile(folder.write("a.txt", head + points), ProfileRole::rail, {});
    CHECK(rail.points.front().y == -30.0);
    CHECK(rail.points.front().z == 4.5);
  }
  for (const char* head : {"y x\n", "z wert\n"})
    CHECK(error_of("a.txt", head + points, ProfileRole::rail) ==
          ":2: is below names of columns that leave open which is y and which z; accepted: y and "
          "z, or x and y");
  for (const char* head : {"x y\n", "y height\n", "UIC60 new\n", "# from y to z\n"})
    CHECK(read_profile(folder.write("b.txt", head + rail_table(" ")), ProfileRole::rail, {})
              .points.front()
              .y == -30.0);
}

TEST_CASE("profile files: SIMPACK's keys count in any case, its unit by name, its smoothing not") {
  const auto file = [](const std::string& keys, double factor) {
    std::string text =
        "HEADER.BEGIN\n Type = 0\nHEADER.END\nspline.begin\n" + keys + " Point.Begin\n";
    for (int i = 0; i <= 60; ++i)
      text += std::to_string(factor * (i - 30)) + " " +
              std::to_string(factor * (i - 30) * (i - 30) / 200.0) + "\n";
    return text + "Point.End\n";
  };
  const TemporaryFolder folder;
  const auto first = [&](const std::string& text) {
    return read_profile(folder.write("a.prr", text), ProfileRole::rail, {}).points.front().y;
  };
  CHECK(first(file("Shift.Y = 1\n", 1.0)) == test::near(-29.0));
  CHECK(first(file("MIRROR.Y = 1\nSHIFT.Y = 1\n", 1.0)) == test::near(-31.0));
  CHECK(first(file("units.len = 'm'\n", 0.001)) == test::near(-30.0));
  CHECK(first(file("units.len = 'm'\nunits.len.f = 1000\n", 1.0)) == test::near(-30.0));
  CHECK(error_of("a.prr", file("units.len = 'furlong'\n", 1.0), ProfileRole::rail) ==
        ": units.len is ''furlong''; accepted: mm, cm, m, inch");
  const Profile smooth = read_profile(folder.write("b.prr", file("approx.smooth = 0.5\n", 1.0)),
                                      ProfileRole::rail, {});
  REQUIRE(smooth.warnings.size() == 1);
  CHECK(smooth.warnings[0] ==
        "asks for a smoothing (approx.smooth = 0.5), which is not done; smoothing of the case is");
}

TEST_CASE("profile files: MiniProf's sections are passed over, and remarks behind points noted") {
  const TemporaryFolder folder;
  ProfileChanges as_is;
  as_is.mirror_y = false;
  const std::string info = "[FileInfo]\nDate=1/2/2022\n\n[Profile1Info]\nMPD1=L 1 2 3 4\n";
  const std::string first = info + "ColumnDef=X,Y\n\n[Profile1Points]\n" + rail_table(" ");
  const Profile rail = read_profile(folder.write("a.mpt", first), ProfileRole::rail, as_is);
  CHECK(rail.points.size() == 61);
  CHECK(rail.points.front().y == -30.0);
  for (const char* between : {"\n", "\n\n", "\nColumnDef=X,Y\n\n"})
    CHECK(error_of("a.mpt", first + "\n[Profile2Points]" + between + rail_table(" "),
                   ProfileRole::rail, as_is) ==
          ": holds 2 profiles, [Profile1Points] in line 8, [Profile2Points] in line 71; accepted: "
          "a file for each");
  for (const std::string& aligned :
       {"[Alignment]\n\n1 0 0\n" + first, first + "\n[Alignment]\n1 0 0\n"}) {
    const Profile one = read_profile(folder.write("b.mpt", aligned), ProfileRole::rail, as_is);
    CHECK(one.points.size() == 61);
    CHECK(one.points.front().y == rail.points.front().y);
  }
  std::string with_angles = rail_table(" ");
  for (std::size_t at = with_angles.find('\n'); at != std::string::npos;
       at = with_angles.find('\n', at + 3))
    with_angles.insert(at, " 7");
  const Profile longer = read_profile(
      folder.write("a.ban", "ColumnDef=X,Y,A\n\n" + with_angles + "31 4.8 7 added by hand\n"),
      ProfileRole::rail, as_is);
  CHECK(longer.points.size() == 62);
  CHECK(std::count(longer.notes.begin(), longer.notes.end(),
                   "the text behind the numbers of line 64 was left out") == 1);
  CHECK(error_of("a.ban", "ColumnDef=X,Y\n\n" + rail_table(" ") + "31 by hand\n", ProfileRole::rail,
                 as_is) == ":64: 'by' is not a number; accepted: y and z");
}

TEST_CASE("profile files: the headers of MiniProf's early files are passed over") {
  const TemporaryFolder folder;
  ProfileChanges as_is;
  as_is.mirror_y = false;
  for (const char* head :
       {"MINIPROF 101 148 1994 3 24\nname.prd\nStock.......:\n32.58 37.11 14.71 (Sd/Sh/qR)\n\n",
        "MINIPROF 101 148 1994 3 24\n1 2\nWheel ID....:\n", "#MINIRAILPROF 3\nline 4 of track\n\n",
        "\xef\xbb\xbfminiprof 2\r\nsite: 5 km\r\n\r\n"}) {
    CAPTURE(head);
    for (const char* name : {"a.ban", "a.mpt", "a.dat"}) {
      const Profile rail =
          read_profile(folder.write(name, head + rail_table(" ")), ProfileRole::rail, as_is);
      CHECK(rail.points.size() == 61);
      CHECK(rail.points.front().y == -30.0);
    }
  }
  CHECK(error_of("a.mpt", "#MINIWHEELPROF 3\n\n" + rail_table(" "), ProfileRole::rail, as_is)
            .rfind(": is the profile of a wheel, where a rail's is needed", 0) == 0);
  const Profile table = read_profile(folder.write("b.txt", rail_table(" ", "#MiniProf of May\n")),
                                     ProfileRole::rail, {});  // a comment, and no mirror_y
  CHECK(table.points.size() == 61);
}

TEST_CASE(
    "profile files: three columns are identified by their names, or by one that is constant") {
  const TemporaryFolder folder;
  const auto table = [](const std::string& head, const char* before, const char* between,
                        const char* after) {
    std::string text = head;
    for (int i = 0; i <= 60; ++i) {
      const double y = -30.0 + i;
      text += before + std::to_string(y) + between + std::to_string(y * y / 200.0) + after + "\n";
    }
    return text;
  };
  for (const std::string& text :
       {table("", "140.0 ", " ", ""), table("", "", ";", ";0"),
        table("x [m] y [mm] z [mm]\n", "3 ", " ", ""), table("x y z\n", "3 ", " ", ""),
        table("\"Y [mm]\",\"s\",\"Z [mm]\"\n", "", ",1,", "")}) {
    const Profile rail = read_profile(folder.write("a.txt", text), ProfileRole::rail, {});
    CHECK(rail.points.size() == 61);
    CHECK(rail.points[40].y == 10.0);
    CHECK(rail.points[40].z == 0.5);
  }
  std::string counted;
  for (int i = 0; i <= 60; ++i)
    counted +=
        std::to_string(i) + " " + std::to_string(i - 30) + " " + std::to_string(0.1 * i) + "\n";
  CHECK(error_of("a.txt", counted, ProfileRole::rail).find(":1: has 3 numbers; accepted: two") ==
        0);
}

TEST_CASE("profile files: a scanner's columns, points that it missed and their count are read") {
  const TemporaryFolder folder;
  const auto scanned = [&](const std::string& head, bool holed) {
    std::string text = head;
    for (int i = 0; i <= 60; ++i)
      text += fmt::format("{},{:.3f},{},{}\n", i, -30.0 + i,
                          holed && i % 20 == 7 ? "nan" : fmt::format("{:.3f}", -i * 0.01), 100 + i);
    return read_profile(folder.write("a.csv", text), ProfileRole::rail, {});
  };
  const Profile whole = scanned("time,x,z,intensity\n", false);  // "30,0.000,-0.300,130" and all
  CHECK(whole.points.size() == 61);
  CHECK(whole.points.front().y == -30.0);
  const Profile holed = scanned("time,x,z,intensity\n", true);
  CHECK(holed.points.size() == 58);
  CHECK(std::count(holed.warnings.begin(), holed.warnings.end(),
                   "3 of its 61 points are nan, and are left out") == 1);
  std::string quoted;
  for (int i = 0; i <= 60; ++i) quoted += fmt::format("\"{}\",\"{:.3f}\"\n", i - 30, 0.01 * i);
  for (const char* head : {"61\n", "UIC60, 1:40\n61\n"})
    CHECK(read_profile(folder.write("a.txt", rail_table(" ", head)), ProfileRole::rail, {})
              .points.size() == 61);
  CHECK(error_of("a.txt", rail_table(" ", "60\n"), ProfileRole::rail) ==
        ":1: says 60 points, and 61 follow; accepted: the count of the points, or no such line");
  CHECK(read_profile(folder.write("a.txt", rail_table(" ", "60E1\n")), ProfileRole::rail, {})
            .points.size() == 61);
  CHECK(error_of("a.txt", rail_table(" ", "2021\n"), ProfileRole::rail) ==
        ":1: says 2021 points, and 61 follow; accepted: the count of the points, or no such line");
  CHECK(error_of("a.txt", rail_table(" ", "Z profile\n"), ProfileRole::rail)
            .find("leave open which is y and which z") != std::string::npos);
  // Names in comments, of other words, and of two columns.
  std::string turned;  // z, then y
  for (int i = 0; i <= 60; ++i) turned += fmt::format("{} {}\n", 0.0001 * i * i, i - 30);
  for (const char* head : {"# z x\n", "UIC60\n# z y\n", "# z y\n# km 12\n#-----\n", "Zmm,Ymm\n",
                           "Rail Z,Rail Y\n", "pos z,pos y\n", "z [mm];lateral position [mm]\n"}) {
    CAPTURE(head);
    CHECK(read_profile(folder.write("a.txt", head + turned), ProfileRole::rail, {})
              .points.front()
              .y == -30.0);
  }
  for (const char* head : {"y,z_nominal,z_measured\n", "y,z_a,z_b\n"})
    CHECK(error_of("a.txt", std::string(head) + "1,2,3\n2,3,4\n", ProfileRole::rail)
              .find(":2: is below names that give several columns y or z; accepted: one") == 0);
  CHECK(error_of("a.txt", "p1 -30 1.8\np2 -29 1.7\n", ProfileRole::rail)
            .find(":1: begins with 'p1', and no line below it with a number") == 0);
  std::string slice;  // y and z at one place along the rail, with a point that was missed
  for (int i = 0; i <= 60; ++i)
    slice += i == 0 ? "nan nan nan\n" : fmt::format("7 {} {}\n", i - 30, 0.0001 * i * i);
  CHECK(read_profile(folder.write("a.txt", slice), ProfileRole::rail, {}).points.size() == 60);
  // Above the points: a title, names, units, as scanners and Adams/Rail write them.
  for (const char* head : {"km 12.4, left rail, 2021-05-03\ny\tz\n[mm]\t[mm]\n",
                           "$----MDI_HEADER\n[MDI_HEADER]\nFILE_TYPE = 'rpr'\n[UNITS]\nLENGTH = "
                           "'mm'\n{x_data y_data}\n"})
    CHECK(read_profile(folder.write("a.txt", rail_table("\t", head)), ProfileRole::rail, {})
              .points.size() == 61);
  for (const char* head : {"title\nz;y\n[in];[in]\n", "LENGTH = 'inch'\ny z\n"})
    CHECK(error_of("a.txt", rail_table(" ", head), ProfileRole::rail)
              .find("says that its points are in") != std::string::npos);
  CHECK(read_profile(folder.write("a.csv", "\"y\",\"z\"\n" + quoted), ProfileRole::rail, {})
            .points.size() == 61);
}

TEST_CASE("profile files: tables as spreadsheets and programs of several countries write them") {
  const TemporaryFolder folder;
  // Columns that are empty, or of words.
  for (const auto& [head, row] : std::vector<std::pair<const char*, const char*>>{
           {"n;z;y\n", ";{1:.3f};{0:.1f}"},
           {"y;;z\n", "{0:.1f};;{1:.3f}"},
           {"y;z;\n", "{0:.1f};{1:.3f};"},
           {"", "{0:.1f},{1:.3f},"},
           {",y,z\n", "{2},{0:.1f},{1:.3f}"},
           {"point;y;z\n", "P{2};{0:.1f};{1:.3f}"},
           {"time,z,y\n", "12:30:{2:02},{1:.3f},{0:.1f}"},
           {"", "{0:.1f}\t\t{1:.3f}"}})
    read_rows_of_rail(rows_of_rail(head, row));
  std::string aligned = rows_of_rail("", "{0:.1f}\t{1:.3f}");
  read_rows_of_rail(aligned.replace(aligned.find('\t'), 1, "\t\t"));
  // Decimal commas.
  for (const char* row : {"{:.1f};{:.3f}", "{:.1f}\t{:.3f}", "{:.1f}  {:.3f}",
                          "\"{:.1f}\";\"{:.3f}\"", "\"{:.1f}\",\"{:.3f}\""}) {
    const Profile rail = read_rows_of_rail(rows_of_rail("", row, true));
    CHECK(std::ranges::count(rail.notes, "its commas are decimal signs") == 1);
  }
  read_rows_of_rail(rows_of_rail("sep=;\r\n", "{:.1f};{:.3f}\r", true));
  // Names in other languages and encodings.
  for (const char* head :
       {"H\xc3\xb6he,Breite\n", "H\xf6he,Breite\n", "HOEHE,BREITE\n", "Hauteur [mm],Largeur [mm]\n",
        "Altezza,Larghezza\n", "profondit\xc3\xa0,laterale\n", "Profil_Z,Profil_X\n"})
    CHECK(read_rows_of_rail(rows_of_rail(head, "{1:.3f},{0:.1f}")).warnings.size() ==
          read_rows_of_rail(rows_of_rail("", "{0:.1f},{1:.3f}")).warnings.size());
  const auto warned = [](const Profile& rail, const std::string& part) {
    return std::ranges::any_of(rail.warnings, [&](const std::string& text) {
      return text.find(part) != std::string::npos;
    });
  };
  for (const char* head : {"Wert1,Wert2\n", "Profil_A,Profil_B\n"})
    CHECK(warned(read_rows_of_rail(rows_of_rail(head, "{:.1f},{:.3f}")),
                 "of which their names say nothing; accepted names: y and z"));
  for (const char* head : {"UIC60 new\n", "UIC60, new\n", "// UIC60, new\n"})
    CHECK_FALSE(warned(read_rows_of_rail(rows_of_rail(head, "{:.1f} {:.3f}")), "their names"));
  // Typesetters' signs, ends of matrices, what was not measured.
  read_rows_of_rail(rows_of_rail("rail = [\n", "{:.1f} {:.3f};") + "];\n");
  std::string typeset = rows_of_rail("", "{:.1f}\xc2\xa0{:.3f}");
  for (std::size_t at = typeset.find('-'); at != std::string::npos; at = typeset.find('-'))
    typeset.replace(at, 1, "\xe2\x88\x92");
  read_rows_of_rail(typeset + "\x1a");
  for (const char* missing : {"nan", "#N/A", "#NV", "-1.#IND", "", "---"}) {
    std::string text = rows_of_rail("y;z\n", "{:.1f};{:.3f}");
    text.replace(text.find("10.0;0.500") + 5, 5, missing);
    const Profile rail = read_profile(folder.write("b.csv", text), ProfileRole::rail, {});
    CHECK(rail.points.size() == 60);
    CHECK(warned(rail, "1 of its 61 points are nan"));
  }
}

TEST_CASE("profile files: names and separators that a table has more of than columns") {
  // Names between several tabs, above or below others, and with words next to letters.
  for (const auto& [head, row] : std::vector<std::pair<const char*, const char*>>{
           {"z\t\ty\n", "{1:.3f}\t{0:.1f}"},
           {"# z\t\ty\n", "{1:.3f}\t{0:.1f}"},
           {"z,,y\n", "{1:.3f},{0:.1f}"},
           {";z;y\n", "{1:.3f};{0:.1f}"},
           {"point;y;z\n[-];[mm];[mm]\n", "P{2};{0:.1f};{1:.3f}"},
           {"y;z;Breite\n", "{0:.1f};{1:.3f};72.5"},
           {"y;z;Quota\n", "{0:.1f};{1:.3f};{2}"},
           {"abscisse;y;z\n", "{2}.5;{0:.1f};{1:.3f}"},
           {"x;z;horizontal\n", "{0:.1f};{1:.3f};{2}.5"},
           {"Altitude 500\n", "{0:.1f} {1:.3f}"},
           {"", "{0:.1f}\xe2\x80\x87{1:.3f}"}})
    read_rows_of_rail(rows_of_rail(head, row));
  CHECK(error_of("a.csv", rows_of_rail("n;z;y;s\n", "{1:.3f};{0:.1f}"), ProfileRole::rail) ==
        ":2: has 2 numbers below 4 names, 'z' and 'y' among them; accepted: a name for each "
        "column");
  // Several separators, and one at the end of all lines or of most.
  for (const char* row : {"{:.1f}, {:.3f};", "{:.1f},{:.3f};", "{:.1f},{:.3f}\t", "{:.1f},\t{:.3f}",
                          "{:.1f}; {:.3f},"})
    read_rows_of_rail(rows_of_rail("", row));
  std::string most = rows_of_rail("", "{:.1f};{:.3f};");
  for (const char* line : {"10.0;0.500", "-20.0;2.000"})
    most.erase(most.find('\n', most.find(line)) - 1, 1);
  read_rows_of_rail(most);
  CHECK(error_of("a.csv", "\"-30,000\",\"4,500\"\n\"-20,000\",\"2,000\"\n\"900\",\"1,000\"\n",
                 ProfileRole::rail) ==
        ":1: '-30,000' may have a decimal comma or one behind the thousands; accepted: decimal "
        "points, or numbers without commas behind the thousands");
  read_rows_of_rail(rows_of_rail("# y z\n", "{:.1f} {:.3f} #NVH"));
}

TEST_CASE("profile files: numbers above the points that are none of them are a title") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    return read_profile(folder.write("a.txt", text), ProfileRole::rail, {});
  };
  for (const char* head : {"60 1\n", "61 300\n", "60 1 40\n", "60 1 40\n12 7 2021\n"}) {
    CAPTURE(head);
    const Profile rail = read(head + rail_table(" "));
    CHECK(rail.points.size() == 61);
    REQUIRE_FALSE(rail.warnings.empty());
    CHECK(rail.warnings.front().find(" is taken as a title and not as a point") !=
          std::string::npos);
  }
  std::string whole = "60 1\n";
  for (int i = 0; i <= 60; ++i) whole += fmt::format("{} {}\n", i - 30, (i - 30) * (i - 30) / 100);
  CHECK(read(whole).points.front().y == -30.0);
  // A point far off in the direction of the others is one.
  for (const char* end : {"-30 40\n", "-34 40\n", "-29 40\n"})
    CHECK(read(end + rail_table(" ")).points.front().z == 40.0);
  CHECK(read("-31.5 30.25\n" + rail_table(" ")).points.front().z == 30.25);
}

TEST_CASE("profile files: a unit in the case replaces that of the file, with a warning") {
  std::string text = "spline.begin\n units.len.f = 100\n point.begin\n";
  for (int i = 0; i <= 60; ++i)
    text +=
        std::to_string(-3.0 + 0.1 * i) + " " + std::to_string(0.0005 * (i - 30) * (i - 30)) + "\n";
  const TemporaryFolder folder;
  const auto path = folder.write("a.prr", text + "point.end\n");
  ProfileChanges changes;
  changes.unit = LengthUnit::centimetre;  // as the file says
  const Profile same = read_profile(path, ProfileRole::rail, changes);
  CHECK(same.points.front().y == test::near(-30.0));
  CHECK(same.warnings.empty());
  changes.unit = LengthUnit::inch;
  const Profile other = read_profile(path, ProfileRole::rail, changes);
  CHECK(other.points.front().y == test::near(-76.2));
  REQUIRE_FALSE(other.warnings.empty());
  CHECK(other.warnings.back() ==
        "says that its unit is 10 mm; the case's unit of 25.4 mm is taken");
}

TEST_CASE("profile files: what is wrong is one sentence with its file and line") {
  const auto rail = ProfileRole::rail;
  CHECK(error_of("a.txt", "1 2\n3 x\n", rail) == ":2: 'x' is not a number; accepted: y and z");
  CHECK(error_of("a.txt", "1 2\n3\n", rail) ==
        ":2: has 1 of the 2 numbers of a point; accepted: 2 or more in each line of points, or the "
        "file without this line, if it was cut off");
  CHECK(
      error_of("a.txt", "1 2 3\n", rail) ==
      ":1: has 3 numbers; accepted: two columns y and z, with decimal points, or a first line with "
      "the names of the columns");
  CHECK(error_of("a.csv", "% y; z\n1,25;2,5\n2.5;3\n", rail) ==
        ":2: '1,25' has a decimal comma, and line 3 a decimal point; accepted: one of them in all "
        "lines");
  CHECK(error_of("a.csv", "1,25,-2,5\n", rail) ==
        ":1: '1,25,-2,5' has a decimal comma; accepted: decimal points, or semicolons, tabs or "
        "blanks between the numbers");
  CHECK(error_of("a.txt", "", rail) == ": holds no points");
  for (const auto& [name, content] :
       {std::pair("a.prr", "header.begin\ntype = 1\nheader.end\n"), std::pair("a.whl", "1 2\n")})
    CHECK(error_of(name, content, rail)
              .rfind(": is the profile of a wheel, where a rail's is needed", 0) == 0);
  CHECK(error_of("a.prr", "spline.begin\nrotate = 0.1\npoint.begin\n1 2\npoint.end\n", rail) ==
        ": is to be turned (rotate is not 0), which is not supported");
  CHECK(error_of("a.prr", "spline.begin\npoint.begin\n1 2\n2 3\n", rail) ==
        ": ends within its points, before point.end: the file is cut off");
  CHECK(error_of("a.prr", "mirror.y = yes\n", rail) == ":1: mirror.y is 'yes'; accepted: a number");
  CHECK(error_of("a.ban", "ColumnDef=X,A\n\n1 2\n", rail) ==
        ":1: ColumnDef 'X,A' has no column Y; accepted: X and Y among them");
  CHECK(error_of("a.txt", "nan 2\n3 4\n", rail) ==
        ": has 1 different points; accepted: at least 5");
  CHECK(error_of("a.txt", "1 2\nEOF\n", rail) == ":2: 'EOF' is not a number; accepted: y and z");
  CHECK(error_of("a.txt", "1 2\n3 4 5\n", rail) == ":2: has 3 numbers, the lines before it have 2");
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(read_profile(folder.path() / "none.prr", rail, {}),
                       doctest::Contains("there is no such file"), InputError);
}

TEST_SUITE_END();

}  // namespace slipfield
