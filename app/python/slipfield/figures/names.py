# SPDX-License-Identifier: Apache-2.0
"""Names of fields, totals and keys in a figure: words, symbol, unit with its SI prefix."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Tuple

import numpy as np

from ..show import shown_unit


@dataclass(frozen=True)
class Name:
    """Words and symbol (mathtext) of a quantity, its dimension, and how it is coloured."""
    words: str
    symbol: str = ""
    dimension: str = ""
    kind: str = "sequential"  # signed: diverging colours about 0; range: from the least to the greatest


# Units of the two systems of units, by dimension.
UNITS = {
    "N-mm-s": {"length": "mm", "angle": "rad", "curvature": "rad/mm", "traction": "N/mm^2", "force": "N",
               "moment": "N mm", "energy": "N mm", "power": "N mm/s", "velocity": "mm/s", "time": "s",
               "area": "mm^2", "power_density": "N/(mm s)", "temperature": "degrees", "stiffness": "N/mm", "volume": "mm^3"},
    "SI": {"length": "m", "angle": "rad", "curvature": "rad/m", "traction": "Pa", "force": "N", "moment": "N m",
           "energy": "J", "power": "W", "velocity": "m/s", "time": "s", "area": "m^2",
           "power_density": "W/m^2", "temperature": "degrees", "stiffness": "N/m", "volume": "m^3"},
}

FIELDS = {
    "pressure": Name("pressure", "p_n", "traction"),
    "traction_x": Name("traction in x", "p_x", "traction", "signed"),
    "traction_y": Name("traction in y", "p_y", "traction", "signed"),
    "traction_bound": Name("traction bound", "g", "traction"),
    "displacement_x": Name("displacement in x", "u_x", "length", "signed"),
    "displacement_y": Name("displacement in y", "u_y", "length", "signed"),
    "displacement_n": Name("normal displacement", "u_n", "length"),
    "undeformed_distance": Name("undeformed distance", "h", "length"),
    "gap": Name("gap", "e", "length"),
    "slip_x": Name("slip in x", "s_x", "length", "signed"),
    "slip_y": Name("slip in y", "s_y", "length", "signed"),
    "relative_slip_velocity_x": Name("slip velocity in x", r"\dot{s}_x", "velocity", "signed"),
    "relative_slip_velocity_y": Name("slip velocity in y", r"\dot{s}_y", "velocity", "signed"),
    "friction_power_density": Name("friction power per area", "", "power_density"),
    "t_gamma_density": Name(r"T$\gamma$ per area", "", "traction"),
    "wear_depth": Name("wear depth of one pass", "", "length"),
    "wear_depth_total": Name("wear depth of all shifts", "", "length"),
    "wear_profile": Name("wear depth of all passes", "", "length"),
    "permanent_deformation": Name("permanent deformation", "", "length"),
    "adhesive_stress": Name("adhesive stress", r"\sigma", "traction"),
    "temperature_upper": Name("surface temperature, upper body", r"\vartheta_1", "temperature"),
    "temperature_lower": Name("surface temperature, lower body", r"\vartheta_2", "temperature"),
    "element_division": Name("adhesion and slip"),
    "traction": Name("traction", r"\mathbf{p}_t", "traction"),
    "slip": Name("slip", r"\mathbf{s}", "length"),
}

INSIDE = {
    "von_mises": Name("von Mises stress", r"\sigma_\mathrm{vM}", "traction"),
    "tresca": Name("Tresca stress", r"\sigma_\mathrm{T}", "traction"),
    "principal_1": Name("first principal stress", r"\sigma_1", "traction", "signed"),
    "principal_2": Name("second principal stress", r"\sigma_2", "traction", "signed"),
    "principal_3": Name("third principal stress", r"\sigma_3", "traction", "signed"),
    "hydrostatic": Name("hydrostatic stress", r"\sigma_\mathrm{m}", "traction", "signed"),
    "dang_van": Name("Dang Van stress", r"\tau_\mathrm{DV}", "traction", "range"),
    "crossland": Name("Crossland stress", r"\tau_\mathrm{C}", "traction", "range"),
    "displacement_x": Name("displacement in x", "u_x", "length", "signed"),
    "displacement_y": Name("displacement in y", "u_y", "length", "signed"),
    "displacement_z": Name("displacement in z", "u_z", "length", "signed"),
}
for _pair in ("xx", "yy", "zz", "xy", "xz", "yz"):
    INSIDE[f"stress_{_pair}"] = Name(f"stress {_pair}", rf"\sigma_{{{_pair}}}", "traction", "signed")

TOTALS = {
    "normal_force": Name("normal force", "F_n", "force"),
    "force_x": Name("force in x", "F_x", "force"),
    "force_y": Name("force in y", "F_y", "force"),
    "force_ratio_x": Name("force ratio", r"F_x/(\mu F_n)"),
    "force_ratio_y": Name("force ratio", r"F_y/(\mu F_n)"),
    "stiffness": Name("normal stiffness", r"\mathrm{d}F_n/\mathrm{d}\delta", "stiffness"),
    "moment_x": Name("moment of the pressure about x", "M_x", "moment"),
    "moment_y": Name("moment of the pressure about y", "M_y", "moment"),
    "moment_z": Name("moment about the normal", "M_z", "moment"),
    "pressure_centre_x": Name("centre of pressure, x", "x_p", "length"),
    "pressure_centre_y": Name("centre of pressure, y", "y_p", "length"),
    "approach": Name("approach", r"\delta", "length"),
    "shift_x": Name("shift in x", "w_x", "length"),
    "shift_y": Name("shift in y", "w_y", "length"),
    "shift_total_x": Name("total shift in x", r"\Sigma w_x", "length"),
    "shift_total_y": Name("total shift in y", r"\Sigma w_y", "length"),
    "rotation": Name("rotation", r"w_\varphi", "angle"),
    "creepage_x": Name("longitudinal creepage", r"\xi", "percent"),
    "creepage_y": Name("lateral creepage", r"\eta", "percent"),
    "spin": Name("spin", r"\varphi", "curvature"),
    "max_pressure": Name("greatest pressure", r"p_\mathrm{max}", "traction"),
    "elements_contact": Name("elements in contact"),
    "elements_adhesion": Name("elements in adhesion"),
    "elements_slip": Name("elements in slip"),
    "elements_plastic": Name("plastic elements"),
    "elements_yielding": Name("elements at the hardness"),
    "elastic_energy": Name("elastic energy", "", "energy"),
    "friction_work": Name("friction work", "", "energy"),
    "friction_work_total": Name("total friction work", "", "energy"),
    "friction_power": Name("friction power", "", "power"),
    "friction_coefficient": Name("coefficient of friction", r"\mu"),
    "shear_strength": Name("shear strength", r"\tau_0", "traction"),
    "t_gamma": Name(r"T$\gamma$", "", "force"),
    "t_gamma_spin": Name(r"T$\gamma$ of the spin", "", "force"),
    "t_gamma_elements": Name(r"T$\gamma$ of the elements", "", "force"),
    "worn_area": Name("worn area", "", "area"),
    "worn_volume": Name("worn volume", "", "volume"),
    "max_wear_depth": Name("greatest wear depth", "", "length"),
    "max_temperature": Name("greatest temperature", r"\vartheta_\mathrm{max}", "temperature"),
    "max_temperature_upper": Name("greatest temperature, upper body", "", "temperature"),
    "max_temperature_lower": Name("greatest temperature, lower body", "", "temperature"),
    "heat_upper": Name("heat into the upper body", "", "power"),
    "heat_lower": Name("heat into the lower body", "", "power"),
    "contact_area": Name("contact area", "A", "area"),
    "contact_area_corrected": Name("contact area, corrected", "", "area"),
    "contact_perimeter": Name("outline of the contact", "", "length"),
    "contact_spots": Name("contact spots"),
    "largest_spot_area": Name("area of the largest spot", "", "area"),
    "mean_gap": Name("mean gap", r"\bar{e}", "length"),
    "rolling_velocity": Name("rolling velocity", "V", "velocity"),
    "rolling_direction": Name("rolling direction", "", "angle"),
    "rolling_resistance": Name("rolling resistance", "", "force"),
    "seconds": Name("time of computation", "", "time"),
    "wheel_seconds": Name("time of computation", "", "time"),
    "residual": Name("residual"),
    "axle_z": Name("axle below its nominal height", "", "length"),
    "axle_roll": Name("roll of the axle", "", "angle"),
    "least_gap": Name("least gap", "", "length"),
    "nearest_y": Name("contact position", "y", "length"),
    "nearest_rail_y": Name("contact position on the rail", r"y_\mathrm{r}", "length"),
    "nearest_wheel_y": Name("contact position on the wheel", r"y_\mathrm{w}", "length"),
    "nearest_angle": Name("contact angle", r"\gamma", "angle"),
    "contact_angle": Name("contact angle", r"\gamma", "angle"),
    "rolling_radius": Name("rolling radius", "r", "length"),
    "rolling_radius_difference": Name("rolling radius difference", r"\Delta r", "length"),
    "track_force_x": Name("longitudinal force on the rail", "X", "force"),
    "track_force_y": Name("rightward force on the rail", "F_y", "force"),
    "track_force_z": Name("vertical force on the rail, down", "Q", "force"),
    "guiding_force": Name("outward force on the rail", "Y", "force"),
    "lateral_over_vertical": Name("lateral over vertical force", "Y/Q"),
    "flange_angle": Name("flange angle", r"\delta", "angle"),
    "nadal_limit": Name("Nadal's limit", r"(Y/Q)_\mathrm{lim}"),
    "weinstock_sum": Name("sum of Y/Q of both wheels", r"\Sigma|Y/Q|"),
    "weinstock_limit": Name("Weinstock's limit", r"\Sigma(Y/Q)_\mathrm{lim}"),
    "track_moment_x": Name("moment about the axle's centre, along the track", "M_x", "moment"),
    "track_moment_y": Name("moment about the axle's centre, to the right", "M_y", "moment"),
    "track_moment_z": Name("moment about the axle's centre, downwards", "M_z", "moment"),
    "wheelset_force_x": Name("force along the wheelset's x", "", "force"),
    "wheelset_force_y": Name("force along the axle", "", "force"),
    "wheelset_force_z": Name("force along the wheelset's z", "", "force"),
    "contact_count": Name("contacts"),
    "shakedown_load": Name("load", "p_0/k"),
    "used_friction": Name("tangential over normal force", "F_t/F_n"),
}

KEYS = {
    "step": Name("step"),
    "file": Name("file"),
    "tangential.x.creepage": TOTALS["creepage_x"],
    "tangential.y.creepage": TOTALS["creepage_y"],
    "tangential.spin": TOTALS["spin"],
    "tangential.x.force": TOTALS["force_x"],
    "tangential.y.force": TOTALS["force_y"],
    "tangential.x.force_ratio": TOTALS["force_ratio_x"],
    "tangential.y.force_ratio": TOTALS["force_ratio_y"],
    "tangential.x.traction_coefficient": Name("traction coefficient in x", "F_x/F_n"),
    "tangential.y.traction_coefficient": Name("traction coefficient in y", "F_y/F_n"),
    "tangential.x.shift": TOTALS["shift_x"],
    "tangential.y.shift": TOTALS["shift_y"],
    "tangential.rotation": TOTALS["rotation"],
    "tangential.velocity": TOTALS["rolling_velocity"],
    "tangential.direction": TOTALS["rolling_direction"],
    "friction.coefficient": TOTALS["friction_coefficient"],
    "normal.force": TOTALS["normal_force"],
    "normal.approach": TOTALS["approach"],
    "geometry.radius": Name("radius", "R", "length"),
    "geometry.semi_axes": Name("semi-axes", "", "length"),
    "grid.refine": Name("refinement of the grid"),
    "bodies.upper.shear_modulus": Name("shear modulus, upper body", "G_1", "traction"),
    "bodies.lower.shear_modulus": Name("shear modulus, lower body", "G_2", "traction"),
    "bodies.upper.poisson_ratio": Name("Poisson's ratio, upper body", r"\nu_1"),
    "bodies.lower.poisson_ratio": Name("Poisson's ratio, lower body", r"\nu_2"),
    "wheel_rail.wheelset.y": Name("lateral position of the wheelset", "y", "length"),
    "wheel_rail.wheelset.z": Name("height of the axle, down", "z", "length"),
    "wheel_rail.wheelset.yaw": Name("yaw of the wheelset", r"\psi", "angle"),
    "wheel_rail.wheelset.roll": Name("roll of the wheelset", "", "angle"),
    "wheel_rail.wheelset.velocity.x": Name("velocity of the wheelset", "V", "velocity"),
    "wheel_rail.vertical_force": Name("vertical force", "Q", "force"),
    "wheel_rail.longitudinal_force": Name("longitudinal force", "X", "force"),
    "wheel_rail.track.curvature": Name("curvature of the track", "", "curvature"),
    "wheel_rail.track.cant": Name("cant of the rail", "", "angle"),
    "wheel_rail.track.gauge": Name("gauge", "", "length"),
}

# Each unit in prefixed ones: (factor to the unprefixed one, its symbol, the prefixes used).
_LADDERS = {
    "mm": (1e-3, "m", ("n", "µ", "m", "")), "m": (1.0, "m", ("n", "µ", "m", "", "k")),
    "N": (1.0, "N", ("µ", "m", "", "k", "M", "G")),
    "N/mm": (1e3, "N/m", ("", "k", "M", "G")), "N/m": (1.0, "N/m", ("", "k", "M", "G")),
    "N/mm^2": (1e6, "Pa", ("", "k", "M", "G")), "Pa": (1.0, "Pa", ("", "k", "M", "G")),
    "J": (1.0, "J", ("n", "µ", "m", "", "k", "M")),
    "W": (1.0, "W", ("n", "µ", "m", "", "k", "M")), "N mm/s": (1e-3, "W", ("n", "µ", "m", "", "k", "M")),
    "s": (1.0, "s", ("µ", "m", "")), "mm/s": (1e-3, "m/s", ("n", "µ", "m", "")),
    "m/s": (1.0, "m/s", ("n", "µ", "m", "")),
    "N m": (1.0, "N·m", ("µ", "m", "", "k", "M")), "N mm": (1e-3, "N·m", ("µ", "m", "", "k", "M")),
    "N/(mm s)": (1e3, "W/m²", ("", "k", "M", "G", "T")), "W/m^2": (1.0, "W/m²", ("", "k", "M", "G", "T")),
    "rad/mm": (1e3, "rad/m", ("n", "µ", "m", "")), "rad/m": (1.0, "rad/m", ("n", "µ", "m", "")),
}
_AREAS = {"m^2": 1.0, "mm^2": 1e-6, "um^2": 1e-12}
_PREFIXES = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_PLAIN = {"1": "", "degrees": "degrees", "um^2": "µm²", "percent": "%"}


@dataclass(frozen=True)
class Unit:
    """factor * (number in the file) is the number in the unit `text`; "" if there is none."""
    factor: float
    text: str


def plain(name: str) -> str:
    """Turns a name without a table entry into words; a key inside a list keeps its path, as for --set."""
    words = [part for part in str(name).split(".") if part]
    if any(part.isdigit() for part in words):
        return str(name)
    shown = words[-2:] if len(words) > 1 and words[-1] in ("x", "y", "z", "lower", "upper", "coefficient",
                                                           "force", "radius") else words[-1:]
    return " ".join(shown).replace("_", " ")


def find(name: str) -> Name:
    """Finds a field, a total, or a key; totals of a side get the name of their wheel."""
    for table in (FIELDS, TOTALS, KEYS, INSIDE):
        if name in table:
            return table[name]
    for side in ("left", "right"):
        if name.startswith(side + "_") and name[len(side) + 1:] in TOTALS:
            known = TOTALS[name[len(side) + 1:]]
            return Name(f"{known.words}, {side} wheel", known.symbol, known.dimension, known.kind)
    if name.endswith("_error") and name[:-6] in TOTALS:
        known = TOTALS[name[:-6]]
        return Name(f"estimated error of the {known.words}", "", known.dimension)
    if name.startswith("series "):
        return Name(name[7:])
    return Name(plain(name))


def unit_of(name: str, units: str) -> str:
    """Returns the unit of a quantity in a file with these units, if the file does not state it."""
    dimension = find(name).dimension
    return UNITS.get(units, UNITS["N-mm-s"]).get(dimension, "-")


def greatest(values: Any) -> float:
    """Returns the greatest finite magnitude; 0 if there is none."""
    numbers = np.abs(np.asarray(values, dtype=float))
    return float(np.max(numbers[np.isfinite(numbers)], initial=0.0))


def scaled(unit: str, most: float, name: str = "") -> Unit:
    """Chooses the prefix that makes the greatest magnitude a number from 1 to 1000."""
    dimension = find(name).dimension if name else ""
    if dimension == "percent":
        return Unit(100.0, "%")
    if unit == "rad":
        return Unit(180.0 / math.pi, "°") if most == 0.0 or most > 0.01 else Unit(1e3, "mrad")
    if dimension == "energy" and unit == "N mm":
        base, symbol, prefixes = 1e-3, "J", _LADDERS["J"][2]
    elif unit in _AREAS:
        smaller = [each for each in _AREAS if _AREAS[each] <= _AREAS[unit]]
        shown = next((each for each in smaller if most * _AREAS[unit] >= 0.01 * _AREAS[each]), "um^2") if most else unit
        return Unit(_AREAS[unit] / _AREAS[shown], _PLAIN.get(shown, shown_unit(shown)))
    elif unit in _LADDERS:
        base, symbol, prefixes = _LADDERS[unit]
    else:
        return Unit(1.0, _PLAIN.get(unit, shown_unit(unit)))
    if unit == "mm" and (most == 0.0 or 0.1 <= most < 1e5):
        return Unit(1.0, "mm")  # a drawing's unit, also of radii
    value = most * base
    chosen = prefixes[0]
    for prefix in prefixes:
        if value == 0.0 and prefix in ("", "m"):
            chosen = {"mm": "m", "mm/s": "m"}.get(unit, "")
        elif value >= _PREFIXES[prefix] * (0.01 if symbol == "rad/m" else 1.0 - 1e-9):
            chosen = prefix
    if unit in ("N/mm^2", "Pa") and value == 0.0:
        chosen = "M"
    return Unit(base / _PREFIXES[chosen], chosen + symbol)


NOISE = 1e-7  # of the greatest force: below it is what the solver leaves of a force that is 0 by symmetry


def is_force(name: str) -> bool:
    """Whether it is a component of a force or its estimated error, which share a unit."""
    return re.search(r"(^|_)force(_[xyz])?(_error)?$", name) is not None


def is_frictional(totals: Any) -> bool:
    """Whether friction bounds the tractions. Without it every element in contact counts as slip, which says nothing."""
    return any(totals.get(name, 0.0) != 0.0 for name in ("friction_coefficient", "shear_strength"))


def most_of_forces(name: str, most: float, forces: Iterable[float]) -> float:
    """Returns the magnitude that determines a total's unit: its own, or that of the forces if it is noise compared with them."""
    beside = greatest(list(forces)) if is_force(name) else 0.0
    return beside if most < NOISE * beside else most


