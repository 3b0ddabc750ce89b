// SPDX-License-Identifier: Apache-2.0
/* Creep forces from a table of `slipfield table`: one file for C99 and C++, without dependencies.
 *
 * Take this file along, and a table that `slipfield table export` wrote:
 *
 *   slipfield_table table;
 *   if (slipfield_table_open(&table, bytes, size) != SLIPFIELD_TABLE_OK) ...   bytes of the file
 *   slipfield_table_force(&table, a / b, creepage, force, derivative);
 *
 * Pure numbers, with c = sqrt(a b): creepage = (G c^2 xi, G c^2 eta, G c^3 phi)/(mu F_n),
 * force = (F_x, F_y, M_z/c)/(mu F_n), on body 1, as in a result; derivative[3 i + k] that of force
 * i by creepage k. slipfield_table_contact takes a contact with units. Nothing is allocated, the
 * bytes stay the caller's, aligned for doubles, and any number of threads may read them.
 *
 * The force is linear for small creepages and that of full sliding for large ones, its derivatives
 * are continuous (but for bounded jumps at pure spin and where the bound mu F_n cuts), and it never
 * exceeds mu F_n (THEORY.md 6.9). Bytes in the order of this machine. */
/* NOLINTBEGIN: C */
#ifndef SLIPFIELD_TABLE_H
#define SLIPFIELD_TABLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SLIPFIELD_TABLE_MAGIC "SFTABLE1"
#define SLIPFIELD_TABLE_PI 3.14159265358979323846

enum {
  SLIPFIELD_TABLE_OK = 0,
  SLIPFIELD_TABLE_CLAMPED = 1,   /* a/b is outside the table: the nearest ratio was taken */
  SLIPFIELD_TABLE_FOREIGN = 2,   /* open: not such a table, or of a machine of other byte order */
  SLIPFIELD_TABLE_DAMAGED = 3,   /* open: cut off, or with impossible sizes */
  SLIPFIELD_TABLE_NOT_FINITE = 4 /* a number is not finite or a ratio not positive; forces are 0 */
};

/* What the bytes begin with; then the linear coefficients and those of the forces. */
typedef struct {
  char magic[8];
  int32_t order;     /* 2; 1: directions are not stretched */
  int32_t symmetric; /* about the rolling direction: half of the directions are kept */
  int32_t ratios, radii, angles, elevations; /* cells of the grid; ratios: 0 of a single ratio */
  double first_ratio;                        /* log(a/b) */
  double ratio_step;
} slipfield_table_header;

typedef struct {
  slipfield_table_header header;
  const double* linear;      /* B-spline coefficients of log(C_11, C_22, C_23) over log(a/b) */
  const float* coefficients; /* B-spline coefficients [ratio][radius][angle][elevation][3] */
} slipfield_table;

typedef struct {
  double a, b;          /* semi-axes [length]; of a double half-ellipse b is the mean of both */
  double shear_modulus; /* [force/length^2] */
  double friction;      /* mu */
  double normal_force;  /* [force] */
  double creepage_x, creepage_y;
  double spin; /* [1/length] */
} slipfield_table_rolling;

static inline size_t slipfield_table_linear_count(const slipfield_table_header* h) {
  return 3 * (size_t)(h->ratios == 0 ? 1 : h->ratios + 3);
}
static inline size_t slipfield_table_force_count(const slipfield_table_header* h) {
  return slipfield_table_linear_count(h) * (size_t)(h->radii + 3) * (size_t)(h->angles + 3) *
         (size_t)(h->elevations + 3);
}

static inline int slipfield_table_open(slipfield_table* table, const void* bytes, size_t size) {
  enum { most = 100000 };
  slipfield_table_header* const h = &table->header;
  size_t linear;
  memset(table, 0, sizeof *table);
  if (size < sizeof *h || memcmp(bytes, SLIPFIELD_TABLE_MAGIC, sizeof h->magic) != 0)
    return SLIPFIELD_TABLE_FOREIGN;
  memcpy(h, bytes, sizeof *h);
  if (h->order != 1 && h->order != 2) return SLIPFIELD_TABLE_FOREIGN;
  if (h->ratios < 0 || h->ratios > most || h->radii < 1 || h->radii > 1000 || h->angles < 1 ||
      h->angles > 1000 || h->elevations < 1 || h->elevations > 1000 || !isfinite(h->first_ratio) ||
      !isfinite(h->ratio_step) || h->ratio_step < 0.0)
    return SLIPFIELD_TABLE_DAMAGED;
  linear = slipfield_table_linear_count(h) * sizeof(double);
  if (size != sizeof *h + linear + slipfield_table_force_count(h) * sizeof(float))
    return SLIPFIELD_TABLE_DAMAGED;
  table->linear = (const double*)((const char*)bytes + sizeof *h);
  table->coefficients = (const float*)((const char*)bytes + sizeof *h + linear);
  return SLIPFIELD_TABLE_OK;
}

