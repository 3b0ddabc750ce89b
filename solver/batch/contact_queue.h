// SPDX-License-Identifier: Apache-2.0
// Collects contacts from many threads into batches; each thread waits for its own.
//
// A thread works on a larger task, such as the position of a wheel, in which its next contact
// depends on the last one. While a batch is solved, threads whose contacts are not in it continue
// their own work. The solution of a contact does not depend on the rest of its batch, so the
// results depend neither on the threads nor on their order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/contact_solver.h"

namespace slipfield {

enum class QueuedFields { pressure, all };

struct QueuedContact {
  BatchContact contact;  // uses the shape and start below
  std::vector<double> distance;
  std::vector<double> start;                     // starting pressure; empty: none
  QueuedFields fields = QueuedFields::pressure;  // fields that its solution must have
};

struct QueuedSolution {
  StepReport report;
  BatchFields fields;
};

// Solves a batch; called by one thread.
using BatchSolver =
    std::function<BatchSolution(const ContactBatch& batch, const BatchOptions& options)>;

class ContactQueue {
 public:
  // Each solver gets a thread of its own. enough: number of contacts that justify a batch while
  // members are still working; alone: number of single solvers that may exist at a time.
  ContactQueue(std::vector<BatchSolver> solvers, std::size_t enough, int alone);
  // All members must have been destroyed before.
  ~ContactQueue();
  ContactQueue(const ContactQueue&) = delete;
  ContactQueue& operator=(const ContactQueue&) = delete;

  // Marks the current thread as one that will submit contacts during this object's lifetime: a
  // batch starts at the latest when all members wait. Null: member of no queue.
  class Member {
   public:
    explicit Member(ContactQueue* queue);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

   private:
    ContactQueue* queue_;
  };

  // Waits for the solution; call it from a member's thread. Rethrows what the batch's solver
  // throws.
  QueuedSolution solve(QueuedContact contact);

  // Held by a member's thread while it has a single solver; its constructor waits for a place.
  // Batches do not wait for this thread meanwhile.
  class Alone {
   public:
    explicit Alone(ContactQueue& queue);
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    ContactQueue& queue_;
  };

 private:
  struct Waiting {
    QueuedContact contact;
    std::promise<QueuedSolution> answer;
  };
  [[nodiscard]] bool is_due() const;
  void serve(const BatchSolver& solver);
  void join();
  void leave();
  void end();
  static ContactBatch batch_of(std::vector<Waiting>& waiting);
  static BatchOptions options_of(const std::vector<Waiting>& waiting);

  std::size_t enough_;
  std::counting_semaphore<> alone_;
  std::mutex mutex_;  // guards all members below
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  std::size_t members_ = 0;
  std::size_t in_batches_ = 0;  // members whose contacts are being solved now
  bool ended_ = false;
  std::vector<std::thread> servers_;
};

using MakeAlone = std::function<std::unique_ptr<ContactSolver>(const ContactProblem&)>;

// A solver whose steps are solved by the queue, each by itself, starting from the pressure of the
// step before. state() holds only the pressure; download() returns at least `fields`. A solver from
// `make_alone` takes over what the batch does not accept or does not solve. Throws InputError like
// make_cpu_solver().
std::unique_ptr<ContactSolver> make_queued_solver(std::shared_ptr<ContactQueue> queue,
                                                  const ContactProblem& problem,
                                                  QueuedFields fields, MakeAlone make_alone);

}  // namespace slipfield
