# SPDX-License-Identifier: Apache-2.0
"""The roughness of a surface, recovered from a noisy picture of the contact pressure, in PyTorch.

    python3 recover_roughness.py [FIGURE]

The heights are the parameters of a model, the solver is one of its operations (slipfield.torch), and an optimiser of
PyTorch does the rest. Only heights that touch leave a trace in the picture. Needs PyTorch and matplotlib.
"""
import sys

import numpy as np
import torch
from matplotlib import pyplot
from slipfield.torch import solve

SIZE = 24
NOISE = 0.01  # standard deviation, of the greatest pressure
HALF = 0.12   # of the grid's side [mm]


def sphere():
    x = (np.arange(SIZE) + 0.5) / SIZE * 2.0 * HALF - HALF
    return (x[None, :]**2 + x[:, None]**2) / 20.0


def roughness(random):
    """Waves over three elements and more, 20 nm rms."""
    spectrum = np.fft.rfft2(random.normal(size=(SIZE, SIZE)))
    waves = np.hypot(np.fft.fftfreq(SIZE)[:, None], np.fft.rfftfreq(SIZE)[None, :])
    heights = np.fft.irfft2(spectrum * (waves < 0.25) * (waves > 0.0), s=(SIZE, SIZE))
    return 2.0e-5 * heights / heights.std()


def pressure(rough):
    steel = {"young_modulus": 2.1e5, "poisson_ratio": 0.3}
    grid = {"elements": [SIZE, SIZE], "extent": {"x": [-HALF, HALF], "y": [-HALF, HALF]}}
    found, = solve({"schema": 1, "units": "N-mm-s", "bodies": {"upper": steel, "lower": steel}, "grid": grid,
                    "geometry": {"type": "heights", "file": torch.as_tensor(sphere()) + rough},
                    "normal": {"force": 15.0}, "solver": {"tolerance": 1e-8}}, ["pressure"], backend="cpu")
    return found


def main():
    random = np.random.default_rng(2)
    true = torch.as_tensor(roughness(random))
    with torch.no_grad():
        clean = pressure(true)
    noise = NOISE * clean.max()
    picture = clean + noise * torch.as_tensor(random.normal(size=clean.shape))
    scale = 2.0e-5  # parameters of about 1, as the roughness is known to be
    rough = torch.zeros((SIZE, SIZE), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([rough], max_iter=60, history_size=20, line_search_fn="strong_wolfe")
    calls = []

    def misfit():
        optimiser.zero_grad()
        loss = ((pressure(scale * rough) - picture)**2).mean() / noise**2 + (rough**2).mean()
        loss.backward()
        calls.append(loss.item())
        return loss

    optimiser.step(misfit)
    found = scale * rough.detach()
    inside = (clean > 0.1 * clean.max()).numpy()
    error = (found - true).numpy()[inside]
    error -= error.mean()  # raising all of the surface changes no pressure
    before = true.numpy()[inside].std()
    print(f"{len(calls)} solutions with gradients; loss {calls[0]:.3g} at first, {calls[-1]:.3g} in the end")
    print(f"roughness of the {inside.sum()} elements in contact: {before:.3g} mm rms, error {error.std():.3g} mm rms")
    assert calls[-1] < 0.1 * calls[0], "the misfit stays"
    assert error.std() < 0.3 * before, "the roughness was not found"
    draw(true.numpy(), found.numpy(), picture.numpy(), inside)


def draw(true, found, picture, inside):
    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    limit = 1.0e6 * np.abs(true).max()
    panels = [("pressure, with noise [N/mm²]", picture, {"cmap": "viridis"})]
    for title, heights in (("heights recovered [nm]", found), ("true heights [nm]", true)):
        shown = np.where(inside, heights - heights[inside].mean(), np.nan)
        panels.append((title, 1.0e6 * shown, {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}))
    for axis, (title, values, colours) in zip(axes, panels):
        image = axis.imshow(values, origin="lower", extent=(-HALF, HALF, -HALF, HALF), **colours)
        axis.set(title=title, xlabel="x [mm]", ylabel="y [mm]")
        figure.colorbar(image, ax=axis)
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