def capital(words: str) -> str:
    """Capitalises words that begin a title, but not the path of a key."""
    return words if re.match(r"[\w.]+\.\d+(\.|$)", words) else words[:1].upper() + words[1:]


def inner(words: str) -> str:
    """Lowers the first letter for use within a title."""
    return words[:1].lower() + words[1:]


def label(name: str, unit: Optional[Unit] = None, known: Optional[Name] = None) -> str:
    """Returns an axis label: "Pressure $p_n$ (MPa)"."""
    known = known or find(name)
    symbol = f" ${known.symbol}$" if known.symbol else ""
    return capital(known.words) + symbol + (f" ({unit.text})" if unit and unit.text else "")


def short(name: str) -> str:
    """Returns a legend entry: the symbol, or the words."""
    known = find(name)
    return f"${known.symbol}$" if known.symbol else known.words


def number(value: float, digits: int = 4) -> str:
    """Writes a number with a proper minus, and without exponent if four digits suffice."""
    if not math.isfinite(value):
        return "–"
    value = value + 0.0
    if value == 0.0:
        return "0"
    size = math.floor(math.log10(abs(value)) + 1e-12)
    if -5 < size < 7:
        text = f"{value:.{max(0, digits - 1 - size)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        mantissa = f"{value / 10.0 ** size:.{digits - 1}f}".rstrip("0").rstrip(".")
        power = str(size).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        text = f"{mantissa}·10{power}"
    return text.replace("-", "−")


