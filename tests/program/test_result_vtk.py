# SPDX-License-Identifier: Apache-2.0
"""A result file opened by VTK's own reader, which is ParaView's."""
import sys

import machine
from program import CASE, case_folder, run_case

h5py, np, support, core, hdf = machine.modules("h5py", "numpy", "vtkmodules.util.numpy_support",
                                               "vtkmodules.vtkCommonCore", "vtkmodules.vtkIOHDF")
vtk_to_numpy, vtkVersion, vtkHDFReader = support.vtk_to_numpy, core.vtkVersion, hdf.vtkHDFReader


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def read(name, step):
    """The image of one step (None: of the file's only one) by VTK's reader, and its field names."""
    reader = vtkHDFReader()
    check(reader.CanReadFile(name), "vtkHDFReader takes the file")
    reader.SetFileName(name)
    reader.UpdateInformation()
    if step is not None:
        reader.SetStep(step)
    reader.Update()
    return reader, reader.GetOutput()


def check_step(cells, step):
    names = [name for name in step if isinstance(step[name], h5py.Dataset)]
    for name in names:
        values = vtk_to_numpy(cells.GetArray(name))
        check(np.array_equal(values, step[name][()].ravel()), name)
        check(values.sum() == step[name][()].ravel().sum(), f"sum of {name}")
    return names


def write_image(name):
    """The smallest of VTK's HDF5 files with what a result has: two steps of an image with data of its cells."""
    with h5py.File(name, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = [2, 0]
        root.attrs.create("Type", np.bytes_("ImageData"))
        root.attrs["WholeExtent"] = [0, 2, 0, 1, 0, 0]
        for key, values in (("Origin", [0.0, 0.0, 0.0]), ("Spacing", [1.0, 1.0, 1.0]),
                            ("Direction", [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])):
            root.attrs[key] = values
        root["CellData/a"] = np.arange(4.0).reshape(2, 1, 2)
        root["Steps/Values"] = [0.0, 1.0]
        root["Steps/CellDataOffsets/a"] = [0, 1]
        root["Steps"].attrs["NSteps"] = 2


def why_not():
    """VTK 9.1 reads no steps, 9.2 no cells of images: what does not read an image, does not read a result."""
    with case_folder():
        write_image("image.vtkhdf")
        try:
            reader, image = read("image.vtkhdf", 1)
            values = vtk_to_numpy(image.GetCellData().GetArray("a"))
        except (Exception, SystemExit) as error:  # pylint: disable=broad-except
            return machine.first_line(error)
        return "" if reader.GetNumberOfSteps() == 2 and list(values) == [2.0, 3.0] else "other numbers"


if reason := why_not():
    machine.skip(f"VTK {vtkVersion.GetVTKVersion()} does not read the cells of an image's steps ({reason})")
with case_folder(CASE):
    run_case("-o", "out.h5")
    with h5py.File("out.h5", "r") as file:
        steps = sorted(file["steps"])
        check(len(steps) == 3, "three steps")
        for index, number in enumerate(steps):
            reader, image = read("out.h5", index)
            check(reader.GetNumberOfSteps() == 3, "steps as times")
            check(image.GetDimensions() == (14, 12, 1), "13 x 11 cells")
            check(np.allclose(image.GetBounds(), [-1.2, 1.4, -1.4, 1.35, 0.0, 0.0]), "bounds")
            names = check_step(image.GetCellData(), file["steps"][number])
            check(image.GetCellData().GetNumberOfArrays() == len(names) == 12, "every field")
    run_case("-o", "one.h5", "--set", "output.steps=last")
    with h5py.File("one.h5", "r") as file:
        reader, image = read("one.h5", None)
        check_step(image.GetCellData(), file["steps/0003"])

INTERIOR = CASE + "interior: {depths: [0.0, 0.1, 0.4], region: grid, quantities: [stress_xz, von_mises]}\n"
with case_folder(INTERIOR):
    for way, extra, kind, cells in [("both", [], "vtkUnstructuredGrid", 2 * 12 * 10 * 2),
                                    ("lower", ["--set", "interior.body=lower", "--set",
                                               "interior.depths={to: 1, points: 4}"],
                                     "vtkImageData", 12 * 10 * 3),
                                    ("cut", ["--set", "interior.region={x: [-1, 1], y: [0, 0.3]}"],
                                     "vtkUnstructuredGrid", None)]:
        run_case("-o", way + ".h5", *extra)
        with h5py.File(way + ".h5", "r") as file:
            for index, number in enumerate(sorted(file["steps"])):
                grid = read(way + ".h5", index)[1]
                check(grid.GetClassName() == kind, f"{way} is a {kind}")
                check(cells is None or grid.GetNumberOfCells() == cells, f"cells of {way}")
                inside = file["steps"][number]["interior"]
                for name in ("stress_xz", "von_mises"):
                    stored = np.concatenate([inside[body][name][()].ravel()
                                             for body in sorted(inside, reverse=True)])
                    values = vtk_to_numpy(grid.GetPointData().GetArray(name))
                    check(np.array_equal(values, stored), f"{name} of {way}")
                low, high = grid.GetBounds()[4:]
                deepest = inside["lower/depth"][-1]
                check(np.isclose(low, -deepest), f"depth of {way}")
                check(np.isclose(high, 0.0 if way == "lower" else deepest), f"height of {way}")
print("read with VTK", vtkVersion.GetVTKVersion())
