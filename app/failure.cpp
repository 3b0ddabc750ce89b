// SPDX-License-Identifier: Apache-2.0
#include "app/failure.h"

#include <new>

#include "app/interrupt.h"
#include "solver/error.h"

namespace slipfield {

Failure failure_of(const std::exception_ptr& error) {
  constexpr int kFailed = static_cast<int>(ExitCode::failed);
  try {
    std::rethrow_exception(error);
  } catch (const Interrupted& interrupt) {
    return {interrupt.what(), interrupt.exit_code()};
  } catch (const Error& known) {
    return {known.what(), static_cast<int>(known.exit_code())};
  } catch (const std::bad_alloc&) {
    return {"this machine has too little memory for it", kFailed};
  } catch (const std::exception& unknown) {
    return {std::string("internal error: ") + unknown.what(), kFailed};
  }
}

}  // namespace slipfield
