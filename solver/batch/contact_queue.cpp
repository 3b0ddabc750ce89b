// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/contact_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace slipfield {

ContactQueue::ContactQueue(std::vector<BatchSolver> solvers, std::size_t enough, int alone)
    : enough_(enough), alone_(alone) {
  servers_.reserve(solvers.size());
  try {
    for (BatchSolver& solver : solvers)
      servers_.emplace_back([this, solver = std::move(solver)] { serve(solver); });
  } catch (...) {  // the system cannot start another thread
    end();
    throw;
  }
}

ContactQueue::~ContactQueue() { end(); }

void ContactQueue::end() {
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& server : servers_) server.join();
}

ContactQueue::Member::Member(ContactQueue* queue) : queue_(queue) {
  if (queue_ != nullptr) queue_->join();
}

ContactQueue::Member::~Member() {
  if (queue_ != nullptr) queue_->leave();
}

ContactQueue::Alone::Alone(ContactQueue& queue) : queue_(queue) {
  queue_.leave();
  queue_.alone_.acquire();
}

ContactQueue::Alone::~Alone() {
  queue_.alone_.release();
  queue_.join();
}

void ContactQueue::join() {
  const std::lock_guard<std::mutex> guard(mutex_);
  ++members_;
}

void ContactQueue::leave() {
  const std::lock_guard<std::mutex> guard(mutex_);
  --members_;
  if (is_due()) changed_.notify_one();
}

QueuedSolution ContactQueue::solve(QueuedContact contact) {
  std::future<QueuedSolution> answer;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    answer = waiting_.emplace_back(Waiting{std::move(contact), {}}).answer.get_future();
    if (is_due()) changed_.notify_one();
  }
  return answer.get();
}

bool ContactQueue::is_due() const {
  if (waiting_.empty()) return false;
  return waiting_.size() >= enough_ || waiting_.size() + in_batches_ >= members_;
}

void ContactQueue::serve(const BatchSolver& solver) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || is_due(); });
    if (ended_) return;
    std::vector<Waiting> taken = std::exchange(waiting_, {});
    in_batches_ += taken.size();
    lock.unlock();
    BatchSolution solution;
    std::exception_ptr error;
    try {
      const BatchOptions options = options_of(taken);  // before the contacts are moved away
      solution = solver(batch_of(taken), options);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    in_batches_ -= taken.size();  // members with an answer are working again
    lock.unlock();
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (error)
        taken[i].answer.set_exception(error);
      else
        taken[i].answer.set_value({std::move(solution.reports[i]), std::move(solution.fields[i])});
    }
    lock.lock();
  }
}

// Requests all fields if one contact needs them: a batch has one set of options.
BatchOptions ContactQueue::options_of(const std::vector<Waiting>& waiting) {
  BatchOptions options;
  options.fields = std::any_of(waiting.begin(), waiting.end(), [](const Waiting& one) {
    return one.contact.fields == QueuedFields::all;
  });
  options.pressures = !options.fields;
  return options;
}

ContactBatch ContactQueue::batch_of(std::vector<Waiting>& waiting) {
  ContactBatch batch;
  batch.contacts.reserve(waiting.size());
  batch.shapes.reserve(2 * waiting.size());
  for (Waiting& one : waiting) {
    BatchContact& contact = batch.contacts.emplace_back(std::move(one.contact.contact));
    contact.shape = batch.shapes.size();
    batch.shapes.push_back(std::move(one.contact.distance));
    contact.start.reset();
    if (one.contact.start.empty()) continue;
    contact.start = batch.shapes.size();
    batch.shapes.push_back(std::move(one.contact.start));
  }
  return batch;
}

}  // namespace slipfield