/* Weights of the four cubic B-splines over a cell at x in [0, 1], and their derivatives by x. */
static inline void slipfield_table_weights(double x, double w[4], double d[4]) {
  const double y = 1.0 - x;
  w[0] = y * y * y / 6.0;
  w[1] = (4.0 + x * x * (3.0 * x - 6.0)) / 6.0;
  w[2] = (4.0 + y * y * (3.0 * y - 6.0)) / 6.0;
  w[3] = x * x * x / 6.0;
  d[0] = -0.5 * y * y;
  d[1] = x * (1.5 * x - 2.0);
  d[2] = -y * (1.5 * y - 2.0);
  d[3] = 0.5 * x * x;
}

/* The cell of `cells` that holds position x; x becomes the place in it. */
static inline int slipfield_table_cell(double* x, int cells) {
  int cell = (int)floor(*x);
  if (cell < 0) cell = 0;
  if (cell > cells - 1) cell = cells - 1;
  *x -= cell;
  return cell;
}

/* Sums over the 4 x 4 x 4 x 4 coefficients about a place: the value and its three derivatives. */
static inline void slipfield_table_sum(const slipfield_table* table, const int cell[4],
                                       double w[4][4], double d[4][4], double sum[4][3]) {
  const slipfield_table_header* const h = &table->header;
  const size_t line = 3 * (size_t)(h->elevations + 3);
  const size_t plane = line * (size_t)(h->angles + 3);
  const size_t block = plane * (size_t)(h->radii + 3);
  const int ratios = h->ratios == 0 ? 1 : 4;
  float along[3][12]; /* summed over all but the elevation: value, by radius, by angle */
  int i, j, k, l, m;
  memset(along, 0, sizeof along);
  for (i = 0; i < ratios; ++i) {
    for (j = 0; j < 4; ++j) {
      for (k = 0; k < 4; ++k) {
        const float value = (float)(w[0][i] * w[1][j] * w[2][k]);
        const float by_radius = (float)(w[0][i] * d[1][j] * w[2][k]);
        const float by_angle = (float)(w[0][i] * w[1][j] * d[2][k]);
        const float* const c = table->coefficients + (size_t)(cell[0] + i) * block +
                               (size_t)(cell[1] + j) * plane + (size_t)(cell[2] + k) * line +
                               3 * (size_t)cell[3];
        for (l = 0; l < 12; ++l) along[0][l] += value * c[l];
        for (l = 0; l < 12; ++l) along[1][l] += by_radius * c[l];
        for (l = 0; l < 12; ++l) along[2][l] += by_angle * c[l];
      }
    }
  }
  memset(sum, 0, 12 * sizeof(double));
  for (l = 0; l < 4; ++l) {
    for (m = 0; m < 3; ++m) {
      sum[0][m] += w[3][l] * (double)along[0][3 * l + m];
      sum[1][m] += w[3][l] * (double)along[1][3 * l + m];
      sum[2][m] += w[3][l] * (double)along[2][3 * l + m];
      sum[3][m] += d[3][l] * (double)along[0][3 * l + m];
    }
  }
}

/* Factors of the scaled creepages from whose directions angle and elevation are taken. In
 * (xi/b, eta/a, phi) the centre about which the bodies turn on each other lies in the patch where
 * the first two are below the last, whatever a/b: there full sliding changes fastest. Half of the
 * way to these, in the logarithm, serves creep too. linear: C_11, C_22, C_23. */
static inline void slipfield_table_stretch(double log_ratio, const double linear[3],
                                           double stretch[3]) {
  const double a_over_c = exp(0.5 * log_ratio);
  stretch[0] = 1.0;
  stretch[1] = sqrt(linear[0] / (linear[1] * a_over_c * a_over_c));
  stretch[2] = sqrt(linear[0] / (3.0 * linear[2] * a_over_c));
}

/* The linear coefficients C_11, C_22, C_23 at a ratio, and the stretch; weights of the ratio's cell
 * are left. */
