// SPDX-License-Identifier: Apache-2.0
/* Slipfield: frictional contact of elastic bodies, from C.
 *
 * A solver is made from a case, the YAML text that the program `slipfield` reads (io/CASE.md), and
 * solves it step by step. Values are set and read by the paths of the case's keys
 * ("tangential.x.creepage"), with the checks and messages of the program. Units are those of the
 * case (`units: N-mm-s` or `SI`); forces and tractions act on body 1, the upper one, which is the
 * rail under a wheel. A step is one contact, or several for a wheelset; see "Results of the last
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
 * Every function that can fail returns a status; slipfield_error_message() then has the message, in
 * the same thread. An error leaves outputs and the solver unchanged unless a function says
 * otherwise. No function ends the process, prints, or throws. Different threads may use different
 * solvers at the same time, but only one thread at a time may use a solver. A process forked by a
 * thread that has solved with several threads of the CPU solves with one. Texts that a function
 * returns belong to the library and last as long as it says. A null pointer for a required argument
 * is SLIPFIELD_BAD_INPUT, as is a list with the same name twice.
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

/* Grows when functions or members are added; existing ones keep their meaning. */
#define SLIPFIELD_API_VERSION 2

typedef enum slipfield_status {
  SLIPFIELD_OK = 0,
  SLIPFIELD_NOT_CONVERGED = 1, /* of advance and batch: results exist but are not exact */
  SLIPFIELD_BAD_INPUT = 2,     /* an argument is wrong; the message says what is accepted */
  SLIPFIELD_FAILED = 3,        /* anything else: memory, a device, a file that cannot be written */
  SLIPFIELD_CANCELLED = 4      /* by the callback */
} slipfield_status;

typedef struct slipfield_solver slipfield_solver;
typedef struct slipfield_state slipfield_state;

/* The library's version, as "0.2.0", and its SLIPFIELD_API_VERSION. */
SLIPFIELD_API const char* slipfield_version(void);
SLIPFIELD_API int slipfield_api_version(void);

/* ---- Errors: of this thread's last failed call, valid until the next one fails. */

/* One sentence, or for a case a line for each error with its text; "" before any error. */
SLIPFIELD_API const char* slipfield_error_message(void);

/* The errors of a case in parts, 0 to count - 1; count is 0 if there is only the sentence. place:
 * "wheel.yaml:3:14"; key: "normal.force"; any of them may be "". Null beyond the count. */
typedef struct slipfield_fault {
  const char* place;
  const char* key;
  const char* reason; /* what is wrong, perhaps with "did you mean 'x'?" */
  const char* remedy; /* what is accepted: "a number > 0" */
} slipfield_fault;
SLIPFIELD_API size_t slipfield_error_fault_count(void);
SLIPFIELD_API const slipfield_fault* slipfield_error_fault(size_t index);

/* ---- Making a solver */

/* Called from the thread that solves in each iteration and, for a wheel on a rail, before each
 * contact with iteration 0. phase: "normal", "tangential" or "outer"; change: the relative change
 * of the tractions. Return 0 to cancel, any other value to continue. It must not call functions of
 * its own solver. */
typedef int (*slipfield_progress)(void* user, int step, const char* phase, int iteration,
                                  double change);

/* Heights or coefficients of friction for `file: array:NAME` in a case: my rows of mx values, x
 * fastest, copied by the call that takes them. */
typedef struct slipfield_array {
  const char* name;
  const double* values;
  int mx;
  int my;
} slipfield_array;

/* Filled by slipfield_options_init(); change what you need. */
typedef struct slipfield_options {
  size_t size;         /* of this struct: set by slipfield_options_init */
  const char* backend; /* "auto": a GPU if one answers; "cpu"; "cuda" */
  int device;          /* number of the GPU; -1: the first */
  int threads;         /* of the CPU; 0: OpenMP's default */
  const char* folder;  /* base of relative file names in a text; null: current one */
  const slipfield_array* arrays;
  size_t array_count;
  slipfield_progress progress; /* null: none. Each step then begins with a copy of the state */
  void* user;                  /* for the callback */
} slipfield_options;
SLIPFIELD_API void slipfield_options_init(slipfield_options* options);

/* options: null for the defaults. Sets *solver only on success. Refuses a case with `sweep`. */
SLIPFIELD_API slipfield_status slipfield_solver_create_from_file(const char* path,
                                                                 const slipfield_options* options,
                                                                 slipfield_solver** solver);
