// SPDX-License-Identifier: Apache-2.0
/* Slipfield: frictional contact of elastic bodies, from C.
 *
 * A solver is made from a case, the YAML text that the program `slipfield` reads (io/CASE.md), and
 * solves it step by step. Values are set and read by the paths of the case's keys
 * ("tangential.x.creepage"), with the checks and the sentences of the program. Units are those of
 * the case (`units: N-mm-s` or `SI`); forces and tractions act on body 1, the upper one; of a wheel
 * on a rail the rail. A step is one contact, or of a wheelset several; see "Results of the last
 * step".
 *
 *   slipfield_solver* wheel = NULL;
 *   if (slipfield_solver_create_from_file("wheel.yaml", NULL, &wheel) != SLIPFIELD_OK)
 *     fprintf(stderr, "%s\n", slipfield_error_message());
 *   slipfield_set_number(wheel, "tangential.x.creepage", 0.002);
 *   slipfield_advance(wheel);
 *   double force[2];
 *   slipfield_get_totals(wheel, SLIPFIELD_WHOLE, 0, "force_x,force_y", force, 2);
 *   slipfield_solver_destroy(wheel);
 *
 * Every function that can fail returns a status; slipfield_error_message() of the same thread then
 * has the sentence. After an error outputs are as they were, and so is the solver, unless said
 * otherwise. No function ends the process, prints, or lets an exception out. Different solvers may
 * be used by different threads at the same time, one solver by one thread at a time. Texts that a
 * function returns belong to the library and last as long as it says. A null pointer where a
 * pointer is needed is SLIPFIELD_BAD_INPUT.
 */
#ifndef SLIPFIELD_H
#define SLIPFIELD_H

#include <stddef.h>

#if defined(__GNUC__)
#define SLIPFIELD_API __attribute__((visibility("default")))
#else
#define SLIPFIELD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when functions or members are added; what is here keeps its meaning. */
#define SLIPFIELD_API_VERSION 2

typedef enum slipfield_status {
  SLIPFIELD_OK = 0,
  SLIPFIELD_NOT_CONVERGED = 1, /* of advance and batch: the results are there, and not exact */
  SLIPFIELD_BAD_INPUT = 2,     /* what was given is wrong; the sentence says what is accepted */
  SLIPFIELD_FAILED = 3,        /* anything else: memory, a device, a file that cannot be written */
  SLIPFIELD_CANCELLED = 4      /* by the callback */
} slipfield_status;

typedef struct slipfield_solver slipfield_solver;
typedef struct slipfield_state slipfield_state;

/* The library's version, as "0.2.0", and its SLIPFIELD_API_VERSION. */
SLIPFIELD_API const char* slipfield_version(void);
SLIPFIELD_API int slipfield_api_version(void);

/* ---- Errors: of the last call in this thread that failed; valid until the next one fails. */

/* One sentence, or a line for each error of a case with the text it is in; "" before any error. */
SLIPFIELD_API const char* slipfield_error_message(void);

/* The errors of a case in their parts, 0 to count - 1; count is 0 where the sentence is all there
 * is. place: "wheel.yaml:3:14"; key: "normal.force"; any of them may be "". Null beyond the
 * count. */
typedef struct slipfield_fault {
  const char* place;
  const char* key;
  const char* reason; /* what is wrong */
  const char* remedy; /* what is accepted */
} slipfield_fault;
SLIPFIELD_API size_t slipfield_error_fault_count(void);
SLIPFIELD_API const slipfield_fault* slipfield_error_fault(size_t index);

/* ---- Making a solver */

/* Called from the thread that solves, in each iteration; of a wheel on a rail also before each
 * contact, with iteration 0. phase: "normal", "tangential" or "outer"; change: the relative change
 * of the tractions. Not 0: go on; 0: cancel. It must not call functions
 * of its own solver. */
typedef int (*slipfield_progress)(void* user, int step, const char* phase, int iteration,
                                  double change);

/* Values that a case names as `file: array:NAME`, for heights or coefficients of friction: my rows
 * of mx, x fastest, copied in the call that takes them. */
typedef struct slipfield_array {
  const char* name;
  const double* values;
  int mx;
  int my;
} slipfield_array;