static inline void slipfield_table_linear(const slipfield_table* table, double ratio, int* cell,
                                          double w[4], double d[4], double c[3], double stretch[3],
                                          int* status) {
  const slipfield_table_header* const h = &table->header;
  const double slack = 1e-9;
  double x = log(ratio) - h->first_ratio;
  double log_ratio = h->first_ratio;
  int i, m;
  *status = SLIPFIELD_TABLE_OK;
  *cell = 0;
  c[0] = c[1] = c[2] = 0.0;
  if (h->ratios == 0) {
    if (fabs(x) > slack) *status = SLIPFIELD_TABLE_CLAMPED;
    w[0] = 1.0;
  } else {
    x /= h->ratio_step;
    if (x < -slack || x > h->ratios + slack) *status = SLIPFIELD_TABLE_CLAMPED;
    x = x < 0.0 ? 0.0 : x > h->ratios ? (double)h->ratios : x;
    log_ratio = h->first_ratio + x * h->ratio_step;
    *cell = slipfield_table_cell(&x, h->ratios);
    slipfield_table_weights(x, w, d);
  }
  for (i = 0; i < (h->ratios == 0 ? 1 : 4); ++i)
    for (m = 0; m < 3; ++m) c[m] += w[i] * table->linear[3 * (*cell + i) + m];
  for (m = 0; m < 3; ++m) c[m] = exp(c[m]);
  slipfield_table_stretch(log_ratio, c, stretch);
  if (h->order == 1) stretch[1] = stretch[2] = 1.0;
}

/* Cuts to the circle of radius 1; the derivative follows. */
static inline void slipfield_table_bound(double force[3], double derivative[9]) {
  const double size = sqrt(force[0] * force[0] + force[1] * force[1]);
  int k;
  if (!(size > 1.0)) return;
  force[0] /= size;
  force[1] /= size;
  for (k = 0; k < 3; ++k) {
    const double along = force[0] * derivative[k] + force[1] * derivative[3 + k];
    derivative[k] = (derivative[k] - along * force[0]) / size;
    derivative[3 + k] = (derivative[3 + k] - along * force[1]) / size;
  }
}

/* At scaled creepages v with v[2] >= 0, and v[0] >= 0 on an ellipse, not all 0; the cell and the
 * weights of the ratio are there. The derivative is by v. */
static inline void slipfield_table_scaled(const slipfield_table* table, const double v[3],
                                          const double stretch[3], int cell[4], double w[4][4],
                                          double d[4][4], double force[3], double out[9]) {
  const slipfield_table_header* const h = &table->header;
  double sum[4][3], at[3];
  int i, k;
  const double p[3] = {v[0], stretch[1] * v[1], stretch[2] * v[2]};
  const double r = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double flat2 = p[0] * p[0] + p[1] * p[1];
  const double size2 = flat2 + p[2] * p[2];
  const double flat = fmax(sqrt(flat2), 1e-9 * sqrt(size2)); /* at pure spin: beside it */
  const double cosine = flat2 > 0.0 ? p[0] / sqrt(flat2) : 1.0;
  const double sine = flat2 > 0.0 ? p[1] / sqrt(flat2) : 0.0;
  const double share = 3.0 * r / (1.0 + 3.0 * r);
  const double width = h->symmetric ? SLIPFIELD_TABLE_PI : 2.0 * SLIPFIELD_TABLE_PI;
  const double per_angle = h->angles / width;
  const double per_elevation = h->elevations / (0.5 * SLIPFIELD_TABLE_PI);
  const double d_share = 3.0 / ((1.0 + 3.0 * r) * (1.0 + 3.0 * r));
  const double d_radius = h->radii / ((1.0 + r) * (1.0 + r));
  const double by_r[3] = {v[0] / r, v[1] / r, v[2] / r};
  const double by_angle[3] = {-sine / flat, stretch[1] * cosine / flat, 0.0};
  const double by_elevation[3] = {-p[2] * cosine / size2, -stretch[1] * p[2] * sine / size2,
                                  stretch[2] * flat / size2};
  at[0] = h->radii * (r / (1.0 + r));
  at[1] = (atan2(sine, cosine) + 0.5 * width) * per_angle;
  at[2] = atan2(p[2], flat) * per_elevation;
  cell[1] = slipfield_table_cell(&at[0], h->radii);
  cell[2] = slipfield_table_cell(&at[1], h->angles);
  cell[3] = slipfield_table_cell(&at[2], h->elevations);
  for (i = 0; i < 3; ++i) slipfield_table_weights(at[i], w[i + 1], d[i + 1]);
  slipfield_table_sum(table, cell, w, d, sum);
  for (i = 0; i < 3; ++i) {
    force[i] = share * sum[0][i];
    for (k = 0; k < 3; ++k)
      out[3 * i + k] = (d_share * sum[0][i] + share * d_radius * sum[1][i]) * by_r[k] +
                       share * (per_angle * sum[2][i] * by_angle[k] +
                                per_elevation * sum[3][i] * by_elevation[k]);
  }
}

