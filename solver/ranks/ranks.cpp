// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/ranks.h"

#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <numeric>
#include <optional>
#include <sstream>

#include "solver/error.h"

namespace slipfield::ranks {
namespace {

struct World {
  int count = 1;
  int number = 0;
  int on_this_host = 1;
  bool joined = false;
  bool failure_shared = false;
};

World& world() {
  static World instance;
  return instance;
}

// Whether an environment variable is set that Open MPI, MPICH or Slurm set for their processes.
bool was_started_by_mpi() {
  constexpr std::array<const char*, 3> kNames = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

int ranks_of_this_host() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int count = 1;
  MPI_Comm_size(host, &count);
  MPI_Comm_free(&host);
  return count;
}

struct LocalFailure {
  std::string message;
  ExitCode exit_code = ExitCode::failed;
};

std::optional<LocalFailure> failure_of_work(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return LocalFailure{error.what(), error.exit_code()};
  } catch (const std::bad_alloc&) {
    return LocalFailure{"this machine has too little memory for it", ExitCode::failed};
  } catch (const std::exception& error) {
    return LocalFailure{std::string("internal error: ") + error.what(), ExitCode::failed};
  }
  return std::nullopt;
}

}  // namespace

void start() {
  World& all = world();
  if (all.joined || !was_started_by_mpi()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  all.joined = true;
  MPI_Comm_size(MPI_COMM_WORLD, &all.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &all.number);
  all.on_this_host = ranks_of_this_host();
  if (all.count > 1 && std::getenv("OMP_NUM_THREADS") == nullptr)
    omp_set_num_threads(std::max(1, omp_get_num_procs() / all.on_this_host));
}

void finish() {
  if (!world().joined) return;
  world() = World{};
  MPI_Finalize();
}

void end_all(int exit_code) {
  if (world().joined) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::exit(exit_code);
}

int count() { return world().count; }
int number() { return world().number; }
int on_this_host() { return world().on_this_host; }

void add_up(std::span<double> values) {
  const auto ranks = static_cast<std::size_t>(count());
  if (ranks == 1) return;
  const auto sums = static_cast<int>(values.size());
  std::vector<double> parts(values.size() * ranks);
  MPI_Allgather(values.data(), sums, MPI_DOUBLE, parts.data(), sums, MPI_DOUBLE, MPI_COMM_WORLD);
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += parts[rank * values.size() + k];
  }
}

double greatest(double value) {
  if (count() == 1) return value;
  double result = value;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

namespace {

// Number of values from or for each rank, and their positions among all.
struct Shares {
  std::vector<int> counts, places;
  explicit Shares(int mine) : Shares() {
    MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    place();
  }
  explicit Shares(const std::vector<std::vector<double>>& values) : Shares() {
    std::ranges::transform(values, counts.begin(),
                           [](const auto& part) { return static_cast<int>(part.size()); });
    place();
  }
  // The values that each rank has for this one, which has `given` for them.
  static Shares answering(const Shares& given) {
    Shares taken;
    MPI_Alltoall(given.counts.data(), 1, MPI_INT, taken.counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    taken.place();
    return taken;
  }
  [[nodiscard]] std::size_t all() const {
    return static_cast<std::size_t>(places.back()) + static_cast<std::size_t>(counts.back());
  }

 private:
  Shares() : counts(static_cast<std::size_t>(count())), places(counts.size()) {}
  void place() { std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0); }
};

}  // namespace

std::vector<double> gather(const std::vector<double>& own) {
  if (count() == 1) return own;
  const auto mine = static_cast<int>(own.size());
  const Shares shares(mine);
  std::vector<double> all(shares.all());
  MPI_Allgatherv(own.data(), mine, MPI_DOUBLE, all.data(), shares.counts.data(),
                 shares.places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  return all;
}

std::vector<std::vector<double>> exchange(const std::vector<std::vector<double>>& values) {
  if (count() == 1) return values;
  const Shares given(values);
  const Shares taken = Shares::answering(given);
  std::vector<double> out;
  out.reserve(given.all());
  for (const std::vector<double>& part : values) out.insert(out.end(), part.begin(), part.end());
  std::vector<double> in(taken.all());
  MPI_Alltoallv(out.data(), given.counts.data(), given.places.data(), MPI_DOUBLE, in.data(),
                taken.counts.data(), taken.places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  std::vector<std::vector<double>> result;
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    const auto first = in.begin() + taken.places[rank];
    result.emplace_back(first, first + taken.counts[rank]);
  }
  return result;
}

std::vector<double> gather_on_first(const std::vector<double>& own) {
  if (count() == 1) return own;
  const auto mine = static_cast<int>(own.size());
  const Shares shares(mine);
  std::vector<double> all(is_first() ? shares.all() : 0);
  MPI_Gatherv(own.data(), mine, MPI_DOUBLE, all.data(), shares.counts.data(), shares.places.data(),
              MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return all;
}

std::vector<std::string> names_of_first(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> given;
  std::istringstream lines(text);
  for (std::string name; std::getline(lines, name);) given.push_back(name);
  return given;
}

void each(const std::function<void()>& work) {
  if (count() == 1) return work();
  const std::optional<LocalFailure> failure = failure_of_work(work);
  const int mine = failure ? number() : count();
  int first = mine;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == count()) return;
  int numbers[2] = {0, 0};  // length of the message, exit code
  std::string message = failure ? failure->message : std::string();
  if (number() == first) {
    numbers[0] = static_cast<int>(message.size());
    numbers[1] = static_cast<int>(failure->exit_code);
  }
  MPI_Bcast(numbers, 2, MPI_INT, first, MPI_COMM_WORLD);
  message.resize(static_cast<std::size_t>(numbers[0]));
  MPI_Bcast(message.data(), numbers[0], MPI_CHAR, first, MPI_COMM_WORLD);
  share_failure();
  throw Error(message, static_cast<ExitCode>(numbers[1]));
}

bool is_failure_shared() { return count() == 1 || world().failure_shared; }
void share_failure() { world().failure_shared = true; }

}  // namespace slipfield::ranks
