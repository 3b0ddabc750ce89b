// SPDX-License-Identifier: Apache-2.0
// What a backend that holds some rows of the grid leaves to the one that it computes them with:
// arrays, copies, and the values that steer a solver, which have the same bits for all owners.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slipfield {

template <class Local>
class LocalRows {
 public:
  template <class T>
  using Array = typename Local::template Array<T>;
  static constexpr bool kOneOwner = false;

  static std::string name() { return Local::name(); }
  [[nodiscard]] std::string device_name() const { return local().device_name(); }

  template <class Values>
  auto read(const Values& array) const {
    return local().read(array);
  }
  template <class Values, class T>
  void write(Values& array, const T& value) const {
    local().write(array, value);
  }
  template <class Values>
  auto download(const Values& array) const {
    return local().download(array);
  }
  template <class T>
  auto download(const T* values, std::size_t count) const {
    return local().download(values, count);
  }
  template <class T, class Values>
  void upload(const std::vector<T>& values, Values& array) const {
    local().upload(values, array);
  }

 protected:
  // Copies of a backend work on the same one.
  explicit LocalRows(std::shared_ptr<Local> local) : local_(std::move(local)) {}
  [[nodiscard]] Local& local() const { return *local_; }

 private:
  std::shared_ptr<Local> local_;
};

}  // namespace slipfield
