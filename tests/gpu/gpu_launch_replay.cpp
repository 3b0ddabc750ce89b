// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/device/device_array.h"
#include "gpu/device/element_launch.h"
#include "gpu/device/launch_replay.h"
#include "solver/fields/step_ops.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield::test {

namespace {

// Copies round three arrays, each copy scaled by the next factor.
std::vector<double> copied(const std::vector<double>& from, const std::vector<double>& factors,
                           std::size_t count, LaunchReplay* replay, cudaStream_t stream) {
  DeviceArray<double> arrays[3] = {DeviceArray<double>(from), DeviceArray<double>(from),
                                   DeviceArray<double>(from)};
  DeviceArray<double> workspace(element_workspace_size());
  workspace.zero(stream);
  if (replay != nullptr) replay->hold();
  for (std::size_t k = 0; k < factors.size(); ++k)
    launch_element_op(CopyField{arrays[k % 3].data(), arrays[(k + 1) % 3].data(), factors[k]},
                      count, {workspace.data(), nullptr}, stream, true);
  if (replay != nullptr) replay->send();
  return arrays[factors.size() % 3].download(stream);
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("launches that are held and replayed do what they do one by one") {
    const CudaStream stream;
    LaunchReplay replay(stream.get());
    Random random(11);
    long sent = 0;
    for (int round = 0; round < 40; ++round) {
      CAPTURE(round);
      // Chains of three lengths in turn, on fields of several sizes, with other numbers each time.
      const std::size_t links = 2 + static_cast<std::size_t>(round % 3) * 4;
      const std::size_t count = round % 2 == 0 ? 100 : 70000;
      const std::vector<double> from = random.values(70000);
      const std::vector<double> factors = random.values(links);
      const std::vector<double> expected = copied(from, factors, count, nullptr, stream.get());
      CHECK(copied(from, factors, count, &replay, stream.get()) == expected);
      if (links >= 3 && round >= 6) CHECK(replay.replayed() == ++sent);
      sent = replay.replayed();
    }
    CHECK(sent > 20);
  }

  TEST_CASE("held launches wait, and those of other streams and of an interruption do not") {
    const CudaStream stream;
    const CudaStream other;
    LaunchReplay replay(stream.get());
    DeviceArray<double> a(std::vector<double>(5, 1.0));
    DeviceArray<double> b(std::vector<double>(5, 1.0));
    DeviceArray<double> workspace(element_workspace_size());
    workspace.zero(stream.get());
    const auto fill = [&](double value, DeviceArray<double>& field, cudaStream_t into) {
      launch_element_op(FillField{value, field.data()}, 5, {workspace.data(), nullptr}, into);
    };
    replay.hold();
    fill(2.0, a, stream.get());
    fill(3.0, b, other.get());
    CHECK(a.download(stream.get()) == std::vector<double>(5, 1.0));
    CHECK(b.download(other.get()) == std::vector<double>(5, 3.0));
    LaunchReplay::interrupt(other.get());
    CHECK(a.download(stream.get()) == std::vector<double>(5, 1.0));
    LaunchReplay::interrupt(stream.get());
    CHECK(a.download(stream.get()) == std::vector<double>(5, 2.0));
    fill(4.0, a, stream.get());
    CHECK(a.download(stream.get()) == std::vector<double>(5, 4.0));
    replay.hold();
    fill(5.0, a, stream.get());
    replay.drop();
    LaunchReplay second(other.get());
    second.hold();
    fill(6.0, b, other.get());
    replay.hold();  // sends what the other one holds
    CHECK(b.download(other.get()) == std::vector<double>(5, 6.0));
    replay.send();
    CHECK(a.download(stream.get()) == std::vector<double>(5, 4.0));
  }

  TEST_CASE("a run takes the kit of the one before, without launches that it held") {
    DeviceArray<double> field(std::vector<double>(5, 1.0));
    cudaStream_t used = nullptr;
    {
      CudaBackend backend;
      used = backend.stream();
      backend.hold_launches();
      backend.run(5, FillField{2.0, field.data()});
    }
    CudaBackend backend;
    CHECK(backend.stream() == used);
    backend.run(5, CopyField{field.data(), field.data(), 3.0});
    CHECK(field.download(used) == std::vector<double>(5, 3.0));
    const CudaBackend another;  // at the same time
    CHECK(another.stream() != used);
  }

  TEST_CASE("readings come in order, and a dropped one is not waited for") {
    CudaBackend backend;
    CudaBackend::Array<double> value(1);
    const auto begin = [&](double number) {
      backend.run(1, FillField{number, value.data()});
      backend.begin_read(value);
    };
    for (int round = 0; round < 5; ++round) {
      CAPTURE(round);
      begin(1.0 + round);
      begin(2.0 + round);
      CHECK(backend.end_read<double>() == 1.0 + round);
      backend.drop_read();
      begin(3.0 + round);
      CHECK(backend.read(value) == 3.0 + round);
      CHECK(backend.end_read<double>() == 3.0 + round);
    }
  }
}

}  // namespace slipfield::test
