# SPDX-License-Identifier: Apache-2.0
"""Several ranks compute as one process does: rolling of second order, patches, yielding layers, friction that remembers,
viscoelastic bodies, adhesion, surfaces that yield, bodies of layers, sensitivities, wear and heat."""
from runs import FRICTION, LIKE, ROUGH, SHIFTS, SPHERE, STEADY, TIGHT, check_resume, check_same

# One element a step, as second order and viscoelastic bodies take them, towards {0} degrees.
EVEN_STEADY = """\
tangential: {{problem: steady_rolling, direction: {0}, step: {1}, velocity: 10.0, x: {{creepage: -0.0008}}, y: {{creepage: 0.0003}}, spin: 0.0002}}
steps:
  - {{}}
  - {{tangential: {{x: {{force_ratio: -0.5}}}}}}
"""
EVEN_TRANSIENT = """\
tangential: {{problem: transient_rolling, direction: {0}, step: {1}, velocity: 10.0, x: {{creepage: -0.0008}}, y: {{creepage: 0.0003}}}}
steps:
  - {{repeat: 3}}
  - {{tangential: {{x: {{creepage: -0.002}}}}, repeat: 2}}
"""
ELEMENT = {0: 0.1, 90: 0.11, 180: 0.1, 270: 0.11}


def even(text, direction):
    return text.format(float(direction), ELEMENT[direction])


# Its corrections are kept from tractions that are found to a few digits less: so far rounding may lead apart.
OF_SECOND_ORDER = 1.0e-7
SECOND = TIGHT.replace("solver: {", "solver: {rolling: second_order, ")
# The basis of its GMRES is in single precision: rounding then changes the iterations, which `counts_alike` allows.
NEWTON = TIGHT.replace("normal: bound_cg", "normal: newton")
# The creep of one body, or the same creep of both, in half of the time that a step of an element
# takes.
CREEP = "viscoelastic: {ratio: [0.6, 0.4], creep_time: [0.005, 0.05]}"
CREEPING = FRICTION.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, " + CREEP + "}")
LIKE_CREEPING = LIKE.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, " + CREEP + "}")
HELD = """\
tangential: {problem: shift, x: {shift: 0.005}, y: {shift: -0.0025}, duration: 0.01}
steps:
  - {}
  - {tangential: {x: {shift: 0.0}, y: {shift: 0.0}}, repeat: 2}
"""
YIELDING = LIKE.replace("grid:", "layer: {thickness: 0.02, shear_modulus: 106.0, yield_stress: 3.0, hardening: 43.0}\ngrid:")
PATCHES = "patches: {x_from: [-2.1, -2.1], x_to: [2.1, 2.1], y_from: [-2.0, 0.1], y_to: [0.1, 2.3], weights: [0.5]}\n"
REMEMBERING = "{law: exponential, static: 0.3, kinetic: 0.2, half_velocity: 0.01, memory_distance: 0.2, memory_velocity: 0.1}"
ALONG_Y = "{law: linear_falling, y: [-1.0, 1.0], static: [0.3, 0.2], kinetic: [0.2, 0.15], half_velocity: 0.01}"
HEAT = """\
heat:
  upper: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6, temperature: 20.0}
  lower: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}
"""
WORN = HEAT + """\
wear: {law: archard, coefficient: 1.0e-4, hardness: 3000.0, passes: 1000}
fatigue: {shear_yield: 3.0}
"""

# Rough, so that no row is like another one.
ROUGHNESS = "{type: rough, hurst: 0.7, rms_height: 0.002, wavelengths: [0.4, 2.0], seed: 3}"
UNEVEN = LIKE.replace("{type: quadratic, xx: 0.01, yy: 0.01}", "[{type: quadratic, xx: 0.01, yy: 0.012}, " + ROUGHNESS + "]")
ADHESION = "adhesion: {law: LAW, work: 0.009, length: 0.003}\n"
ADHERING = UNEVEN.replace("grid:", ADHESION + "grid:")
TOUCHING = ROUGH.replace("grid:", "adhesion: {law: LAW, work: 2.0e-4, length: 0.004}\ngrid:").replace("[64, 64]", "[47, 30]")
LAWS = ("maugis", "exponential", "power")
PULLED = """\
tangential: {problem: none}
steps:
  - {}
  - {normal: {force: -0.5}}
  - {normal: {approach: 0.005}}
"""
# Few and coarse elements: it solves some thirty contacts.
PULL_OFF = "solver: {tolerance: 1.0e-8}\ntangential: {problem: none}\nsteps:\n  - {normal: {pull_off: 0.003}}\n"
SLIDING = """\
tangential: {problem: shift, x: {shift: 0.001}, y: {shift: -0.0005}}
steps:
  - {}
  - {normal: {force: 5.0}, tangential: {x: {force: -1.0}, y: {shift: 0.0}}}
"""
SHIFT_WEAR = "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000.0}\n"
LOADED = """\
tangential: {problem: shift, x: {shift: 0.001}, y: {shift: -0.0005}}
steps:
  - {}
  - {normal: {force: 10.0}}
  - {normal: {force: 30.0}}
"""


