// SPDX-License-Identifier: Apache-2.0
// Collects the contacts of many threads, each of which waits for its own, into batches.
//
// A thread works on something of which contacts are a part, such as the position of a wheel: what
// its next contact is follows from the last one. While a batch is solved, the threads whose
// contacts are not in it get on with their own work. A contact's solution does not depend on the
// others of its batch, so the numbers depend neither on the threads nor on their order.
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
  BatchContact contact;  // its shape and start are those here
  std::vector<double> distance;
  std::vector<double> start;                     // a pressure; empty: none
  QueuedFields fields = QueuedFields::pressure;  // what its solution has at least
};

struct QueuedSolution {
  StepReport report;
  BatchFields fields;
};

// Solves a batch; one thread calls it.
using BatchSolver =
    std::function<BatchSolution(const ContactBatch& batch, const BatchOptions& options)>;

class ContactQueue {
 public:
  // Each solver gets a thread of its own. enough: contacts that are worth a batch while members are
  // still at work; alone: solvers of their own that exist at a time.
  ContactQueue(std::vector<BatchSolver> solvers, std::size_t enough, int alone);
  // No member is left.
  ~ContactQueue();
  ContactQueue(const ContactQueue&) = delete;
  ContactQueue& operator=(const ContactQueue&) = delete;

  // A thread that will hand in contacts, as long as this lives: a batch begins at the latest when
  // all members wait. Null: of no queue.
  class Member {
   public:
    explicit Member(ContactQueue* queue);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

   private:
    ContactQueue* queue_;
  };

  // Waits for the solution; by a member's thread. Throws what the batch's solver throws.
  QueuedSolution solve(QueuedContact contact);

  // Held by a member's thread as long as a solver of its own lives; waits for a place. Batches do
  // not wait for this thread meanwhile.
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
  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  std::size_t members_ = 0;
  std::size_t in_batches_ = 0;  // members whose contacts are being solved
  bool ended_ = false;
  std::vector<std::thread> servers_;
};

using MakeAlone = std::function<std::unique_ptr<ContactSolver>(const ContactProblem&)>;

// A solver of the problem whose steps the queue solves. Each step is solved by itself, from the
// pressure of the one before. state() has the pressure and no other field; download() has
// `fields` at least. A solver made by `make_alone` does what the batch does not take, or does not
// solve. Throws InputError as make_cpu_solver().
std::unique_ptr<ContactSolver> make_queued_solver(std::shared_ptr<ContactQueue> queue,
                                                  const ContactProblem& problem,
                                                  QueuedFields fields, MakeAlone make_alone);

}  // namespace slipfield
