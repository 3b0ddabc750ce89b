// SPDX-License-Identifier: Apache-2.0
#include "io/table/table_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <type_traits>

#include "io/hdf5/handle.h"
#include "io/pending_file.h"
#include "io/provenance.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "solver/error.h"
#include "solver/table/slipfield_table.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTableFileType = "slipfield-creep-table";
constexpr std::int64_t kTableSchema = 1;
constexpr std::string_view kUsetabBegin = "! \"tabcon\"";

std::string_view patch_name(TablePatch patch) {
  return patch == TablePatch::ellipse ? "ellipse" : "double_half_ellipse";
}

// Visits the numbers of a request and of the error, for writing and reading attributes.
template <typename Request, typename Visit>
void visit_request(Request& request, const Visit& visit) {
  visit("asymmetry", request.asymmetry);
  visit("poisson_ratio", request.poisson_ratio);
  visit("first_ratio", request.first_ratio);
  visit("last_ratio", request.last_ratio);
  visit("tolerance", request.tolerance);
  visit("ratios", request.ratios);
  visit("radii", request.radii);
  visit("angles", request.angles);
  visit("elevations", request.elevations);
  visit("elements", request.elements);
  visit("checks", request.checks);
  visit("seed", request.seed);
}

template <typename Errors, typename Visit>
void visit_error(Errors& error, const Visit& visit) {
  visit("greatest_force_error", error.greatest_force);
  visit("mean_force_error", error.mean_force);
  visit("greatest_moment_error", error.greatest_moment);
  visit("mean_moment_error", error.mean_moment);
}

void write_request_and_error(hid_t root, const CreepTable& table) {
  const auto put = [root]<typename Number>(const char* name, Number value) {
    using Stored = std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>;
    hdf5::write_attribute(root, name, static_cast<Stored>(value));
  };
  hdf5::write_attribute(root, "patch", patch_name(table.request.patch));
  visit_request(table.request, put);
  visit_error(table.error, put);
  const TablePoint& worst = table.error.worst;
  const std::array<double, 4> at{worst.ratio, worst.creepage[0], worst.creepage[1],
                                 worst.creepage[2]};
  hdf5::write_attribute(root, "greatest_force_error_at", std::span<const double>(at));
}

void read_request_and_error(hid_t root, const fs::path& path, TableFile& table) {
  const auto get = [root]<typename Number>(const char* name, Number& value) {
    if constexpr (std::is_integral_v<Number>)
      value = static_cast<Number>(hdf5::read_integer_attribute(root, name));
    else
      value = hdf5::read_double_attribute(root, name);
  };
  const std::string patch = hdf5::read_string_attribute(root, "patch");
  for (const TablePatch known : {TablePatch::ellipse, TablePatch::double_half_ellipse})
    if (patch == patch_name(known)) table.request.patch = known;
  if (patch != patch_name(table.request.patch))
    throw InputError(
        fmt::format("{}: the table's patch \"{}\" is not known", path.string(), patch));
  visit_request(table.request, get);
  visit_error(table.error, get);
  const std::vector<double> worst = hdf5::read_doubles_attribute(root, "greatest_force_error_at");
  if (worst.size() == 4) table.error.worst = {worst[0], {worst[1], worst[2], worst[3]}};
}

void write_table_datasets(hid_t root, const CreepTable& table) {
  const auto put = [root](const char* name, const std::vector<double>& values,
                          const std::vector<std::size_t>& shape, std::string_view unit,
                          std::string_view description) {
    describe_dataset(hdf5::write_dataset(root, name, std::span<const double>(values), shape), unit,
                     description);
  };
  const std::size_t q = table.ratios.size();
  const std::size_t r = table.radii.size();
  const std::size_t a = table.angles.size();
  const std::size_t e = table.elevations.size();
  put("ratios_ab", table.ratios, {q}, "-", "a/b of the knots, a in the rolling direction");
  put("knots_radius", table.radii, {r}, "-",
      "r = |(C11 G c^2 xi/3, C22 G c^2 eta/3, C23 G c^3 phi)|/(mu F_n) of the knots");
  put("knots_angle", table.angles, {a}, "rad", "angle between the two scaled creepages");
  put("knots_elevation", table.elevations, {e}, "rad",
      "angle from the creepages to the spin, stretched (THEORY.md 6.9)");
  put("linear_coefficients", table.linear, {q, 3}, "-",
      "C11, C22, C23 of these contacts: force over small creepage");
  put("forces", table.forces, {q, r, a, e, 3}, "-",
      "F_x/(mu F_n), F_y/(mu F_n), M_z/(mu F_n c) on body 1 at the knots, at minus the scaled "
      "creepages; at r = 0 over 3 r");
  const std::size_t bytes[] = {table.image.size()};
  describe_dataset(
      hdf5::write_dataset(root, "evaluation", std::span<const std::uint8_t>(table.image), bytes),
      "-", "what slipfield_table_open() of slipfield_table.h takes");
}

