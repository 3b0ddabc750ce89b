# SPDX-License-Identifier: Apache-2.0
"""Measured surfaces: reads them, makes them fit for a contact, measures them, writes them as heights of a case.

    from slipfield import surface
    scan = surface.read("scan.txt")                       # in mm, whatever the file's units are
    scan = surface.fill(surface.level(scan, "plane"))
    print(surface.measure(scan))                          # rms height, slope, curvature, ..., as a table
    surface.write(scan, "heights.h5")                     # geometry: {type: heights, file: heights.h5, of: lower}

Nothing is done unasked, and each function returns a new Surface whose `steps` say what was done. `slipfield surface` is the
same from the command line. No compiled module is needed; HDF5 needs h5py, old MATLAB files scipy, figures matplotlib.
"""

from __future__ import annotations

from .files import read, write
from .grid import Surface, UNITS
from .measures import Measures, measure
from .picture import plot
from .prepare import crop, despike, fill, flip, level, rescale, spikes

__all__ = ["Measures", "Surface", "UNITS", "crop", "despike", "fill", "flip", "level", "measure", "plot", "read", "rescale", "spikes", "write"]
