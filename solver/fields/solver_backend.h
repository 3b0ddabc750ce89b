// SPDX-License-Identifier: Apache-2.0
// What the solvers need from the memory and the processor they run on. There are two backends:
// CpuBackend (solver/cpu/cpu_backend.h) and CudaBackend (gpu/backend/cuda_backend.h).
//
// Element operations are described in solver/fields/element_op.h. The order of their sums depends
// only on the number of elements: the same bits in every run, and for any number of threads.
#pragma once

#include <Eigen/Dense>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/fields/newton_ops.h"
#include "solver/fields/step_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"
#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

// Products with the influence coefficients of one kind of displacement (THEORY.md 2).
template <class Influence, class Backend>
concept BackendInfluence =
    std::derived_from<Influence, InfluenceOperator> &&  // apply(block, tractions, displacements)
    std::constructible_from<Influence, Backend&, const Grid&, const CombinedMaterial&,
                            InfluenceMethod, const InfluenceKind&> &&
    requires(Influence influence, const Influence& constant, Component component, const double* in,
             double* out, const AcrossSymbol& across) {
  // The coefficient of an element on itself [length^3/force].
  { constant.self(component) } -> std::same_as<double>;
  { constant.kind() } -> std::same_as<const InfluenceKind&>;
  influence.take_up(constant.kind());  // switches to another kind
  // Approximate inverses: of A_nn; of the step's A_xx and A_yy, and of the symbol set last. In and
  // out may be the same.
  influence.precondition_normal(in, out);
  influence.set_across(across);
  influence.precondition_tangential(in, in, in, out, out, out);
};

// Sweeps over the elements in contact, one after another (THEORY.md 7).
template <class GaussSeidel, class Backend>
concept BackendGaussSeidel = std::constructible_from<GaussSeidel, Backend&, const Grid&> &&
    requires(GaussSeidel sweeper, typename Backend::Influence& influence,
             const unsigned char* state, SweepOrder order, const TangentialFields& fields,
             double relaxation) {
  // influence outlives the sweeps; state: ElementState of each element.
  sweeper.set_contact(influence, state, order);
  // Updates tractions, slip and state; returns the sums of squares of change and tractions.
  { sweeper.sweep(fields, relaxation) } -> std::same_as<SweepChange>;
};

// Factors the matrices of the elements in contact. Throws Error if they do not fit in memory.
template <class Dense, class Backend>
concept BackendDense = std::constructible_from<Dense, Backend&, const Grid&> &&
    requires(Dense dense, typename Backend::Influence& influence, const std::vector<int>& elements,
             const NewtonFields& linearized, Eigen::MatrixXd& columns) {
  dense.factor_normal(influence, elements);                // Cholesky of A_nn, or LU
  dense.factor_jacobian(influence, elements, linearized);  // LU, of newton's Jacobian
  dense.solve(columns);                                    // replaces each column by its solution
};

template <class Backend>
concept SolverBackend = BackendInfluence<typename Backend::Influence, Backend> &&
    BackendGaussSeidel<typename Backend::GaussSeidel, Backend> &&
    BackendDense<typename Backend::Dense, Backend> &&
    requires(Backend backend, const Backend& constant, std::size_t count, const FillField& op,
             typename Backend::template Array<double> array,
             const typename Backend::template Array<double>& values, double value,
             const std::vector<double>& host, const double* device) {
  // An array of `count` values in the backend's memory, initially zero; empty by default.
  requires std::constructible_from<typename Backend::template Array<double>, std::size_t>;
  { array.data() } -> std::same_as<double*>;
  { values.size() } -> std::same_as<std::size_t>;
  { Backend::name() } -> std::same_as<std::string>;  // "cpu" | "cuda"
  { constant.device_name() } -> std::same_as<std::string>;
  // Runs op.element(i, sums) for all i < count, then op.finish(sums). May return before it is done.
  backend.run(count, op);
  // Returns the first value of an array after waiting for all earlier work. This is the only way a
  // number that steers a solver reaches the host.
  { backend.read(values) } -> std::same_as<double>;
  backend.write(array, value);
  // The greatest value; 0 if none is positive. Waits like read().
  { constant.greatest(values) } -> std::same_as<double>;
  // Copies of whole fields; these also wait.
  { constant.download(values) } -> std::same_as<std::vector<double>>;
  { constant.download(device, count) } -> std::same_as<std::vector<double>>;
  backend.upload(host, array);  // as many values as array has
};
// To reduce the cost of launches and waits a backend may also offer begin_read(array) and
// end_read<T>(), a read() in two halves; hold_launches() and send_launches(); download_fields(),
// several copies at once; orthogonalize(), which replaces the element operations of GMRES; and
// most_krylov(), the number of GMRES products that fit in memory (solver/fields/gmres.h).