def quantity(value: float, unit: str, name: str = "", noise: float = 0.0) -> str:
    """Writes a number with its unit; a magnitude below `noise` becomes 0."""
    return quantities([value], unit, name, noise)


def quantities(values: Iterable[float], unit: str, name: str = "", noise: float = 0.0) -> str:
    """Writes numbers in one unit: "(0, −14.94) kN"."""
    shown = [0.0 if abs(value) <= noise else float(value) for value in values]
    chosen = scaled(unit, greatest(shown), name)
    texts = [number(value * chosen.factor) for value in shown]
    text = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    gap = "" if chosen.text in ("", "°") else " "
    return text + gap + chosen.text


MISSING = "–"  # of a key that a case does not have


def value_text(name: str, value: Any, units: str) -> str:
    """Writes the value of a key: "µ = 0.3", "longitudinal creepage 0.2 %"."""
    symbol, words = find(name).symbol, value_words(name, value, units)
    return f"${symbol}$ = {words[len(find(name).words) + 1:]}" if symbol and value != MISSING else words


def value_words(name: str, value: Any, units: str) -> str:
    """Writes the value of a key without its symbol, for text that is no formula: "friction coefficient 0.3"."""
    known = find(name)
    if value == MISSING:
        return f"without {known.words}"
    shown = str(value) if not isinstance(value, (int, float, np.number)) else quantity(
        float(value), unit_of(name, units), name)
    return f"{known.words} {shown}"


def request_of(total: str) -> str:
    """Returns the key of the case that the total requires; "" if none."""
    if any(part in total for part in ("t_gamma_elements", "wear_depth", "worn_area", "worn_volume", "rcf_damage")):
        return "wear"
    if total.endswith("stiffness"):
        return "output: {sensitivities: true}"
    if "t_gamma" in total:
        return "steady_rolling"
    if "temperature" in total or total == "peclet_number" or total.startswith(("heat_upper", "heat_lower")):
        return "heat"
    return ""


def accepted(name: str, known: Iterable[str], most: int = 80) -> str:
    """Returns the end of a sentence on an unknown name: the name that was perhaps meant, or all names."""
    import difflib
    listed = sorted(known)
    near = difflib.get_close_matches(str(name), listed, 1) or ([each for each in listed if str(name) in each] if len(str(name)) > 2 else [])
    if near:
        return f"did you mean '{near[0]}'?"
    return "accepted: " + (", ".join(listed[:most]) + (", ..." if len(listed) > most else "") if listed else "none")


def clean(text: str) -> str:
    """Returns one line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def span(values: Any) -> Tuple[float, float]:
    """Returns least and greatest finite value; (0, 0) if there are none."""
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    return (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 0.0)
