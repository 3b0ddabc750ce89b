// SPDX-License-Identifier: Apache-2.0
// Reading in a child process: what ends it, and what it hands over.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include "io/file_identity.h"
#include "io/hdf5/child_reading.h"
#include "io/hdf5/handle.h"
#include "io/hdf5/one_thread.h"
#include "solver/error.h"
#include "tests/support/temporary_folder.h"

using namespace slipfield;

TEST_SUITE("unit") {
  TEST_CASE("reading in a child: its text and its errors arrive, what it changes does not") {
    int changed = 0;
    const std::string text(100'000, 'x');  // more than a pipe holds
    CHECK(read_in_child("a.h5", [&] {
            ++changed;
            return text;
          }) == text);
    CHECK(changed == 0);
    CHECK(read_in_child("a.h5", [] { return std::string(); }).empty());
    CHECK_THROWS_WITH_AS(try_in_child("a.h5", [] { throw InputError("wrong"); }), "wrong",
                         InputError);
    CHECK_THROWS_WITH_AS(try_in_child("a.h5", [] { throw Error("failed"); }), "failed", Error);
  }

  TEST_CASE("reading in a child: a crash or a lack of memory is a sentence about the file") {
    CHECK_THROWS_WITH_AS(try_in_child("a.h5", [] { std::raise(SIGKILL); }),
                         "a.h5: the file is damaged (the HDF5 library crashes on it, signal 9)",
                         InputError);
    CHECK_THROWS_WITH_AS(try_in_child("a.h5", [] { throw std::bad_alloc(); }),
                         "a.h5: the file is damaged (it claims more than the memory holds)",
                         InputError);
    CHECK_THROWS_WITH_AS(try_in_child("a.h5", [] { std::raise(SIGXCPU); }),
                         doctest::Contains("takes more than 5 s of processor time"), InputError);
  }

  TEST_CASE("reading in a child: one that only sleeps is ended and reported") {
    using std::chrono::milliseconds;
    const auto sleep = [] {
      pause();
      return std::string();
    };
    CHECK_THROWS_WITH_AS(read_in_child("a.h5", sleep, milliseconds(20)),
                         doctest::Contains("a.h5: the process that reads it did not end within"),
                         Error);
    CHECK(read_in_child("a.h5", [] { return std::string("soon"); }) == "soon");
    CHECK(longest_wait_to_read(0) == std::chrono::seconds(70));
  }

  // In a child HDF5 would never get the lock of a thread that was inside it and stayed in the
  // parent.
  TEST_CASE("reading in a child: other threads may be inside HDF5, also those of other libraries") {
    const test::TemporaryFolder folder;
    const auto path = folder / "a.h5";
    {
      hdf5::Handle file = hdf5::create_file(path);
      hdf5::write_attribute(file.id(), "name", std::string_view("value"));
      file.close("H5Fclose", path.string());
    }
    const auto read = [&] {
      return hdf5::read_string_attribute(hdf5::open_file(path).id(), "name");
    };
    hbool_t has_lock = false;  // HDF5's MPI build has none: only OneThread keeps threads apart
    hdf5::check(H5is_library_threadsafe(&has_lock), "H5is_library_threadsafe", path.string());
    hdf5::prepare();
    std::atomic<bool> done = false;
    std::thread ours([&] {
      while (!done) {
        const hdf5::OneThread alone;
        static_cast<void>(read());
      }
    });
    std::thread others([&] {  // as h5py, which knows nothing of OneThread
      while (has_lock && !done) H5Fis_hdf5(path.c_str());
    });
    int right = 0;
    constexpr int kTimes = 20;
    for (int k = 0; k < kTimes; ++k) right += read_in_child(path, read) == "value" ? 1 : 0;
    done = true;
    ours.join();
    others.join();
    CHECK(right == kTimes);
  }

  TEST_CASE("reading in a child: it does not hold the locked folder of a run that is killed") {
    const int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(folder >= 0);
    CHECK(read_in_child("a.h5", [&] {
            return std::string(fcntl(folder, F_GETFD) == -1 ? "left" : "held");
          }) == "left");
    CHECK(fcntl(folder, F_GETFD) != -1);
    close(folder);
  }

  TEST_CASE("reading in a child: a large file has more time") {
    CHECK(most_seconds_to_read(0) == 5);
    CHECK(most_seconds_to_read(100U << 20U) == 105);
  }

  TEST_CASE(
      "file identity: what is not to be read again is the same file, longer ago than a tick") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("a.h5", "aaaa");
    const auto before = identity_of(path);
    REQUIRE(before);
    CHECK(identity_of(path) == before);
    CHECK_FALSE(before->is_settled());  // may still change unseen
    FileIdentity older = *before;
    older.changed_s = std::time(nullptr) - 10;
    CHECK(older.is_settled());
    std::filesystem::rename(folder.write("b.h5", "bbbb"), path);
    CHECK(identity_of(path) != before);
    CHECK_FALSE(identity_of(folder / "none.h5"));
  }
}