def check_adhesion():
    for law in LAWS:
        check_same(f"adhesion, {law}", ADHERING.replace("LAW", law) + PULLED + TIGHT, counts=(2, 4) if law == "maugis" else (3,),
                   counts_alike=False)
    check_same("a pull-off", LIKE.replace("grid:", ADHESION + "grid:").replace("LAW", "exponential") + PULL_OFF,
               "grid.elements=[19, 17]", "grid.spacing=[0.2, 0.22]", counts=(3,), counts_alike=False)
    for boundary in ("periodic", "periodic_x", "periodic_y"):
        check_same(f"adhesion, {boundary}", TOUCHING.replace("LAW", "maugis").replace("boundary: periodic", f"boundary: {boundary}")
                   + TIGHT, counts=(2, 4), counts_alike=False)
    check_same("adhesion with fewer rows than ranks", TOUCHING.replace("LAW", "maugis").replace("[47, 30]", "[47, 3]")
               .replace("[0.125, 0.5]", "[0.7, 0.9]") + TIGHT, counts_alike=False)
    check_same("adhesion with friction", ADHERING.replace("LAW", "maugis").replace("{coefficient: 0.3}",
               "{coefficient: 0.3, shear_strength: 0.4}") + SLIDING + TIGHT, counts=(3,), counts_alike=False)
    check_same("adhesion with wear", ADHERING.replace("LAW", "exponential") + SLIDING.replace("0.001", "0.02") + SHIFT_WEAR + TIGHT,
               counts=(3,), counts_alike=False)


