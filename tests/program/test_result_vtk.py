"""A result file opened by VTK's own reader, which is ParaView's."""
import sys

from program import SKIPPED, CASE, case_folder, run_case

try:
    import h5py
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)

if (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) < (9, 3):
    print("skipped: VTK before 9.3 reads no cell data of images")
    sys.exit(SKIPPED)


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
print("read with VTK", vtkVersion.GetVTKVersion())