/* Near pure spin the angle turns fast, and what the coefficients have of rounding is divided by the
 * distance from it. 1 where v is nearer than 1e-3 of the spin: `beside` is then the place that far
 * away in the same direction, whose derivative differs by some 1e-3. */
static inline int slipfield_table_beside_spin(const double v[3], const double stretch[3],
                                              double beside[3]) {
  const double least = 1e-3 * fabs(stretch[2] * v[2]);
  const double flat = sqrt(v[0] * v[0] + stretch[1] * stretch[1] * v[1] * v[1]);
  const double cosine = flat > 0.0 ? v[0] / flat : 1.0;
  const double sine = flat > 0.0 ? stretch[1] * v[1] / flat : 0.0;
  beside[0] = least * cosine;
  beside[1] = least * sine / stretch[1];
  beside[2] = v[2];
  return flat < least;
}

/* derivative may be NULL. */
static inline int slipfield_table_force(const slipfield_table* table, double ratio,
                                        const double creepage[3], double force[3],
                                        double derivative[9]) {
  const slipfield_table_header* const h = &table->header;
  double w[4][4] = {{0}}, d[4][4] = {{0}}, c[3], v[3], stretch[3], own[9], beside[3], there[3];
  double* const out = derivative != NULL ? derivative : own;
  int cell[4], status, i, k, negated, mirrored;
  memset(force, 0, 3 * sizeof(double));
  memset(out, 0, 9 * sizeof(double));
  if (!isfinite(creepage[0]) || !isfinite(creepage[1]) || !isfinite(creepage[2]) ||
      !isfinite(ratio) || !(ratio > 0.0))
    return SLIPFIELD_TABLE_NOT_FINITE;
  slipfield_table_linear(table, ratio, &cell[0], w[0], d[0], c, stretch, &status);
  c[0] /= -3.0; /* Kalker's scale: x = -C_11 xi/3, y = -C_22 eta/3, s = -C_23 phi */
  c[1] /= -3.0;
  c[2] = -c[2];
  for (i = 0; i < 3; ++i) {
    const double most = 1e12; /* full sliding long before; squares stay finite */
    v[i] = fmax(-most, fmin(most, c[i] * creepage[i]));
  }
  if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0.0)) { /* the derivatives of the linear law */
    for (k = 0; k < 3; ++k) {
      double unit[3] = {0, 0, 0}, small[3], none[9];
      unit[k] = 1e-12 / c[k];
      slipfield_table_force(table, ratio, unit, small, none);
      for (i = 0; i < 3; ++i) out[3 * i + k] = small[i] / unit[k];
    }
    return status;
  }
  negated = v[2] < 0.0;
  for (i = 0; i < 3 && negated; ++i) v[i] = -v[i];
  mirrored = h->symmetric && v[0] < 0.0;
  if (mirrored) v[0] = -v[0];
  slipfield_table_scaled(table, v, stretch, cell, w, d, force, out);
  if (derivative != NULL && slipfield_table_beside_spin(v, stretch, beside)) {
    slipfield_table_scaled(table, beside, stretch, cell, w, d, there, own);
    for (i = 0; i < 9; ++i)
      if (i % 3 != 2) out[i] = own[i]; /* by the spin nothing turns */
  }
  /* F_x is odd in v[0], F_y and M_z are even; all are odd in v. */
  if (mirrored) {
    force[0] = -force[0];
    out[1] = -out[1];
    out[2] = -out[2];
    out[3] = -out[3];
    out[6] = -out[6];
  }
  for (i = 0; i < 3 && negated; ++i) force[i] = -force[i];
  for (i = 0; i < 9; ++i) out[i] *= c[i % 3];
  slipfield_table_bound(force, out);
  return status;
}

/* force: F_x, F_y [force], M_z [force length]; derivative by creepage_x, creepage_y, spin, or
 * NULL. */
static inline int slipfield_table_contact(const slipfield_table* table,
                                          const slipfield_table_rolling* contact, double force[3],
                                          double derivative[9]) {
  const double c = sqrt(contact->a * contact->b);
  const double bound = contact->friction * contact->normal_force;
  const double scale = contact->shear_modulus * c * c / bound;
  const double to[3] = {bound, bound, bound * c};
  const double by[3] = {scale, scale, scale * c};
  const double pure[3] = {scale * contact->creepage_x, scale * contact->creepage_y,
                          scale * c * contact->spin};
  const int status = slipfield_table_force(table, contact->a / contact->b, pure, force, derivative);
  int i;
  for (i = 0; i < 3; ++i) force[i] *= to[i];
  for (i = 0; i < 9 && derivative != NULL; ++i) derivative[i] *= to[i / 3] * by[i % 3];
  return status;
}

#endif
/* NOLINTEND */
