# SPDX-License-Identifier: Apache-2.0
"""A measured rough surface: levelled, filled, and pressed against a flat body.

    python3 measured_roughness.py [FIGURE] [HEIGHTS.npy DX DY]

Lengths in mm, heights outwards, shape (my, mx), NaN where the instrument saw nothing;
slipfield.surface.read has other formats and units. Without a file the surface is made up. Prints contact area, mean gap and pressures against the load. Needs matplotlib.
"""
import sys

import numpy as np
import slipfield as sf
from matplotlib import pyplot


def made_up(my=64, mx=80, dx=0.002, dy=0.003):
    """Tilted, with a hole, and pixels that are no squares."""
    random = np.random.default_rng(3)
    k = np.hypot(*np.meshgrid(np.fft.fftfreq(mx, dx), np.fft.fftfreq(my, dy)))
    amplitude = np.where((k > 3.0) & (k < 40.0), np.maximum(k, 1e-9) ** -1.8, 0.0)
    rough = np.fft.ifft2(amplitude * np.fft.fft2(random.normal(size=(my, mx)))).real
    iy, ix = np.indices(rough.shape)
    heights = 2e-4 * rough / rough.std() + 0.003 * ix / mx - 0.002 * iy / my
    heights[20:24, 30:35] = np.nan
    return heights, dx, dy


def main():
    if len(sys.argv) > 2:
        heights, dx, dy = np.load(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    else:
        heights, dx, dy = made_up()
    scan = sf.surface.fill(sf.surface.level(sf.surface.Surface(heights, dx, dy), "plane"))
    print("\n".join(scan.steps))
    heights = scan.heights
    my, mx = heights.shape
    numbers = sf.surface.measure(scan, periodic=True).values
    steel = {"young_modulus": 2.1e5, "poisson_ratio": 0.3}
    modulus = 2.1e5 / (2 * (1 - 0.3**2))  # E* of like bodies [N/mm2]
    rms_slope = numbers["rms_slope"]
    print(f"{mx} x {my} points of {dx:g} x {dy:g} mm, rms height {numbers['rms_height']:.3g} mm, "
          f"rms slope {rms_slope:.3g}")
    area = mx * my * dx * dy
    rows = []
    print("mean pressure  contact area  bearing area  mean gap  mean p in contact  p_max")
    print("       N/mm²            of 1          of 1        mm             N/mm²   N/mm²")
    for pressure in modulus * rms_slope * np.array([0.01, 0.02, 0.05, 0.1, 0.2]):
        result = sf.solve({
            "schema": 1, "units": "N-mm-s", "bodies": {"upper": steel, "lower": steel},
            "grid": {"elements": [mx, my], "spacing": [dx, dy], "boundary": "periodic"},
            "geometry": {"type": "heights", "file": heights, "of": "lower"},
            "normal": {"force": pressure * area}}, backend="cpu")
        touching = result.pressure > 0.0
        bearing = np.mean(heights.max() - heights < result.approach)  # cut off by a rigid plane
        rows.append((pressure, touching.mean(), bearing, result.gap.mean()))
        print(f"{pressure:13.1f} {touching.mean():13.4f} {bearing:13.4f} {result.gap.mean():9.3g} "
              f"{result.pressure[touching].mean():18.1f} {result.max_pressure:7.0f}")
    check(np.array(rows), modulus * rms_slope)
    draw(np.array(rows))


def check(rows, scale):
    """Area grows with the load; while it is small it stays below the bearing area."""
    pressure, contact, bearing, gap = rows.T
    assert (np.diff(contact) > 0.0).all() and (np.diff(gap) < 0.0).all()
    small = contact < 0.15  # at great loads the surface follows, also below its mean plane
    assert (contact < bearing)[small].all(), "summits give way, which a rigid cut leaves out"
    kappa = contact[0] * scale / pressure[0]  # Persson: 1.6; Bush, Gibson and Thomas: 2.5
    print(f"contact area at the least load: {kappa:.2f} p/(E* rms slope)")
    assert 1.0 < kappa < 5.0, "of the order that the theories have; pixels make it larger"


def draw(rows):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.loglog(rows[:, 0], rows[:, 1], "o-", label="contact")
    left.loglog(rows[:, 0], rows[:, 2], "s--", label="bearing area at the same approach")
    left.set(xlabel="mean pressure [N/mm²]", ylabel="area, of the whole", title="Area")
    left.legend()
    right.loglog(rows[:, 0], rows[:, 3] * 1e3, "o-")
    right.set(xlabel="mean pressure [N/mm²]", ylabel="mean gap [µm]", title="Gap")
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