/* length: bytes of the text. */
SLIPFIELD_API slipfield_status slipfield_solver_create_from_text(const char* yaml, size_t length,
                                                                 const slipfield_options* options,
                                                                 slipfield_solver** solver);

/* A Hertzian contact in steady rolling or without friction. slipfield_problem_init() fills in zeros
 * and the defaults named below. The problem is converted to a case, whose keys appear in errors. */
typedef struct slipfield_problem {
  size_t size;             /* of this struct: set by slipfield_problem_init */
  int si;                  /* 0: N-mm-s; 1: SI */
  double shear_modulus[2]; /* of the upper and the lower body [force/length^2] */
  double poisson_ratio[2];
  double friction;     /* coefficient; 0: none, creepages are ignored */
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

/* Null is allowed. A recording that is still open leaves no file. */
SLIPFIELD_API void slipfield_solver_destroy(slipfield_solver* solver);

/* ---- Setting and reading values. Loads may change before every step, all other keys only before
 * the first. Loads are the keys of friction, normal and tangential; for a wheel on a rail those of
 * friction and of wheel_rail.side, .track, .wheelset, .vertical_force and .longitudinal_force
 * ("wheel_rail.wheelset.y" [mm], "wheel_rail.wheelset.velocity.yaw" [rad/s]). Values set override
 * those of the case's `steps` in all later steps. The curvatures of `hertz` and heat's `conduction:
 * auto` follow the loads that are set before the first step, and then stay. Keys that exclude one
 * another replace one another (normal.force and normal.approach; the keys of tangential.x, of
 * tangential.y; vertical_force and wheelset.z). A position is checked when it is set. */

SLIPFIELD_API slipfield_status slipfield_set_number(slipfield_solver* solver, const char* key,
                                                    double value);
/* yaml: any value, even a map: key "tangential", yaml "{problem: shift, x: {shift: 1e-3}, ...}". */
SLIPFIELD_API slipfield_status slipfield_set_text(slipfield_solver* solver, const char* key,
                                                  const char* yaml);
/* Sets all keys or none. keys: separated by commas, one for each value. */
SLIPFIELD_API slipfield_status slipfield_set_numbers(slipfield_solver* solver, const char* keys,
                                                     const double* values, size_t count);
/* Replaces the array of this name; after the first step only an array of friction. */
SLIPFIELD_API slipfield_status slipfield_set_array(slipfield_solver* solver,
                                                   const slipfield_array* array);
/* The same with values in GPU memory (cudaMalloc, cudaMallocManaged). They are copied to the host,
 * where the case is checked. FAILED if the library was built without CUDA, or no GPU answers. */
SLIPFIELD_API slipfield_status slipfield_set_array_device(slipfield_solver* solver,
                                                          const slipfield_array* array);
/* The value for the next step, defaults included. */
SLIPFIELD_API slipfield_status slipfield_get_number(slipfield_solver* solver, const char* key,
                                                    double* value);
/* *text lasts until the next call with this solver. */
SLIPFIELD_API slipfield_status slipfield_get_text(slipfield_solver* solver, const char* key,
                                                  const char** text);

/* ---- Solving */

/* Solves the next of the case's `steps`, after their end the last one again. NOT_CONVERGED leaves
 * results; slipfield_error_message() says what did not converge. CANCELLED and BAD_INPUT leave the
 * solver unchanged; after FAILED only slipfield_state_restore() or a new solver helps. */
SLIPFIELD_API slipfield_status slipfield_advance(slipfield_solver* solver);
SLIPFIELD_API int slipfield_steps_done(const slipfield_solver* solver);    /* 0 for null */
SLIPFIELD_API int slipfield_steps_in_case(const slipfield_solver* solver); /* repeats counted */

/* ---- Results of the last step; BAD_INPUT before the first.
 *
 * `side` and `contact` name a part of the step in the same way in every call.
 *   A case of one contact: SLIPFIELD_WHOLE, and 0 or 1 for that contact.
 *   A wheel on a rail: SLIPFIELD_WHOLE, 0 for the whole step, one wheel or both; SLIPFIELD_LEFT or
 *     SLIPFIELD_RIGHT, 0 for that wheel; 1 to slipfield_get_contacts() for a contact of the whole
 *     or of the wheel, from the field side to the track's centre and the left wheel's first, as in
 *     the result file.
 * BAD_INPUT if the step does not have that part, and for contact 0 of a wheel if a function needs
 * one contact (grid, fields, jacobian). */
typedef enum slipfield_side {
  SLIPFIELD_WHOLE = 0,
  SLIPFIELD_LEFT = 1,
  SLIPFIELD_RIGHT = 2
} slipfield_side;

/* The number of contacts of the side; 0 if the wheel does not touch, or with geometry_only. */
SLIPFIELD_API slipfield_status slipfield_get_contacts(slipfield_solver* solver, slipfield_side side,
                                                      int* count);
/* names: separated by commas, from io/RESULT.md's quantities ("force_x,force_y,moment_z,approach");
 * numbers of `wear`, `heat`, `interior` and so on only if the case asks for them.
 * A wheel on a rail also has the names of RESULT.md's tables of wheels and of contacts:
 *   a side: the wheel's numbers, with forces on the rail ("track_force_y");
 *   the whole: those of both wheels together and with "left_..." and "right_...";
 *   the quantities of the contact with the greatest normal force, NaN if nothing touches;
 *   each contact as "contact_1_normal_force", "left_contact_2_normal_force", NaN if it does not
 *   exist. */
SLIPFIELD_API slipfield_status slipfield_get_totals(slipfield_solver* solver, slipfield_side side,
                                                    int contact, const char* names, double* values,
                                                    size_t count);
/* The grid: the numbers of elements, their size [length], and the centre of the first, in the
 * contact's coordinates. Any pointer may be null. A case of one contact has its grid before the
 * first step; every step of a wheel has its own grids. */
SLIPFIELD_API slipfield_status slipfield_get_grid(const slipfield_solver* solver,
                                                  slipfield_side side, int contact, int elements[2],
                                                  double spacing[2], double first[2]);
/* The centres of the elements [length]: x, y, z of each, x fastest; count: three times the
 * elements. For a wheel's contact in track coordinates (x forward, y to the right, z down), on the
 * contact's plane or curved surface; for a case of one contact in the grid's with z = 0. */
SLIPFIELD_API slipfield_status slipfield_get_centres(const slipfield_solver* solver,
                                                     slipfield_side side, int contact,
                                                     double* values, size_t count);
/* name: one of io/RESULT.md's fields; count: elements[0]*elements[1], x fastest; for wear_profile
 * and surface_fatigue_along_y elements[1], one per row. element_division: 0 exterior, 1 adhesion, 2
 * slip, 3 plastic. */
SLIPFIELD_API slipfield_status slipfield_get_field(slipfield_solver* solver, slipfield_side side,
                                                   int contact, const char* name, double* values,
                                                   size_t count);
/* The same into GPU memory (cudaMalloc, cudaMallocManaged). FAILED if the library was built without
 * CUDA. */
SLIPFIELD_API slipfield_status slipfield_get_field_device(slipfield_solver* solver,
                                                          slipfield_side side, int contact,
                                                          const char* name, double* values,
                                                          size_t count);
/* d(force_x, force_y, moment_z)/d(x, y, rotation), row by row, with the normal force or approach as
 * the step prescribes it, and the elements in contact held: x, y and rotation are creepages and
 * spin in rolling, else shifts and rotation. Coefficients that fall with the slip follow it.
 * Needs `output.sensitivities: true` before the first step. */
SLIPFIELD_API slipfield_status slipfield_get_jacobian(slipfield_solver* solver, slipfield_side side,
                                                      int contact, double values[9]);
/* d(normal_force, force_x, force_y, moment_z)/d(approach), with the rigid motion and the
 * elements in contact held; needs `output.sensitivities` as well. */
SLIPFIELD_API slipfield_status slipfield_get_approach_derivatives(slipfield_solver* solver,
                                                                  slipfield_side side, int contact,
                                                                  double values[4]);
/* For a wheel on a rail: d(total)/d(key), a row of `keys` for each of `names`.
 *   names: totals of the side or of the whole.
 *   keys: those of wheel_rail.wheelset.y, .z, .roll, .yaw, .velocity.x, .y, .z, .roll, .pitch,
 *     .yaw, wheel_rail.vertical_force and .longitudinal_force that the step prescribes.
 *   values: central differences. The last step is solved at four more points per key, +-h and
 *     +-h/2; h is a tenth of the change that alters the contact as a whole (its radius, its
 *     approach, the creepage of full sliding). Free numbers adapt (the height under a vertical
 *     force); all else is held, including the pitch velocity. If nothing touches, derivatives of
 *     forces and of a contact's totals are 0, those of its place NaN, and the step's warnings say
 *     so.
 *   errors: null, or for four more solutions per key the difference between the results of h and of
 *     h/2, or twice the scatter over several points and two coarser grids, whichever is greater.
 *     What much finer elements would change is not included.
 * The solver does not advance. */
SLIPFIELD_API slipfield_status slipfield_get_wheel_derivatives(slipfield_solver* solver,
                                                               slipfield_side side,
                                                               const char* names, const char* keys,
                                                               double* values, double* errors);
/* Derivatives of a scalar with respect to the inputs of the last step, for the cost of one to two
 * more solutions, on the GPU that solved the step if its memory suffices, else on the CPU.
 *   seed_names: results on which the scalar depends: numbers (normal_force, approach, force_x,
 *     force_y, moment_z, friction_work, and the rigid motion as results name it) and fields
 *     (pressure, traction_x, traction_y, slip_x, slip_y).
 *   seeds: for each a pointer to the scalar's derivative to it, one number or one per element.
 *   names: inputs with one value per element: undeformed_distance and friction; inputs with one
 *     value: with uniform friction friction.coefficient, or the numbers of its law
 *     (friction.static, friction.kinetic, friction.half_velocity, ...); the loads by the paths of
 *     their keys, such as normal.force and tangential.x.creepage; stiffness, the relative change of
 *     all moduli.
 *   values: for each a pointer to room for its derivatives. Derivatives to the heights z of a body,
 *     h = max z - z, are minus those to undeformed_distance, plus their sum for the highest
 *     element.
 *   held: which elements touch and which stick, and the state that the previous step left.
 *   near_change: null, or receives the number of elements near a change of these, where one-sided
 *     derivatives may differ.
 * A contact of a wheel on a rail: in its own coordinates, with its place and plane held too; its
 * approach (normal.approach) is that of the undeformed bodies, however the height was found.
 * Contact 0 of a wheel on a rail: the wheel or both wheels, through geometry and contacts.
 *   seed_names: numbers only: track_force_x, wheelset_force_x, track_moment_x, ..._y, ..._z, for
 *     the whole also "left_track_force_x", ..., and those of contacts, such as "contact_1_force_x",
 *     "contact_1_creepage_x", "contact_1_contact_angle".
 *   names: the keys of slipfield_get_wheel_derivatives(); wheel_rail.wheel.profile and
 *     wheel_rail.rail.profile, with two wheels wheel_rail.wheel.left.profile and so on, which give
 *     d/dy and d/dz of each point of slipfield_get_profile(); the numbers of the friction law;
 *     stiffness.
 *   held: also the number of elements in each contact's grid, their positions relative to its
 *     reference point, and which regions form one contact. Free numbers adapt. */
SLIPFIELD_API slipfield_status slipfield_get_gradient(slipfield_solver* solver, slipfield_side side,
                                                      int contact, const char* seed_names,
                                                      const double* const* seeds, const char* names,
                                                      double* const* values, size_t* near_change);
/* For a wheel on a rail: the points of a profile as contacts use them, y and z of each [mm], for a
 * right wheel or rail with z down and y to the field side. body: "wheel" or "rail"; side: whole if
 * the step has one wheel. count: null, or receives the number of points; points: null, or has room
 * for two values per point. */
SLIPFIELD_API slipfield_status slipfield_get_profile(slipfield_solver* solver, slipfield_side side,
                                                     const char* body, double* points, size_t room,
                                                     size_t* count);
/* Keeps the last `count` steps, from the next one on, with all their fields (some 11 numbers per
 * element and step) for slipfield_get_gradients; 0: none. Restoring a state drops them. */
SLIPFIELD_API slipfield_status slipfield_keep_steps(slipfield_solver* solver, size_t count);
/* Like slipfield_get_gradient, but through the last `steps` kept steps, including the state that
 * each leaves to the next. seeds: of the last step. values: a pointer for each of `names` in the
 * first of the steps, then in the next, ...; inputs common to all steps, such as the undeformed
 * distance, get the sum. near_change: null, or one number per step. */
SLIPFIELD_API slipfield_status slipfield_get_gradients(slipfield_solver* solver, size_t steps,
                                                       const char* seed_names,
                                                       const double* const* seeds,
                                                       const char* names, double* const* values,
                                                       size_t* near_change);
/* The warnings of the run, a line each, as in a result file: those of the case and of all steps so
 * far, with their remarks; "" if there are none. Those about a position of the case in which no
 * step was solved end with the first step. *text lasts until the next call with this solver. */
SLIPFIELD_API slipfield_status slipfield_get_warnings(slipfield_solver* solver, const char** text);
/* "cpu" or "cuda"; lasts until the next call with this solver. */
SLIPFIELD_API slipfield_status slipfield_get_backend(slipfield_solver* solver, const char** name);

/* ---- Going back: a state is everything that a step leaves to the next, in host memory. After a
 * restore the next step gives the same bits again. Loads that were set are not included. Steps of a
 * wheel on a rail pass on a state only in transient rolling; otherwise a state is the number of
 * steps done and the last one's results. */

/* *state: null, or a state to replace. */
SLIPFIELD_API slipfield_status slipfield_state_save(const slipfield_solver* solver,
                                                    slipfield_state** state);
/* state: of this solver, or of one with the same case and backend; another one is BAD_INPUT, and
 * the message names what differs. Loads, and what else steps may change, may differ, except the
 * problem of the first step; so may the title, the outputs and the expected values. */
SLIPFIELD_API slipfield_status slipfield_state_restore(slipfield_solver* solver,
                                                       const slipfield_state* state);
SLIPFIELD_API void slipfield_state_destroy(slipfield_state* state); /* null is allowed */

/* ---- Files: the program's HDF5 results. */

/* flags: 0, or SLIPFIELD_OVERWRITE_RESULT, which replaces a result and nothing else. */
#define SLIPFIELD_OVERWRITE_RESULT 1
/* Writes the last step. BAD_INPUT if another file there may not be replaced, or the name does not
 * end in .h5 or .hdf5; FAILED if there is no such folder, or none that may be written to. */
SLIPFIELD_API slipfield_status slipfield_write(slipfield_solver* solver, const char* path,
                                               int flags);
/* Records the steps from now on that the case's output.steps asks for (`last`: the last one before
 * the end); the file gets its name when the recording ends. Its case has the steps as they are set
 * now. */
SLIPFIELD_API slipfield_status slipfield_record_begin(slipfield_solver* solver, const char* path,
                                                      int flags);
SLIPFIELD_API slipfield_status slipfield_record_end(slipfield_solver* solver);

/* ---- Many contacts: solves the current case `count` times side by side, each from the beginning
 * through all steps.
 *   keys, names: separated by commas. Keys change the case like its own `sweep`: entries of `steps`
 *     override them ("steps.0.normal.force" is the key of one), and a load that the first entry
 *     overrides is BAD_INPUT. Only if a load of the same section was set before are they set like
 *     it, over all steps.
 *   inputs: count rows of the keys' values.
 *   totals: count rows of the names' values after the last step (for a wheel those of the whole);
 *     NaN if a contact failed or does not exist.
 *   statuses: count, or null; all FAILED, and totals unchanged, if the call was cancelled.
 *   progress: called with the number of contacts done as `iteration`; may be null.
 * Returns OK, NOT_CONVERGED if at least one contact did not converge, BAD_INPUT or FAILED if one
 * failed (the others have results; the message is that of the first and names its row, from 0). The
 * solver itself does not advance. Small contacts (LIBRARY.md) are solved together, to the
 * tolerance. */
SLIPFIELD_API slipfield_status slipfield_batch(slipfield_solver* solver, size_t count,
                                               const char* keys, const double* inputs,
                                               const char* names, double* totals,
                                               slipfield_status* statuses,
                                               slipfield_progress progress, void* user);
/* The same with derivatives of each contact at its last step; those of small contacts are computed
 * where these are solved, others on the CPU.
 *   gradient_of, gradient_to: numbers and inputs by the names of slipfield_get_gradient, for a
 *     wheel those of contact 0 without points.
 *   gradients: count rows, each with the names of gradient_of, each with the values of gradient_to
 *     one after another: one per element for undeformed_distance and friction (all contacts then
 *     need one grid), else one. NaN if a contact failed or did not converge.
 *   near_change: null, or one number per contact as in slipfield_get_gradient, 0 if its gradients
 *     are NaN. */
SLIPFIELD_API slipfield_status slipfield_batch_gradients(
    slipfield_solver* solver, size_t count, const char* keys, const double* inputs,
    const char* names, double* totals, const char* gradient_of, const char* gradient_to,
    double* gradients, size_t* near_change, slipfield_status* statuses, slipfield_progress progress,
    void* user);

#ifdef __cplusplus
}
#endif

#endif
