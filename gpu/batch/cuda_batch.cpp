// SPDX-License-Identifier: Apache-2.0
// A batch on the GPU: contacts are solved in pieces of a few thousand; each block of the kernel
// takes one contact after another, whatever their grids. Mirrors solver/batch/cpu_batch.cpp and,
// for derivatives, solver/gradient/batch_adjoint.cpp.
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "gpu/batch/batch_kernels.h"
#include "gpu/cuda_device.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "solver/batch/batch_task.h"
#include "solver/error.h"
#include "solver/gradient/adjoint_task.h"
#include "solver/gradient/batch_adjoint.h"
#include "solver/threads/uninitialized_vector.h"

namespace slipfield {
namespace {

constexpr std::size_t kPieceContacts = 8192;
constexpr std::size_t kPieceFamilies = 1024;
constexpr std::size_t kStaticShared = 16 * 1024;  // of the kernels, besides the padded grid

// exp(-2 pi i k/n) for the rows, then for the columns, as pairs.
std::vector<double> twiddles_of(const BatchShape& shape) {
  std::vector<double> values;
  for (const int n : {shape.nx, shape.ny}) {
    for (int k = 0; k < n; ++k) {
      const double angle = -2.0 * std::numbers::pi * k / n;
      values.push_back(std::cos(angle));
      values.push_back(std::sin(angle));
    }
  }
  return values;
}

// Calls work(k) for every k < count, on all cores unless the caller (`most`) limits the threads:
// one core takes longer to copy the numbers of thousands of contacts into their vectors than the
// GPU takes to solve them.
template <class Work>
void on_all_cores(std::size_t count, int most, const Work& work) {
  [[maybe_unused]] const int threads =  // clang-tidy does not see the pragma
      most > 0 ? most : omp_get_max_threads();
  std::exception_ptr error;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
  for (std::size_t k = 0; k < count; ++k) {
    try {
      work(k);
    } catch (...) {
#pragma omp critical(slipfield_cuda_batch)
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

// An array that grows when needed and is never reallocated for less.
template <class T>
class Grown {
 public:
  T* of(std::size_t count) {
    if (array_.size() < count) {
      array_ = DeviceArray<T>();
      array_ = DeviceArray<T>(count);
    }
    return array_.data();
  }
  template <class Allocator>
  T* upload(const std::vector<T, Allocator>& host, cudaStream_t stream) {
    of(host.size());
    array_.upload(host, stream);
    return array_.data();
  }
  // The first `count` values, valid until the next call.
  const T* download(std::size_t count, cudaStream_t stream) {
    host_.resize(count);
    array_.download(host_.data(), count, stream);
    return host_.data();
  }

 private:
  DeviceArray<T> array_;
  UninitializedVector<T> host_;
};

// Transforms of families, kept between pieces as long as there is room.
class KeptSpectra {
 public:
  using Key = std::tuple<int, int, double, double, double, double>;
  struct Place {
    char* spectra = nullptr;
    bool is_new = false;  // not computed yet
  };

  // Returns the place of each family's spectra (key, bytes). Families already stored keep their
  // places if all are stored or the missing ones fit behind them; otherwise all are placed again.
  std::vector<Place> places(const std::vector<std::pair<Key, std::size_t>>& families) {
    std::size_t missing = 0;
    std::size_t all = 0;
    for (const auto& [key, bytes] : families) {
      all += bytes;
      if (!known_.contains(key)) missing += bytes;
    }
    std::size_t size = size_;
    if (used_ + missing > size) {
      known_.clear();
      used_ = 0;
      if (all > size) size = all <= kRoomForMore ? 2 * all : all;
    }
    char* const memory = memory_.of(size);
    size_ = size;
    std::vector<Place> places;
    for (const auto& [key, bytes] : families) {
      const auto [place, added] = known_.try_emplace(key, used_);
      if (added) used_ += bytes;
      places.push_back({memory + place->second, added});
    }
    return places;
  }
  // Frees everything: the spectra are incomplete, or the GPU has no room for them.
  void forget() {
    known_.clear();
    used_ = 0;
    size_ = 0;
    memory_ = {};
  }

 private:
  static constexpr std::size_t kRoomForMore = std::size_t{64} << 20;
  Grown<char> memory_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::map<Key, std::size_t> known_;
};

// The contacts of one launch with their data.
struct Piece {
  std::vector<std::size_t> contacts;
  std::vector<BatchItem> items;
  std::vector<std::size_t> shapes;  // where in the values each contact's shape begins
  std::vector<std::optional<std::size_t>> starts;
  std::vector<std::pair<std::size_t, std::size_t>>
      placed;  // a shape of the batch, and where it begins
  std::size_t value_count = 0;
  std::vector<std::size_t> family;  // of each contact
  std::vector<std::pair<KeptSpectra::Key, std::size_t>> families;
  std::vector<FamilyItem> family_items;
  std::vector<BatchGrid> grids;
  std::size_t elements = 0;  // of all contacts
  BatchLaunch launch;
  std::size_t adjoint_bytes = 0;  // adjoint_fields_bytes()

  // Makes room for derivatives; call it before prepare().
  void reserve_adjoint() { launch.fields_bytes = std::max(launch.fields_bytes, adjoint_bytes); }
};

// Keeps data shared by pieces: lines of transforms, spectra, memory.
class CudaBatch {
 public:
  BatchSolution run(const ContactBatch& batch, const BatchOptions& options) {
    BatchSolution result = unsolved(batch, options);
    const BatchPlan plan = plan_batch(batch);
    in_pieces(batch, plan, plan.order, options.progress,
              [&](Piece& piece) { solve(batch, options, piece, result, options.fields); });
    return result;
  }

  SolvedWithGradients run(const ContactBatch& batch, const BatchOptions& options,
                          const BatchScalars& scalars, const AdjointOptions& adjoint) {
    SolvedWithGradients result;
    result.solution = unsolved(batch, options);
    result.gradients.resize(batch.contacts.size());
    const AdjointBatch all{&batch, nullptr, &result.solution.reports, &scalars};
    const BatchPlan plan = plan_batch(batch);
    in_pieces(batch, plan, plan.order, options.progress, [&](Piece& piece) {
      piece.reserve_adjoint();
      solve(batch, options, piece, result.solution, true);
      differentiate(all, adjoint, piece, result.gradients);
    });
    return result;
  }

  std::vector<AdjointSolution> differentiate(const AdjointBatch& batch,
                                             const AdjointOptions& options) {
    std::vector<AdjointSolution> result(batch.contacts->contacts.size());
    const BatchPlan plan = plan_batch(*batch.contacts);
    std::vector<std::size_t> converged;
    for (const std::size_t i : plan.order)
      if ((*batch.reports)[i].outcome == Outcome::converged) converged.push_back(i);
    in_pieces(*batch.contacts, plan, converged, options.progress, [&](Piece& piece) {
      piece.reserve_adjoint();
      prepare(*batch.contacts, options.threads, piece);
      differentiate(batch, options, piece, result);
    });
    return result;
  }

 private:
  static BatchSolution unsolved(const ContactBatch& batch, const BatchOptions& options) {
    BatchSolution result;
    result.reports.resize(batch.contacts.size());
    for (StepReport& report : result.reports) fail(report, kBatchEnded);
    if (options.fields || options.pressures) result.fields.resize(batch.contacts.size());
    return result;
  }

  // Calls work(piece) for pieces of these contacts, until `progress` ends it.
  template <class Work>
  void in_pieces(const ContactBatch& batch, const BatchPlan& plan,
                 const std::vector<std::size_t>& order,
                 const std::function<bool(std::size_t)>& progress, const Work& work) {
    // Contacts of which two fit on a multiprocessor, and the others.
    std::array<std::vector<std::size_t>, 2> kinds;
    for (const std::size_t i : order) {
      const Grid& grid = batch.contacts[i].grid;
      const BatchRoom room = room_of(batch_shape(grid.mx, grid.my));
      kinds[is_small_block(room.shared_bytes) ? 0 : 1].push_back(i);
    }
    std::size_t done = 0;
    for (const std::vector<std::size_t>& contacts : kinds) {
      for (std::size_t next = 0; next < contacts.size();) {
        Piece piece = take_piece(batch, plan, contacts, next);
        work(piece);
        next += piece.contacts.size();
        done += piece.contacts.size();
        if (progress && !progress(done)) return;
      }
    }
  }

  // Frequency pairs and twiddle factors for one pair of transform lengths (rows, columns).
  struct Lines {
    DeviceArray<FrequencyPair> pairs;
    DeviceArray<double> twiddles;
  };

  static BatchRoom room_of(const BatchShape& shape) {
    return batch_room(shape, current_limits().shared_per_block - kStaticShared);
  }

  BatchGrid grid_of(const BatchShape& shape, const BatchRoom& room) {
    Lines& lines = lines_[{shape.nx, shape.ny}];
    if (lines.pairs.size() == 0) {
      const std::vector<FrequencyPair> pairs = frequency_pairs(shape);
      lines.pairs = DeviceArray<FrequencyPair>(pairs.size());
      lines.pairs.upload(pairs, stream_.get());
      const std::vector<double> twiddles = twiddles_of(shape);
      lines.twiddles = DeviceArray<double>(twiddles.size());
      lines.twiddles.upload(twiddles, stream_.get());
    }
    BatchGrid grid;
    grid.shape = shape;
    grid.exact_shared = room.exact_shared;
    grid.rough_shared = room.rough_shared;
    grid.pairs = lines.pairs.data();
    grid.pair_count = static_cast<int>(lines.pairs.size());
    grid.twiddles = lines.twiddles.data();
    return grid;
  }

  // Takes the contacts from `first` on that fit into one launch. Families with equal lengths of
  // transforms are merged, whatever their grids.
  Piece take_piece(const ContactBatch& batch, const BatchPlan& plan,
                   const std::vector<std::size_t>& contacts, std::size_t first) {
    Piece piece;
    std::map<std::pair<int, int>, int> grids;
    std::map<KeptSpectra::Key, std::size_t> families;
    std::map<std::size_t, std::size_t> shapes;
    const auto place_shape = [&](std::size_t shape) {
      const auto [place, added] = shapes.try_emplace(shape, piece.value_count);
      if (added) {
        piece.placed.emplace_back(shape, piece.value_count);
        piece.value_count += batch.shapes[shape].size();
      }
      return place->second;
    };
    SelfCoefficients self;
    std::optional<std::size_t> self_of;  // the family of self coefficients
    for (std::size_t k = first; k < contacts.size() && k - first < kPieceContacts; ++k) {
      const std::size_t i = contacts[k];
      const BatchContact& contact = batch.contacts[i];
      const BatchFamily& family = plan.families[plan.family[i]];
      const BatchShape shape = batch_shape(family.mx, family.my);
      const KeptSpectra::Key key{shape.nx,        shape.ny,
                                 family.aspect,   family.poisson_ratio,
                                 family.offset_x, family.offset_y};
      const auto known = families.find(key);
      if (known == families.end() && families.size() == kPieceFamilies) break;
      const auto [grid, new_grid] =
          grids.try_emplace({shape.mx, shape.my}, static_cast<int>(piece.grids.size()));
      if (new_grid) add_grid(shape, piece);
      const std::size_t of = known == families.end() ? families.size() : known->second;
      if (known == families.end()) {
        families.emplace(key, of);
        const auto pairs = static_cast<std::size_t>(
            piece.grids[static_cast<std::size_t>(grid->second)].pair_count);
        piece.families.emplace_back(key, family_bytes(pairs));
        piece.family_items.push_back({family, grid->second, nullptr});
      }
      if (self_of != plan.family[i]) self = self_coefficients(family);
      self_of = plan.family[i];
      BatchItem item;
      item.task = task_of(contact, family, self);
      item.grid = grid->second;
      item.fields = piece.elements;
      piece.elements += contact.grid.count();
      piece.shapes.push_back(place_shape(contact.shape));
      piece.starts.emplace_back();
      if (contact.start) piece.starts.back() = place_shape(*contact.start);
      piece.family.push_back(of);
      piece.contacts.push_back(i);
      piece.items.push_back(std::move(item));
    }
    return piece;
  }

  void add_grid(const BatchShape& shape, Piece& piece) {
    const BatchRoom room = room_of(shape);
    piece.grids.push_back(grid_of(shape, room));
    BatchLaunch& launch = piece.launch;
    launch.shared_bytes = std::max(launch.shared_bytes, room.shared_bytes);
    launch.own_bytes = std::max(launch.own_bytes, (room.own_bytes + 255) / 256 * 256);
    launch.fields_bytes = std::max(launch.fields_bytes, batch_fields_bytes(shape));
    piece.adjoint_bytes = std::max(piece.adjoint_bytes, adjoint_fields_bytes(shape));
  }

  // Computes missing spectra and assigns each contact its own.
  void prepare(const ContactBatch& batch, int threads, Piece& piece) {
    const cudaStream_t stream = stream_.get();
    BatchLaunch& launch = piece.launch;
    launch.grids = grids_.upload(piece.grids, stream);
    launch.blocks = batch_blocks(launch.shared_bytes);
    launch.memory = memory_.of(static_cast<std::size_t>(launch.blocks) * launch.block_bytes());
    const std::vector<KeptSpectra::Place> places = spectra_.places(piece.families);
    std::vector<FamilyItem> missing;
    for (std::size_t k = 0; k < places.size(); ++k) {
      piece.family_items[k].spectra = places[k].spectra;
      if (places[k].is_new) missing.push_back(piece.family_items[k]);
    }
    if (!missing.empty())
      launch_family_spectra(launch, families_.upload(missing, stream),
                            static_cast<int>(missing.size()), stream);
    host_values_.resize(piece.value_count);
    on_all_cores(piece.placed.size(), threads, [&](std::size_t k) {
      const auto& [shape, begin] = piece.placed[k];
      std::ranges::copy(batch.shapes[shape], host_values_.data() + begin);
    });
    const double* const values = values_.upload(host_values_, stream);
    for (std::size_t k = 0; k < piece.items.size(); ++k) {
      BatchItem& item = piece.items[k];
      item.spectra = places[piece.family[k]].spectra;
      item.shape = values + piece.shapes[k];
      if (piece.starts[k]) item.start = values + *piece.starts[k];
    }
  }

  // keeps: leaves all fields on the device until the next piece.
  void solve(const ContactBatch& batch, const BatchOptions& options, Piece& piece,
             BatchSolution& result, bool keeps) {
    const auto begin = std::chrono::steady_clock::now();
    const cudaStream_t stream = stream_.get();
    const std::size_t count = piece.contacts.size();
    const SmallResult* results = nullptr;
    try {
      prepare(batch, options.threads, piece);
      BatchFieldsOut fields;
      if (keeps || options.pressures) fields.pressure = pressure_.of(piece.elements);
      if (keeps) {
        fields.traction = traction_.of(2 * piece.elements);
        fields.slip = slip_.of(2 * piece.elements);
        fields.state = state_.of(piece.elements);
      }
      int* const taken = taken_.upload(std::vector{0}, stream);
      launch_batch(piece.launch, items_.upload(piece.items, stream), static_cast<int>(count), taken,
                   results_.of(count), fields, stream);
      results = results_.download(count, stream);
    } catch (...) {
      spectra_.forget();
      throw;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    on_all_cores(count, options.threads, [&](std::size_t k) {
      StepReport report =
          report_of(batch.contacts[piece.contacts[k]], piece.items[k].task, results[k]);
      report.seconds = seconds / static_cast<double>(count);
      result.reports[piece.contacts[k]] = std::move(report);
    });
    if (options.fields || options.pressures) keep_fields(batch, options, piece, result);
  }

  void keep_fields(const ContactBatch& batch, const BatchOptions& options, const Piece& piece,
                   BatchSolution& result) {
    const cudaStream_t stream = stream_.get();
    const double* const pressure = pressure_.download(piece.elements, stream);
    const double* traction = nullptr;
    const double* slip = nullptr;
    const unsigned char* state = nullptr;
    if (options.fields) {
      traction = traction_.download(2 * piece.elements, stream);
      slip = slip_.download(2 * piece.elements, stream);
      state = state_.download(piece.elements, stream);
    }
    on_all_cores(piece.contacts.size(), options.threads, [&](std::size_t k) {
      const std::size_t i = piece.contacts[k];
      const std::size_t first = piece.items[k].fields;
      result.fields[i] =
          options.fields
              ? fields_of(batch.contacts[i], pressure + first, traction + 2 * first,
                          slip + 2 * first, state + first)
              : fields_of(batch.contacts[i], pressure + first, nullptr, nullptr, nullptr);
    });
  }

  // --- Derivatives

  // The scalars of a piece, and where each has its output fields.
  struct Scalars {
    std::vector<AdjointItem> items;
    std::vector<AdjointScalar> all;
    std::vector<std::size_t> places;
    std::size_t elements = 0;  // of all scalars
  };

  // Without fields: of the contacts that solve() has just left on the device.
  void differentiate(const AdjointBatch& batch, const AdjointOptions& options, const Piece& piece,
                     std::vector<AdjointSolution>& result) {
    const cudaStream_t stream = stream_.get();
    Scalars scalars;
    const AdjointResult* results = nullptr;
    try {
      scalars = scalars_of(batch, options, piece);
      int* const taken = taken_.upload(std::vector{0}, stream);
      launch_adjoints(piece.launch, adjoint_items_.upload(scalars.items, stream),
                      static_cast<int>(piece.contacts.size()), taken,
                      scalars_.upload(scalars.all, stream), adjoint_results_.of(scalars.all.size()),
                      stream);
      results = adjoint_results_.download(scalars.all.size(), stream);
    } catch (...) {
      spectra_.forget();
      throw;
    }
    const double* const heights =
        options.heights ? heights_.download(scalars.elements, stream) : nullptr;
    const double* const friction =
        options.friction ? friction_.download(scalars.elements, stream) : nullptr;
    on_all_cores(piece.contacts.size(), options.threads, [&](std::size_t k) {
      const std::size_t i = piece.contacts[k];
      const BatchContact& contact = batch.contacts->contacts[i];
      AdjointSolution& solution = result[i];
      const auto first = static_cast<std::size_t>(scalars.items[k].first_scalar);
      for (std::size_t j = first; j < first + scalars_of(batch, i).size(); ++j) {
        if (!results[j].found) return solution.gradients.clear();
        StepInputs inputs = step_inputs(contact, results[j], scalars.all[j].seed.unit);
        const std::size_t begin = scalars.places[j];
        const std::size_t end = begin + contact.grid.count();
        if (heights != nullptr) inputs.heights.assign(heights + begin, heights + end);
        if (friction != nullptr) inputs.friction.assign(friction + begin, friction + end);
        solution.gradients.push_back(std::move(inputs));
        solution.near_change = static_cast<std::int64_t>(results[j].near_change);
      }
    });
  }

  // The scalars of a contact: none if it has not converged.
  static const std::vector<StepOutputs>& scalars_of(const AdjointBatch& batch, std::size_t i) {
    static const std::vector<StepOutputs> none;
    return (*batch.reports)[i].outcome == Outcome::converged ? (*batch.seeds)[i] : none;
  }
  // Uploads the solutions, unless they are on the device, and the scalars' fields.
  Scalars scalars_of(const AdjointBatch& batch, const AdjointOptions& options, const Piece& piece) {
    Scalars scalars;
    std::size_t seeded = 0;  // values
    std::vector<std::size_t> begins;
    for (const std::size_t i : piece.contacts)
      for (const StepOutputs& seed : scalars_of(batch, i)) {
        begins.push_back(seeded);
        for (const auto* field : fields_of_seed(seed)) seeded += field->size();
        scalars.places.push_back(scalars.elements);
        scalars.elements += batch.contacts->contacts[i].grid.count();
      }
    double* const heights = options.heights ? heights_.of(scalars.elements) : nullptr;
    double* const friction = options.friction ? friction_.of(scalars.elements) : nullptr;
    if (batch.fields != nullptr) upload_solutions(batch, options, piece);
    host_values_.resize(seeded);
    const double* const seeds = seed_values_.of(seeded);
    for (std::size_t k = 0; k < piece.contacts.size(); ++k) {
      const std::size_t i = piece.contacts[k];
      const BatchItem& solution = piece.items[k];
      const BatchContact& contact = batch.contacts->contacts[i];
      const std::size_t count = contact.grid.count();
      AdjointItem item;
      item.contact =
          adjoint_contact(contact, solution.task, (*batch.reports)[i], options.of_tolerance);
      if (batch.fields == nullptr)  // in the numbers of the task
        item.contact.pressure_scale = item.contact.slip_scale = 1.0;
      const std::size_t place = solution.fields;
      item.contact.pressure = pressure_.of(piece.elements) + place;
      item.contact.traction_x = traction_.of(2 * piece.elements) + 2 * place;
      item.contact.traction_y = item.contact.traction_x + count;
      item.contact.slip_x = slip_.of(2 * piece.elements) + 2 * place;
      item.contact.slip_y = item.contact.slip_x + count;
      item.contact.state = reinterpret_cast<const ElementState*>(state_.of(piece.elements) + place);
      item.contact.distance = solution.shape;
      item.grid = solution.grid;
      item.spectra = solution.spectra;
      item.first_scalar = static_cast<int>(scalars.all.size());
      item.scalars = static_cast<int>(scalars_of(batch, i).size());
      for (const StepOutputs& seed : scalars_of(batch, i)) {
        const std::size_t out = scalars.places[scalars.all.size()];
        AdjointScalar scalar;
        scalar.seed = seed_on_device(contact, seed, begins[scalars.all.size()], seeds);
        if (heights != nullptr) scalar.out.heights = heights + out;
        if (friction != nullptr) scalar.out.friction = friction + out;
        scalar.out.heights_scale = scalar.seed.unit / contact.grid.dx;
        scalar.out.friction_scale = scalar.seed.unit;
        scalars.all.push_back(scalar);
      }
      scalars.items.push_back(item);
    }
    if (seeded > 0) seed_values_.upload(host_values_, stream_.get());
    return scalars;
  }

  void upload_solutions(const AdjointBatch& batch, const AdjointOptions& options,
                        const Piece& piece) {
    const cudaStream_t stream = stream_.get();
    const auto send = [&](std::size_t each, auto& host, auto& device, const auto& copy) {
      host.resize(each * piece.elements);
      on_all_cores(piece.contacts.size(), options.threads, [&](std::size_t k) {
        copy((*batch.fields)[piece.contacts[k]], host.data() + each * piece.items[k].fields);
      });
      device.upload(host, stream);
    };
    send(1, host_values_, pressure_,
         [](const BatchFields& f, double* to) { std::ranges::copy(f.pressure, to); });
    send(2, host_values_, traction_, [](const BatchFields& f, double* to) {
      std::ranges::copy(f.traction_y, std::ranges::copy(f.traction_x, to).out);
    });
    send(2, host_values_, slip_, [](const BatchFields& f, double* to) {
      std::ranges::copy(f.slip_y, std::ranges::copy(f.slip_x, to).out);
    });
    send(1, host_states_, state_, [](const BatchFields& f, unsigned char* to) {
      std::ranges::transform(f.element_division, to,
                             [](ElementState state) { return static_cast<unsigned char>(state); });
    });
  }

  static constexpr std::size_t kSeedFields = 5;
  static std::array<const std::vector<double>*, kSeedFields> fields_of_seed(
      const StepOutputs& seed) {
    return {&seed.pressure, &seed.traction_x, &seed.traction_y, &seed.slip_x, &seed.slip_y};
  }
  // Copies the scalar's fields to the values that will be uploaded to `device`.
  AdjointSeed seed_on_device(const BatchContact& contact, const StepOutputs& seed,
                             std::size_t begin, const double* device) {
    AdjointSeed sent = adjoint_seed(contact, seed);
    const std::array places{&sent.pressure, &sent.traction_x, &sent.traction_y, &sent.slip_x,
                            &sent.slip_y};
    const auto fields = fields_of_seed(seed);
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k]->empty()) continue;
      std::ranges::copy(*fields[k], host_values_.data() + begin);
      *places[k] = device + begin;
      begin += fields[k]->size();
    }
    return sent;
  }

  CudaStream stream_;
  std::map<std::pair<int, int>, Lines> lines_;
  KeptSpectra spectra_;
  Grown<BatchGrid> grids_;
  Grown<double> values_, pressure_, traction_, slip_;
  Grown<double> seed_values_, heights_, friction_;
  Grown<AdjointItem> adjoint_items_;
  Grown<AdjointScalar> scalars_;
  Grown<AdjointResult> adjoint_results_;
  Grown<char> memory_;
  Grown<FamilyItem> families_;
  Grown<BatchItem> items_;
  Grown<SmallResult> results_;
  Grown<unsigned char> state_;
  Grown<int> taken_;
  UninitializedVector<double> host_values_;
  UninitializedVector<unsigned char> host_states_;
};

// CUDA's current device belongs to the thread, and another thread may end the batch.
class BatchOnDevice {
 public:
  explicit BatchOnDevice(int device) : device_(device) {
    const OnDevice here(device_);
    batch_ = std::make_unique<CudaBatch>();
  }
  ~BatchOnDevice() {
    try {
      const OnDevice here(device_);
      batch_.reset();
    } catch (const Error&) {  // the device is lost, and with it what the batch held there
      batch_.reset();
    }
  }
  BatchOnDevice(const BatchOnDevice&) = delete;
  BatchOnDevice& operator=(const BatchOnDevice&) = delete;

  BatchSolution run(const ContactBatch& batch, const BatchOptions& options) {
    const OnDevice here(device_);
    return batch_->run(batch, options);
  }
  std::vector<AdjointSolution> differentiate(const AdjointBatch& batch,
                                             const AdjointOptions& options) {
    const OnDevice here(device_);
    return batch_->differentiate(batch, options);
  }
  SolvedWithGradients run(const ContactBatch& batch, const BatchOptions& options,
                          const BatchScalars& scalars, const AdjointOptions& adjoint) {
    const OnDevice here(device_);
    return batch_->run(batch, options, scalars, adjoint);
  }

 private:
  int device_;
  std::unique_ptr<CudaBatch> batch_;
};

}  // namespace

BatchSolution solve_batch_on_cuda(const ContactBatch& batch, const BatchOptions& options,
                                  int device) {
  require_cuda_device(cuda_status(), device);
  const OnDevice here(device);
  return CudaBatch().run(batch, options);
}

CudaBatches make_cuda_batches(int device) {
  require_cuda_device(cuda_status(), device);
  const auto kept = std::make_shared<BatchOnDevice>(device);
  return {[kept](const ContactBatch& batch, const BatchOptions& options) {
            return kept->run(batch, options);
          },
          [kept](const AdjointBatch& batch, const AdjointOptions& options) {
            return kept->differentiate(batch, options);
          },
          [kept](const ContactBatch& batch, const BatchOptions& options,
                 const BatchScalars& scalars, const AdjointOptions& adjoint) {
            return kept->run(batch, options, scalars, adjoint);
          }};
}

}  // namespace slipfield