/* Filled by slipfield_options_init(); change what you need. */
typedef struct slipfield_options {
  size_t size;         /* of this struct: set by slipfield_options_init */
  const char* backend; /* "auto": a GPU where one answers; "cpu"; "cuda" */
  int device;          /* number of the GPU; -1: the first */
  int threads;         /* of the CPU; 0: as OpenMP has it */
  const char* folder;  /* files that a text names are relative to it; null: the current one */
  const slipfield_array* arrays;
  size_t array_count;
  slipfield_progress progress; /* null: none. With it each step begins with a copy of the state */
  void* user;                  /* for the callback */
} slipfield_options;
SLIPFIELD_API void slipfield_options_init(slipfield_options* options);

/* options: null for the defaults. *solver is set on success only. A case with `sweep` is
 * refused. */
SLIPFIELD_API slipfield_status slipfield_solver_create_from_file(const char* path,
                                                                 const slipfield_options* options,
                                                                 slipfield_solver** solver);
/* length: of the text in bytes. */
SLIPFIELD_API slipfield_status slipfield_solver_create_from_text(const char* yaml, size_t length,
                                                                 const slipfield_options* options,
                                                                 slipfield_solver** solver);

/* A Hertzian contact in steady rolling, or without friction, in numbers. Filled by
 * slipfield_problem_init() with zeros and the defaults named; the sentences of errors name the keys
 * of the case that is made of it. */
typedef struct slipfield_problem {
  size_t size;             /* of this struct: set by slipfield_problem_init */
  int si;                  /* 0: N-mm-s; 1: SI */
  double shear_modulus[2]; /* of the upper and the lower body [force/length^2] */
  double poisson_ratio[2];
  double friction;     /* coefficient; 0: none, and the creepages are not used */
  int elements[2];     /* of the grid, 32 x 32 */
  double length[2];    /* of the grid, centred at the origin [length] */
  double curvature[2]; /* h = (curvature[0] x^2 + curvature[1] y^2)/2 [1/length] */
  double normal_force; /* > 0 [force]; or 0 and */
  double approach;     /* > 0 [length] */
  double creepage[2];  /* longitudinal, lateral [-] */
  double spin;         /* [rad/length] */
} slipfield_problem;
SLIPFIELD_API void slipfield_problem_init(slipfield_problem* problem);
SLIPFIELD_API slipfield_status slipfield_solver_create_from_problem(
    const slipfield_problem* problem, const slipfield_options* options, slipfield_solver** solver);

/* Null is allowed. A recording that was not ended leaves no file. */
SLIPFIELD_API void slipfield_solver_destroy(slipfield_solver* solver);

/* ---- Setting and reading values. Loads may change before every step, everything else before the
 * first: keys of friction, normal and tangential; of a wheel on a rail those of friction and of
 * wheel_rail.side, .track, .wheelset, .vertical_force and .longitudinal_force
 * ("wheel_rail.wheelset.y" [mm], "wheel_rail.wheelset.velocity.yaw" [rad/s]). Values set hold for
 * all later steps, over those of the case's `steps`. Keys that exclude one another replace one
 * another (normal.force and normal.approach; the keys of tangential.x, of tangential.y;
 * vertical_force and wheelset.z). A position that is set is checked at once. */

SLIPFIELD_API slipfield_status slipfield_set_number(slipfield_solver* solver, const char* key,
                                                    double value);
/* yaml: any value, maps too: key "tangential", yaml "{problem: shift, x: {shift: 1e-3}, ...}". */
SLIPFIELD_API slipfield_status slipfield_set_text(slipfield_solver* solver, const char* key,
                                                  const char* yaml);
/* All or none. keys: separated by commas, as many as values. */
SLIPFIELD_API slipfield_status slipfield_set_numbers(slipfield_solver* solver, const char* keys,
                                                     const double* values, size_t count);
/* An array in place of the one of this name; after the first step of friction only. */
SLIPFIELD_API slipfield_status slipfield_set_array(slipfield_solver* solver,
                                                   const slipfield_array* array);
/* Of the step that comes next, defaults included. */
SLIPFIELD_API slipfield_status slipfield_get_number(slipfield_solver* solver, const char* key,
                                                    double* value);
/* *text lasts until the next call with this solver. */
SLIPFIELD_API slipfield_status slipfield_get_text(slipfield_solver* solver, const char* key,
                                                  const char** text);

/* ---- Solving */

/* The next step: of the case's `steps`, and beyond their end the last one again. NOT_CONVERGED is a
 * result: slipfield_error_message() says what did not. After CANCELLED and BAD_INPUT the solver is
 * where it was; after FAILED only slipfield_state_restore() or a new solver helps. */
