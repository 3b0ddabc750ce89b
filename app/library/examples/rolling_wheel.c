// SPDX-License-Identifier: Apache-2.0
/* A wheel rolls through 1,000 time steps inside an integrator that rejects some of them.
 *
 * The creepage follows a slow sine, each time step is one step of transient rolling. Every seventh
 * time step is tried with a creepage that the integrator then takes back: the state before it is
 * restored, and the step done again. In the end the same run without rejected steps gives the same
 * bits.
 *
 *   cc -std=c99 rolling_wheel.c -o rolling_wheel $(pkg-config --cflags --libs slipfield) -lm
 */
#include <math.h>
#include <slipfield.h>
#include <stdio.h>
#include <string.h>

#define STEPS 1000

static const char kCase[] =
    "schema: 1\n"
    "units: SI\n"
    "bodies:\n"
    "  upper: {shear_modulus: 82.0e9, poisson_ratio: 0.28}\n"
    "  lower: {shear_modulus: 82.0e9, poisson_ratio: 0.28}\n"
    "friction: {coefficient: 0.3}\n"
    "grid: {elements: [16, 12], spacing: [1.0e-3, 1.0e-3]}\n"
    "geometry: {type: ellipsoid, radii: [0.46, 0.3]}\n"
    "normal: {force: 8.0e4}\n"
    "tangential: {problem: transient_rolling, step: 1.0e-3, x: {creepage: 0.0},\n"
    "             y: {creepage: 0.0}, spin: 0.1}\n";

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, slipfield_error_message());
  return 1;
}

/* Force of each step into force[STEPS]; 0 where all went well. */
static int roll(int with_rejected, double* force) {
  slipfield_options options;
  slipfield_solver* wheel = NULL;
  slipfield_state* before = NULL;
  int i;
  slipfield_options_init(&options);
  options.backend = "cpu";
  options.threads = 1;
  if (slipfield_solver_create_from_text(kCase, strlen(kCase), &options, &wheel) != SLIPFIELD_OK)
    return failed("create");
  for (i = 0; i < STEPS; ++i) {
    const double creepage = 2.0e-3 * sin(0.01 * i);
    if (slipfield_state_save(wheel, &before) != SLIPFIELD_OK) return failed("save");
    if (with_rejected && i % 7 == 3) {
      double rejected;
      if (slipfield_set_number(wheel, "tangential.x.creepage", 1.5 * creepage + 1.0e-4) !=
              SLIPFIELD_OK ||
          slipfield_advance(wheel) != SLIPFIELD_OK ||
          slipfield_get_totals(wheel, SLIPFIELD_WHOLE, 0, "force_x", &rejected, 1) != SLIPFIELD_OK)
        return failed("rejected step");
      if (slipfield_state_restore(wheel, before) != SLIPFIELD_OK) return failed("restore");
    }
    if (slipfield_set_number(wheel, "tangential.x.creepage", creepage) != SLIPFIELD_OK)
      return failed("set");
    if (slipfield_advance(wheel) != SLIPFIELD_OK) return failed("advance");
    if (slipfield_get_totals(wheel, SLIPFIELD_WHOLE, 0, "force_x", &force[i], 1) != SLIPFIELD_OK)
      return failed("totals");
  }
  slipfield_state_destroy(before);
  slipfield_solver_destroy(wheel);
  return 0;
}

int main(void) {
  static double with[STEPS];
  static double without[STEPS];
  int i;
  int different = 0;
  if (roll(1, with) != 0 || roll(0, without) != 0) return 1;
  for (i = 0; i < STEPS; ++i) different += memcmp(&with[i], &without[i], sizeof with[i]) != 0;
  printf("Slipfield %s: %d time steps, force_x %.1f N at step %d, %.1f N at the end\n",
         slipfield_version(), STEPS, with[158], 158, with[STEPS - 1]);
  printf("steps whose force differs from the run without rejected steps: %d\n", different);
  return different == 0 ? 0 : 1;
}