std::string usetab_text(const UsetabTable& table) {
  std::string text = fmt::format(
      "{}, table of the Hertzian creep-force law (slipfield {})\n! G = 1, nu = 0.28, F_n = 1\n"
      "! steady rolling, {} x {} elements\n \n",
      kUsetabBegin, build_info().version, table.elements, table.elements);
  const std::size_t first = table.ratios.size() > kUsetabSteps ? kUsetabSteps : table.ratios.size();
  text += fmt::format("{:6}{:6}{:6}{:6}{:6}  itab, naob1, imap\n", kUsetabSteps,
                      table.ratios.size() - first, 10, 0, 0);
  for (std::size_t i = first; i < table.ratios.size(); ++i) {
    const bool ends = (i - first) % 5 == 4 || i + 1 == table.ratios.size();
    text += fmt::format("{:12.6f}{}", table.ratios[i],
                        i + 1 == table.ratios.size() ? "\n"
                        : ends                       ? ",\n"
                                                     : ",");
  }
  text +=
      fmt::format("! Fx,Fy,aM computed for aob,xi,eta,psi with G=1,nu=0.28,N=1,mxeff={:3}.\n \n",
                  table.elements - 2);
  const auto title = [](double value, int digits) {
    return value < 100.0 ? fmt::format("{:9.6f}", value) : fmt::format("{:9.{}f}", value, digits);
  };
  const auto number = [](double value) {
    constexpr double kNoise = 5.0e-7;
    return std::fabs(value) < kNoise ? 0.0 : value;
  };
  auto next = table.forces.begin();
  for (const double ratio : table.ratios) {
    for (const double x : table.creepages) {
      for (const double y : table.creepages) {
        text += fmt::format("! aob={}, xi={}, eta={}\n", title(ratio, 3), title(x, 1), title(y, 1));
        for (std::size_t s = 0; s < table.spins.size(); ++s, ++next)
          text += fmt::format("  {:11.6f} {:11.6f} {:11.6f}\n", number((*next)[0]),
                              number((*next)[1]), number((*next)[2]));
      }
    }
  }
  return text + " End of Table\n";
}

}  // namespace

void write_table(const fs::path& path, const CreepTable& table, const TableOrigin& origin,
                 const OutputRule& rule) {
  PendingFile pending(path, FileKind::creep_table, rule);
  guarded_write(path, [&] {
    hdf5::Handle file = hdf5::create_file(pending.temporary_path());
    const hid_t root = file.id();
    const BuildInfo& build = build_info();
    hdf5::write_attribute(root, "file_type", kTableFileType);
    hdf5::write_attribute(root, "schema_version", kTableSchema);
    hdf5::write_attribute(root, "program_version", build.version);
    hdf5::write_attribute(root, "git_commit", build.git_commit);
    hdf5::write_attribute(root, "command", origin.command);
    hdf5::write_attribute(root, "backend", origin.backend);
    hdf5::write_attribute(root, "device", origin.device);
    hdf5::write_attribute(root, "seconds", origin.seconds);
    hdf5::write_attribute(root, "solved_again", static_cast<std::int64_t>(table.solved_again));
    write_request_and_error(root, table);
    write_table_datasets(root, table);
    file.close("H5Fclose", path.string());
  });
  pending.commit();
}

TableFile read_table(const fs::path& path) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    const hid_t root = file.id();
    if (optional_text(root, "file_type") != kTableFileType)
      throw InputError(path.string() +
                       ": this is not a creep-force table; accepted: a file that `slipfield table "
                       "make` wrote");
    if (hdf5::read_integer_attribute(root, "schema_version") != kTableSchema)
      throw InputError(path.string() + ": the table is of another version of slipfield");
    TableFile table;
    read_request_and_error(root, path, table);
    table.origin = {optional_text(root, "command"), optional_text(root, "backend"),
                    optional_text(root, "device"), hdf5::read_double_attribute(root, "seconds")};
    table.slipfield_version = optional_text(root, "program_version");
    table.ratios = hdf5::read_doubles(root, "ratios_ab");
    const std::vector<std::uint8_t> bytes = hdf5::read_bytes(root, "evaluation");
    table.image_bytes = bytes.size();
    table.image.resize((bytes.size() + sizeof(double) - 1) / sizeof(double));
    if (!bytes.empty()) std::memcpy(table.image.data(), bytes.data(), bytes.size());
    slipfield_table evaluator;
    if (table.ratios.empty() || slipfield_table_open(&evaluator, table.image.data(),
                                                     table.image_bytes) != SLIPFIELD_TABLE_OK)
      throw InputError(path.string() +
                       ": the table is damaged or incomplete; accepted: it made again");
    return table;
  });
}

void write_table_image(const fs::path& path, const TableFile& table, const OutputRule& rule) {
  PendingFile pending(path, FileKind::table_bytes, rule);
  pending.write({reinterpret_cast<const char*>(table.image.data()), table.image_bytes}, "table");
  pending.commit();
}

void write_usetab(const fs::path& path, const UsetabTable& table, const OutputRule& rule) {
  PendingFile pending(path, FileKind::table_bytes, rule);
  const std::string text = usetab_text(table);
  pending.write(text, "table");
  pending.commit();
}

bool is_creep_table(const fs::path& path) {
  std::string begin(kUsetabBegin.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == kUsetabBegin || begin.starts_with(SLIPFIELD_TABLE_MAGIC)) return true;
  return certain_file_type_of(path) == kTableFileType;
}

}  // namespace slipfield
