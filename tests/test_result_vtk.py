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


with case_folder(CASE):
    run_case("-o", "out.h5")
    reader = vtkHDFReader()
    check(reader.CanReadFile("out.h5"), "vtkHDFReader takes the file")
    reader.SetFileName("out.h5")
    reader.Update()
    image = reader.GetOutput()
    check(image.GetDimensions() == (14, 12, 1), "13 x 11 cells")
    check(np.allclose(image.GetBounds(), [-1.2, 1.4, -1.4, 1.35, 0.0, 0.0]), "bounds")
    cells = image.GetCellData()
    with h5py.File("out.h5", "r") as file:
        step = file["steps/0003"]
        names = [name for name in step if isinstance(step[name], h5py.Dataset)]
        check(cells.GetNumberOfArrays() == len(names) == 12, "every field")
        for name in names:
            values = vtk_to_numpy(cells.GetArray(name))
            check(np.array_equal(values, step[name][()].ravel()), name)
print("read with VTK", vtkVersion.GetVTKVersion())
