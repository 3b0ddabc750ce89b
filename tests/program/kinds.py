# SPDX-License-Identifier: Apache-2.0
"""A small case of every kind of step: with and without friction, a shear strength, adhesion, extra slip, surfaces, ..."""

BODY = "{young_modulus: 210000, poisson_ratio: 0.3}"
SHIFT = "{problem: shift, x: {shift: 1.0e-4}, y: {shift: 3.0e-5}}"
ROLLS = "{problem: steady_rolling, x: {creepage: 1.0e-3}, y: {creepage: 4.0e-4}, spin: 0.002, velocity: 1000}"
ELEMENTS = 15

def contact(tangential, friction="{coefficient: 0.3}", more="", upper=BODY, lower=BODY, normal="{force: 100}"):
    return (f"schema: 1\ntitle: a ball\nunits: N-mm-s\nbodies: {{upper: {upper}, lower: {lower}}}\nfriction: {friction}\n"
            f"grid: {{elements: [{ELEMENTS}, {ELEMENTS}], extent: {{x: [-0.21, 0.21], y: [-0.21, 0.21]}}}}\n"
            f"geometry: {{type: sphere, radius: 10.0}}\nnormal: {normal}\ntangential: {tangential}\n{more}")

def with_keys(motion, keys):
    return motion[:-1] + f", {keys}}}"

EXTRA = ", ".join(["1.0e-4"] * ELEMENTS ** 2)
SOLID = "{conductivity: 0.05, capacity: 450.0, density: 7.85e-6}"
STICKY = "adhesion: {law: maugis, work: 0.05, length: 2.0e-4}\n"

KINDS = {
    "shift": contact(SHIFT, more="steps: [{}, {repeat: 2}]\n"),
    "shift in a time": contact(with_keys(SHIFT, "duration: 0.1")),
    "no friction": contact("{problem: none}", friction="{coefficient: 0}"),
    "normal contact alone": contact("{problem: none}"),
    "steady rolling": contact(ROLLS),
    "errors": contact(ROLLS, more="output: {error_estimate: true, sensitivities: true, spots: true}\n"),
    "transient rolling": contact("{problem: transient_rolling, x: {creepage: 1.0e-3}, step: 0.028}", more="steps: [{repeat: 2}]\n"),
    "extra slip": contact(with_keys(ROLLS, f"extra_x: [{EXTRA}]")),
    "half of the spin's slip": contact(with_keys(ROLLS, "spin_slip: x"), more="solver: {tangential: fastsim}\n"),
    "fastsim": contact(ROLLS, more="solver: {tangential: fastsim}\n"),
    "shear strength": contact(SHIFT, friction="{coefficient: 0.1, shear_strength: 50}"),
    "shear strength alone": contact(SHIFT, friction="{shear_strength: 50}"),
    "shear strength alone, all slips": contact("{problem: shift, x: {shift: 0.01}}", friction="{shear_strength: 50}"),
    "adhesion": contact(SHIFT, more=STICKY),
    "hardness": contact(SHIFT, lower=BODY[:-1] + ", hardness: 1500}"),
    "second order": contact(ROLLS, more="solver: {rolling: second_order}\n"),
    "unlike rollers": contact(ROLLS, lower="{young_modulus: 70000, poisson_ratio: 0.3}"),
    "wear, heat and fatigue": contact(ROLLS, more=(
        "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000}\nfatigue: {shear_yield: 300}\n"
        f"heat: {{upper: {SOLID}, lower: {SOLID}}}\n")),
    "interior": contact(SHIFT, more="interior: {depths: [0.02, 0.06], quantities: [von_mises]}\n"),
}