def main():
    check_adhesion()
    for title, case in (("", UNEVEN), (" and unlike bodies", UNEVEN.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.4}", 1))):
        check_same("a hardness" + title, case.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, hardness: 9.0}", 1) + LOADED
                   + TIGHT, counts=(2, 3, 4), counts_alike=False)
    check_same("a hardness, periodic", ROUGH.replace("0.25}", "0.25, hardness: 0.1}", 1) + "steps:\n"
               "  - {}\n  - {normal: {force: 0.05}}\n  - {normal: {force: 0.01}}\n" + TIGHT, counts_alike=False)
    for title, coated in (("a coating", "coating: [{shear_modulus: 2000.0, poisson_ratio: 0.3, thickness: 0.2}]"),
                          ("a layer on a rigid base", "thickness: 0.5")):
        layered = UNEVEN.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, " + coated + "}", 1)
        check_same(title + ", rolling", layered + even(EVEN_STEADY, 90) + TIGHT, counts=(2, 3), counts_alike=False)
        check_same(title + ", shifts", layered + SHIFTS + TIGHT, counts=(4,), counts_alike=False)
    check_same("a coating, periodic", ROUGH.replace("0.25}", "0.25, coating: [{shear_modulus: 4.0, poisson_ratio: 0.4, "
               "thickness: 0.05}]}", 1) + TIGHT, counts=(2, 4))
    for direction in ELEMENT:
        check_same(f"steady rolling of second order towards {direction}", LIKE + even(EVEN_STEADY, direction) + SECOND,
                   counts=(2, 3, 4) if direction == 90 else (3,), tolerance=OF_SECOND_ORDER)
        check_same(f"transient rolling of second order towards {direction}",
                   (FRICTION if direction < 180 else LIKE) + even(EVEN_TRANSIENT, direction) + SECOND,
                   tolerance=OF_SECOND_ORDER)
    check_same("second order with fewer rows than ranks", LIKE + even(EVEN_STEADY, 90) + SECOND, "grid.elements=[41, 11]",
               "grid.origin=[-2.0, -0.6]", tolerance=OF_SECOND_ORDER)
    check_same("patches", SPHERE.replace("normal:", PATCHES + "normal:", 1), counts=(2, 3, 4))
    check_same("patches that are shifted", LIKE.replace("normal:", PATCHES + "normal:") + SHIFTS + TIGHT, counts_alike=False)
    check_same("newton for the pressures", FRICTION + SHIFTS + NEWTON, counts=(3,), counts_alike=False)
    for case, title in ((SHIFTS, "shifts"), (even(EVEN_STEADY, 0), "steady rolling"),
                        (even(EVEN_TRANSIENT, 90), "transient rolling across the rows")):
        check_same("a layer that yields, " + title, YIELDING + case + TIGHT, counts=(2, 3))
    for law, title in ((REMEMBERING, "remembers"), (ALONG_Y, "differs along y")):
        check_same("friction that " + title, LIKE.replace("{coefficient: 0.3}", law) + even(EVEN_STEADY, 90) + TIGHT,
                   counts=(2, 3))
    check_same("viscoelastic bodies, shifts", LIKE_CREEPING + HELD + NEWTON, counts=(2, 3, 4), counts_alike=False)
    for direction in (0, 90, 270):
        bodies = CREEPING if direction == 90 else LIKE_CREEPING
        check_same(f"viscoelastic bodies, steady rolling towards {direction}", bodies + even(EVEN_STEADY, direction) + NEWTON,
                   counts_alike=False)
        check_same(f"viscoelastic bodies, transient rolling towards {direction}",
                   bodies + even(EVEN_TRANSIENT, direction) + NEWTON, counts=(3,), counts_alike=False)
    check_same("viscoelastic bodies with fewer rows than ranks", LIKE_CREEPING + even(EVEN_TRANSIENT, 0) + NEWTON,
               "grid.elements=[41, 3]", counts_alike=False)
    for title, bodies in (("like", LIKE), ("unlike", FRICTION)):
        for case in (SHIFTS, STEADY):
            check_same(f"sensitivities of {title} bodies", bodies + case + TIGHT, "output.sensitivities=true", counts=(2, 3, 4))
    check_same("sensitivities of viscoelastic bodies", CREEPING + even(EVEN_STEADY, 90) + NEWTON, "output.sensitivities=true",
               counts_alike=False)
    check_same("sensitivities without friction", SPHERE + TIGHT, "output.sensitivities=true")
    check_same("wear of shifts", UNEVEN + SHIFTS.replace("0.001", "0.02") + SHIFT_WEAR + TIGHT, counts=(3,), counts_alike=False)
    check_same("wear, fatigue and heat", LIKE + even(EVEN_STEADY, 0) + WORN + TIGHT, counts=(2, 3, 4))
    check_same("heat across the rows", LIKE + even(EVEN_STEADY, 90) + HEAT + TIGHT, counts=(3,))
    check_same("heat that stays", LIKE + even(EVEN_TRANSIENT, 0) + HEAT + TIGHT, counts=(3,))
    check_same("friction by temperature", LIKE.replace("{coefficient: 0.3}", "{coefficient: {temperature: [0, 40], value: [0.3, 0.1]}}")
               + even(EVEN_STEADY, 0) + HEAT + TIGHT, counts=(2, 3))
    long = [even(EVEN_TRANSIENT, 90)[:even(EVEN_TRANSIENT, 90).index("steps:")] + "steps:\n  - {repeat: 30}\n"][0]
    check_resume("resumed rolling of second order", LIKE + long + SECOND, 2, 3, tolerance=OF_SECOND_ORDER)
    check_resume("resumed viscoelastic bodies", LIKE_CREEPING + long + NEWTON, 3, 2, counts_alike=False)
    check_resume("resumed layer that yields, by one process", YIELDING + long + TIGHT, 2, 1)
    check_resume("resumed adhesion", ADHERING.replace("LAW", "maugis") + "tangential: {problem: none}\nsteps:\n"
                 "  - {repeat: 12}\n  - {normal: {force: 3.0}, repeat: 12}\n" + TIGHT, 2, 3, counts_alike=False)
    check_resume("resumed hardness", UNEVEN.replace("0.2}", "0.2, hardness: 9.0}", 1) + LOADED.replace("- {}", "- {repeat: 20}")
                 + TIGHT, 3, 1, counts_alike=False)
    check_resume("resumed heat", LIKE + long.replace("90.0", "0.0").replace("0.11", "0.1") + HEAT + TIGHT, 2, 4)


main()