// A backend that computes nothing and counts memory (solver/run/counting_backend.h). Classes that
// allocate on first use have a function reserve() that allocates in advance.
template <class Backend>
inline constexpr bool kCountsOnly = requires {
  Backend::kCountsOnly;
};

// Reports to a counting backend the bytes of host memory that `holder` uses besides the backend's
// arrays.
template <class Backend>
void count_held(Backend& backend, const void* holder, std::size_t bytes) {
  if constexpr (kCountsOnly<Backend>) backend.hold(holder, bytes);
}

// Whether the backend's fields lie in host memory, so that host code may access them.
template <class Backend>
inline constexpr bool kInHostMemory = requires {
  Backend::kInHostMemory;
};

// The same for the run that a counting backend stands for.
template <class Backend>
bool has_host_fields(const Backend& backend) {
  if constexpr (kCountsOnly<Backend>)
    return backend.in_host();
  else
    return kInHostMemory<Backend>;
}

// Whether a value can be read while more work is launched; otherwise it is read at once.
template <class Backend, class Array>
inline constexpr bool kReadsAhead = requires(Backend& backend, const Array& array) {
  backend.begin_read(array);
};

// A field in the backend's memory, and where its copy goes.
struct FieldCopy {
  const double* values = nullptr;
  std::vector<double>* host = nullptr;
};
// Copies fields of `count` values, all at once if the backend can.
template <class Backend>
void download_fields(const Backend& backend, const std::vector<FieldCopy>& fields,
                     std::size_t count) {
  if constexpr (requires { backend.download_fields(fields, count); })
    backend.download_fields(fields, count);
  else
    for (const FieldCopy& field : fields) *field.host = backend.download(field.values, count);
}

// Starts reading the value left by all earlier work.
template <class Backend, class Array>
void begin_read(Backend& backend, const Array& array) {
  if constexpr (kReadsAhead<Backend, Array>) backend.begin_read(array);
}

// Discards the oldest read in progress without waiting.
template <class Backend, class Array>
void drop_read(Backend& backend, const Array& /*array*/) {
  if constexpr (kReadsAhead<Backend, Array>) backend.drop_read();
}

// Lets a backend that can do so collect launches and send them to the device together when the next
// value is read or send_launches() is called. Only operations, and products with an influence that
// is made_of_launches(), may be run until then.
template <class Backend>
void hold_launches(Backend& backend, bool launches_alone) {
  if constexpr (requires { backend.hold_launches(); })
    if (launches_alone) backend.hold_launches();
}
template <class Influence>
bool made_of_launches(const Influence& influence) {
  if constexpr (requires { influence.made_of_launches(); })
    return influence.made_of_launches();
  else
    return false;
}
template <class Backend>
void send_launches(Backend& backend) {
  if constexpr (requires { backend.send_launches(); }) backend.send_launches();
}

// Waits for the oldest read in progress. Work launched since its start must not change the value.
template <class T, class Backend, class Array>
T end_read(Backend& backend, const Array& array) {
  if constexpr (kReadsAhead<Backend, Array>)
    return backend.template end_read<T>();
  else
    return backend.read(array);
}

}  // namespace slipfield