SLIPFIELD_API slipfield_status slipfield_advance(slipfield_solver* solver);
SLIPFIELD_API int slipfield_steps_done(const slipfield_solver* solver);    /* 0 for null */
SLIPFIELD_API int slipfield_steps_in_case(const slipfield_solver* solver); /* repeats counted */

/* ---- Results of the last step; BAD_INPUT before the first.
 *
 * `side` and `contact` name a part of the step, in the same way in every call:
 *   a case of one contact: SLIPFIELD_WHOLE, and 0 or 1: that contact;
 *   a wheel on a rail: SLIPFIELD_WHOLE, 0: all of the step, of one wheel or of both;
 *     SLIPFIELD_LEFT or SLIPFIELD_RIGHT, 0: that wheel; a contact of the whole or of the wheel: from
 *     1 to slipfield_get_contacts(), from the field side to the track's centre, those of the left
 *     wheel first, as the result file counts them.
 * A part that the step does not have is BAD_INPUT; so is contact 0 of a wheel where one contact is
 * needed (grid, fields, jacobian). */
typedef enum slipfield_side {
  SLIPFIELD_WHOLE = 0,
  SLIPFIELD_LEFT = 1,
  SLIPFIELD_RIGHT = 2
} slipfield_side;

/* The contacts of the side; 0 where the wheel does not touch, or geometry_only solves nothing. */
SLIPFIELD_API slipfield_status slipfield_get_contacts(slipfield_solver* solver, slipfield_side side,
                                                      int* count);
/* names: separated by commas, of io/RESULT.md's quantities ("force_x,force_y,moment_z,approach").
 * Of a wheel on a rail also those of RESULT.md's tables of wheels and of contacts, forces on the
 * rail ("track_force_y"): of a side the wheel's, of the whole those of both together, with
 * "left_..." and "right_...", and the quantities of the contact with the greatest normal force, NaN
 * where nothing touches; those of each contact as "contact_1_normal_force",
 * "left_contact_2_normal_force", NaN where it is not there. */
SLIPFIELD_API slipfield_status slipfield_get_totals(slipfield_solver* solver, slipfield_side side,
                                                    int contact, const char* names, double* values,
                                                    size_t count);
/* The grid: elements, their size [length], the centre of the first, in the contact's coordinates.
 * Any pointer may be null. Of a case of one contact also before the first step; every step of a
 * wheel has grids of its own. */
SLIPFIELD_API slipfield_status slipfield_get_grid(const slipfield_solver* solver,
                                                  slipfield_side side, int contact, int elements[2],
                                                  double spacing[2], double first[2]);
/* The centres of the elements [length]: x, y, z of each, x fastest; count: three times the
 * elements. Of a wheel's contact in track coordinates (x forward, y to the right, z down), on the
 * contact's plane or curved surface; of a case of one contact in the grid's, z = 0. */
SLIPFIELD_API slipfield_status slipfield_get_centres(const slipfield_solver* solver,
                                                     slipfield_side side, int contact,
                                                     double* values, size_t count);
/* name: of io/RESULT.md's fields; count: elements[0]*elements[1], x fastest; of wear_profile and
 * surface_fatigue_along_y elements[1], by rows. element_division as 0 exterior, 1 adhesion, 2 slip, 3 plastic.
 */
SLIPFIELD_API slipfield_status slipfield_get_field(slipfield_solver* solver, slipfield_side side,
                                                   int contact, const char* name, double* values,
                                                   size_t count);
/* The same into memory of a GPU (cudaMalloc, cudaMallocManaged). FAILED where the program was built
 * without CUDA. */
SLIPFIELD_API slipfield_status slipfield_get_field_device(slipfield_solver* solver,
                                                          slipfield_side side, int contact,
                                                          const char* name, double* values,
                                                          size_t count);
/* d(force_x, force_y, moment_z)/d(x, y, rotation), row by row: x, y and rotation are the creepages
 * and the spin in rolling, the shifts and the rotation otherwise; pressure and coefficients held.
 * Needs `output.sensitivities: true` before the first step. */
SLIPFIELD_API slipfield_status slipfield_get_jacobian(slipfield_solver* solver, slipfield_side side,
                                                      int contact, double values[9]);
