// SPDX-License-Identifier: Apache-2.0
// Reading in a child process: what ends it, and what it hands over.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <new>

#include "io/file_identity.h"
#include "io/hdf5/child_reading.h"
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
