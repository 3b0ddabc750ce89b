// SPDX-License-Identifier: Apache-2.0
// Element operations: the work on one element in a pass over the grid, run by a CPU loop or a
// kernel.
//
// An operation is a plain struct of pointers and numbers; only element() is required:
//   struct Sum { enum : int { ..., count }; };         the sums it forms, named; or
//   static constexpr int kSums;                        unnamed, only how many
//   void element(std::size_t i, double* sums) const;   adds its terms to the sums
//   void finish(const double* sums) const;             once at the end, writes to its pointers
#pragma once

#include <type_traits>
#include <utility>

namespace slipfield {

template <class Op, class = void>
struct NamedSums : std::integral_constant<int, 0> {};
template <class Op>
struct NamedSums<Op, std::void_t<decltype(Op::Sum::count)>>
    : std::integral_constant<int, Op::Sum::count> {};

template <class Op, class = void>
inline constexpr int kSumsOf = NamedSums<Op>::value;
template <class Op>
inline constexpr int kSumsOf<Op, std::void_t<decltype(Op::kSums)>> = Op::kSums;

template <class Op, class = void>
inline constexpr bool kHasFinish = false;
template <class Op>
inline constexpr bool
    kHasFinish<Op, std::void_t<decltype(std::declval<const Op&>().finish(nullptr))>> = true;

template <class Op, class = void>
inline constexpr bool kDeclaresSums = kSumsOf<Op> != 0;
template <class Op>
inline constexpr bool kDeclaresSums<Op, std::void_t<decltype(Op::kSums)>> = true;

// Undeclared sums would be written out of bounds, and without finish() they would be lost.
template <class Op>
inline constexpr bool kIsSound = kHasFinish<Op> == kDeclaresSums<Op>;

}  // namespace slipfield
