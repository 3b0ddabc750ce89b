// SPDX-License-Identifier: Apache-2.0
/* A wheelset moves across its track: forces, radii and contacts of both wheels at each position.
 *
 *   cc -std=c99 wheelset.c -o wheelset $(pkg-config --cflags --libs slipfield) -lm
 *   ./wheelset cases/wheelset.yaml
 *
 * The case is any wheelset (wheel_rail.side: both). The file's own wheelset.y is replaced before
 * each step; y is in mm to the right, forces are those on the rails in N, right and down. At the
 * end the forces at y and at -y have to be mirror images, as the two wheels and rails are.
 */
#include <math.h>
#include <slipfield.h>
#include <stdio.h>
#include <stdlib.h>

#define POSITIONS 5
#define MOST_Y 4.0

enum { LATERAL, DOWN, RADIUS, TOTALS };
static const char kTotals[] = "track_force_y,track_force_z,rolling_radius";
static const slipfield_side kSides[2] = {SLIPFIELD_LEFT, SLIPFIELD_RIGHT};
static const char* const kNames[2] = {"left", "right"};

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, slipfield_error_message());
  return 1;
}

/* Every contact of one wheel: its place and angle, and from its pressures the greatest one. */
static int print_contacts(slipfield_solver* solver, slipfield_side side) {
  int count = 0;
  int contact;
  if (slipfield_get_contacts(solver, side, &count) != SLIPFIELD_OK) return failed("contacts");
  for (contact = 1; contact <= count; ++contact) {
    double place[2];
    int elements[2];
    size_t i;
    size_t size;
    double greatest = 0.0;
    double* pressure;
    if (slipfield_get_totals(solver, side, contact, "track_y,contact_angle", place, 2) !=
            SLIPFIELD_OK ||
        slipfield_get_grid(solver, side, contact, elements, NULL, NULL) != SLIPFIELD_OK)
      return failed("contact");
    size = (size_t)elements[0] * (size_t)elements[1];
    pressure = malloc(size * sizeof *pressure);
    if (pressure == NULL) return failed("memory");
    if (slipfield_get_field(solver, side, contact, "pressure", pressure, size) != SLIPFIELD_OK) {
      free(pressure);
      return failed("pressure");
    }
    for (i = 0; i < size; ++i) greatest = fmax(greatest, pressure[i]);
    free(pressure);
    printf("    contact at y = %.2f mm, angle %.4f rad, greatest pressure %.0f N/mm2\n", place[0],
           place[1], greatest);
  }
  return 0;
}

/* One position: totals of the left and of the right wheel. */
static int solve_at(slipfield_solver* solver, double y, double totals[2][TOTALS]) {
  const char* warnings = NULL;
  int wheel;
  if (slipfield_set_number(solver, "wheel_rail.wheelset.y", y) != SLIPFIELD_OK)
    return failed("wheelset.y");
  if (slipfield_advance(solver) != SLIPFIELD_OK) return failed("advance"); /* or not converged */
  printf("y = %g mm\n", y);
  for (wheel = 0; wheel < 2; ++wheel) {
    double* of = totals[wheel];
    if (slipfield_get_totals(solver, kSides[wheel], 0, kTotals, of, TOTALS) != SLIPFIELD_OK)
      return failed("totals");
    printf("  %s wheel: %.1f N right, %.1f N down, rolling radius %.4f mm\n", kNames[wheel],
           of[LATERAL], of[DOWN], of[RADIUS]);
    if (print_contacts(solver, kSides[wheel]) != 0) return 1;
  }
  if (slipfield_get_warnings(solver, &warnings) != SLIPFIELD_OK) return failed("warnings");
  if (warnings[0] != '\0') printf("  warnings: %s\n", warnings);
  return 0;
}

int main(int argc, char** argv) {
  static double totals[POSITIONS][2][TOTALS];
  slipfield_options options;
  slipfield_solver* wheelset = NULL;
  double greatest = 0.0;
  double difference = 0.0;
  int i;
  if (argc != 2) {
    fprintf(stderr, "usage: wheelset CASE.yaml\n");
    return 2;
  }
  slipfield_options_init(&options);
  if (slipfield_solver_create_from_file(argv[1], &options, &wheelset) != SLIPFIELD_OK)
    return failed("create");
  for (i = 0; i < POSITIONS; ++i)
    if (solve_at(wheelset, MOST_Y * (2.0 * i / (POSITIONS - 1) - 1.0), totals[i]) != 0) return 1;
  slipfield_solver_destroy(wheelset);
  for (i = 0; i < POSITIONS; ++i) {
    const double left = totals[i][0][LATERAL];
    const double right = totals[POSITIONS - 1 - i][1][LATERAL];
    greatest = fmax(greatest, fabs(left));
    difference = fmax(difference, fabs(left + right));
  }
  printf("mirror images: the lateral forces differ by %.2g of the greatest\n",
         difference / greatest);
  return difference <= 1.0e-3 * greatest ? 0 : 1;
}