/* d(normal_force, force_x, force_y, moment_z)/d(approach); as above. */
SLIPFIELD_API slipfield_status slipfield_get_approach_derivatives(slipfield_solver* solver,
                                                                  slipfield_side side, int contact,
                                                                  double values[4]);
/* Of a wheel on a rail: d(total)/d(key), a row of `keys` for each of `names`, totals of the side or
 * of the whole. keys: what the step prescribes of wheel_rail.wheelset.y, .z, .roll, .yaw,
 * .velocity.x, .y, .z, .roll, .pitch, .yaw, wheel_rail.vertical_force and .longitudinal_force.
 * Central differences: the last step is solved at four more places for each key, +-h and +-h/2,
 * where h is a tenth of what changes the contact as a whole (its radius, its approach, the creepage
 * at which all of it slips). What the step leaves free adapts (the height under a vertical force);
 * all else is held, also the pitch velocity. Where nothing touches, derivatives of forces and of a
 * contact's totals are 0, those of its place NaN, and the step's warnings say so. errors: how much
 * the differences over h and over h/2 are apart, or twice their scatter from place to place and on
 * two grids of longer elements, whichever is more, for four more solutions; or null. What much finer
 * elements would change is not in them. The solver stays where it is. */
SLIPFIELD_API slipfield_status slipfield_get_wheel_derivatives(slipfield_solver* solver,
                                                               slipfield_side side,
                                                               const char* names, const char* keys,
                                                               double* values, double* errors);
/* Derivatives of a scalar with respect to what the last step was given, on the GPU that solved it
 * if its memory suffices, else on the CPU, for one to two more solutions. Of a wheel on a rail: of
 * one of its contacts, in its own coordinates; its place and its plane are held, and its approach
 * (normal.approach) is that of the undeformed bodies, however the height was found; contact 0: of
 * the wheel or of both, see below. seed_names: results with which the scalar changes; seeds: for
 * each a pointer to its derivative, one number (normal_force, approach, force_x, force_y, moment_z,
 * friction_work, and the rigid motion as results name it) or one for each element (pressure,
 * traction_x, traction_y, slip_x, slip_y). names: undeformed_distance and friction, which have one
 * value for each element; where the friction is the same everywhere friction.coefficient, or the
 * numbers of its law (friction.static, friction.kinetic, friction.half_velocity, ...); the loads by
 * the paths of their keys, such as normal.force and tangential.x.creepage; stiffness, the relative
 * change of all moduli. values: for each a pointer to room for it. To the heights z of a body, h =
 * max z - z: minus those to undeformed_distance, and for the highest element their sum added. Which
 * elements touch and which stick is held, and what the step before left. near_change: the number of
 * elements near a change of that, where the derivatives to one side and to the other may differ; or
 * null. Contact 0 of a wheel on a rail: through geometry and contacts. seed_names are then numbers
 * alone: track_force_x, wheelset_force_x, track_moment_x, ..._y, ..._z, of the whole also
 * "left_track_force_x", ..., and those of contacts, as "contact_1_force_x", "contact_1_creepage_x",
 * "contact_1_contact_angle". names: the keys of slipfield_get_wheel_derivatives();
 * wheel_rail.wheel.profile and wheel_rail.rail.profile, of two wheels wheel_rail.wheel.left.profile
 * and so on, with d/dy and d/dz of each point of slipfield_get_profile(); the numbers of the
 * friction law; stiffness. What the step leaves free adapts. Also held are how many elements each
 * contact's grid has and where these are from its reference point, and which regions are one
 * contact. */
SLIPFIELD_API slipfield_status slipfield_get_gradient(slipfield_solver* solver, slipfield_side side,
                                                      int contact, const char* seed_names,
                                                      const double* const* seeds, const char* names,
                                                      double* const* values, size_t* near_change);
/* Of a wheel on a rail: the points of a profile [mm] as contacts are computed with them, y and z of
 * each, of a right wheel or rail with z down and y to the field side. body: "wheel" or "rail";
 * side: whole where the step has one wheel. count: the number of points, or null; points: null, or
 * room for two values for each of them. */
SLIPFIELD_API slipfield_status slipfield_get_profile(slipfield_solver* solver, slipfield_side side,
                                                     const char* body, double* points, size_t room,
                                                     size_t* count);
/* From the next step on the last `count` steps are kept with all their fields, some 11 numbers for
 * each element and step, for slipfield_get_gradients; 0: none. Going back to a state drops them. */
