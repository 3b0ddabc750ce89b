// SPDX-License-Identifier: Apache-2.0
/* A case through the C library, as `slipfield run` does it: run_case CASE OUT BACKEND. */
#include <slipfield.h>
#include <stdio.h>
#include <string.h>

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, slipfield_error_message());
  return 2;
}

int main(int argc, char** argv) {
  slipfield_options options;
  slipfield_solver* solver = NULL;
  int converged = 1;
  if (argc != 4) return 2;
  slipfield_options_init(&options);
  options.backend = argv[3];
  if (slipfield_solver_create_from_file(argv[1], &options, &solver) != SLIPFIELD_OK)
    return failed("create");
  if (slipfield_record_begin(solver, argv[2], SLIPFIELD_OVERWRITE_RESULT) != SLIPFIELD_OK)
    return failed("record");
  while (slipfield_steps_done(solver) < slipfield_steps_in_case(solver)) {
    const slipfield_status status = slipfield_advance(solver);
    if (status == SLIPFIELD_NOT_CONVERGED)
      converged = 0;
    else if (status != SLIPFIELD_OK)
      return failed("advance");
  }
  if (slipfield_record_end(solver) != SLIPFIELD_OK) return failed("end");
  slipfield_solver_destroy(solver);
  return converged ? 0 : 1;
}