SLIPFIELD_API slipfield_status slipfield_keep_steps(slipfield_solver* solver, size_t count);
/* As slipfield_get_gradient, through the last `steps` steps that were kept: what a step left to the
 * next is followed. seeds: of the last step. values: for the first of the steps a pointer for each
 * of `names`, then for the next, ...; what is the same in all steps, as the undeformed distance,
 * has the sum of theirs. near_change: a number for each step, or null. */
SLIPFIELD_API slipfield_status slipfield_get_gradients(slipfield_solver* solver, size_t steps,
                                                       const char* seed_names,
                                                       const double* const* seeds,
                                                       const char* names, double* const* values,
                                                       size_t* near_change);
/* What is suspicious in the case and in the last step, with that step's remark, a line each; ""
 * where nothing is. What was suspicious in a position of the case is left out once another was set.
 * Lasts until the next call with this solver. */
SLIPFIELD_API slipfield_status slipfield_get_warnings(slipfield_solver* solver, const char** text);
/* "cpu" or "cuda"; as slipfield_get_text. */
SLIPFIELD_API slipfield_status slipfield_get_backend(slipfield_solver* solver, const char** name);

/* ---- Going back: everything that a step leaves to the next, in memory of the host. Restored, the
 * next step gives the bits that it would have given. Loads set are not part of it. Steps of a
 * wheel on a rail leave something to the next only in transient rolling; else a state is how many
 * have run, and the last one's results. */

/* *state: null, or a state that is replaced. */
SLIPFIELD_API slipfield_status slipfield_state_save(const slipfield_solver* solver,
                                                    slipfield_state** state);
/* Of this solver or one of the same case and backend. */
SLIPFIELD_API slipfield_status slipfield_state_restore(slipfield_solver* solver,
                                                       const slipfield_state* state);
SLIPFIELD_API void slipfield_state_destroy(slipfield_state* state); /* null is allowed */

/* ---- Files: the program's HDF5 results. */

/* flags: 0, or SLIPFIELD_OVERWRITE_RESULT, which replaces a result and nothing else. */
#define SLIPFIELD_OVERWRITE_RESULT 1
/* The last step. */
SLIPFIELD_API slipfield_status slipfield_write(slipfield_solver* solver, const char* path,
                                               int flags);
/* From now on every step goes into the file, which has its name once the recording has ended. */
SLIPFIELD_API slipfield_status slipfield_record_begin(slipfield_solver* solver, const char* path,
                                                      int flags);
SLIPFIELD_API slipfield_status slipfield_record_end(slipfield_solver* solver);

/* ---- Many contacts: the case as it is now, `count` times from the beginning through all of its
 * steps, side by side. keys, names: separated by commas. inputs: count rows of the keys' values;
 * totals: count rows of the names' values after the last step (of a wheel those of the
 * whole), NaN where a contact failed or is not there;
 * statuses: count, or null. progress: with the number of contacts done as `iteration`; may be null.
 * Returns OK, NOT_CONVERGED where at least one contact did not converge, BAD_INPUT or FAILED where
 * one failed (the others are there; the sentence is that of the first). The solver itself does not
 * advance. Small contacts (LIBRARY.md) are solved together, to the tolerance. */
SLIPFIELD_API slipfield_status slipfield_batch(slipfield_solver* solver, size_t count,
                                               const char* keys, const double* inputs,
                                               const char* names, double* totals,
                                               slipfield_status* statuses,
                                               slipfield_progress progress, void* user);
/* The same with derivatives of each contact at its last step, on the CPU: of each number of
 * gradient_of to each input of gradient_to, by the names of slipfield_get_gradient, of a wheel
 * those of contact 0 without points. gradients: count rows of the names of gradient_of, each of the
 * values of gradient_to one after another: undeformed_distance and friction have one for each
 * element, all contacts being of one grid, others one. NaN where a contact failed or did not
 * converge. near_change: as that of slipfield_get_gradient, a number for each contact, 0 where its
 * gradients are NaN, or null. */
SLIPFIELD_API slipfield_status slipfield_batch_gradients(
    slipfield_solver* solver, size_t count, const char* keys, const double* inputs,
    const char* names, double* totals, const char* gradient_of, const char* gradient_to,
    double* gradients, size_t* near_change, slipfield_status* statuses, slipfield_progress progress,
    void* user);

#ifdef __cplusplus
}
#endif

#endif
