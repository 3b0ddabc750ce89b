# SPDX-License-Identifier: Apache-2.0
"""A result file read with h5py, as a user's script would, against the contract."""
import sys

import machine
from program import CASE, case_folder, run_case

h5py, np = machine.modules("h5py", "numpy")

FIELDS = ["pressure", "traction_x", "traction_y", "traction_bound", "displacement_x",
          "displacement_y", "displacement_n", "undeformed_distance", "gap", "slip_x", "slip_y"]
REALS = ["normal_force", "approach", "force_x", "force_y", "moment_z", "shift_x", "shift_y",
         "rotation", "max_pressure", "elastic_energy", "friction_work", "residual", "seconds"]
COUNTS = ["elements_contact", "elements_adhesion", "elements_slip", "iterations_normal",
          "iterations_tangential", "iterations_outer", "matrix_products",
          "matrix_products_coarse"]
ROOT = ["file_type", "schema_version", "program_version", "git_commit", "created", "backend",
        "device", "units", "outcome"]
CELL_AREA = 0.2 * 0.25  # of the case


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def check_step(step):
    for name in FIELDS:
        check(step[name].shape == (11, 13) and step[name].dtype == np.float64, name)
    division = step["element_division"]
    check(division.shape == (11, 13) and division.dtype == np.uint8, "element_division")
    for name in FIELDS + ["element_division"]:
        for attribute in ("units", "description"):
            check(isinstance(step[name].attrs[attribute], str), f"{name}: {attribute}")
    for name in REALS:
        check(step.attrs[name].dtype == np.float64 and step.attrs[name].shape == (), name)
    for name in COUNTS:
        check(np.issubdtype(step.attrs[name].dtype, np.integer), name)
    check(step.attrs["problem"] == "shift" and step.attrs["outcome"] == "converged", "outcome")
    lengths = {step["convergence"][name].size for name in ("phase", "iteration", "change")}
    check(len(lengths) == 1, "convergence: columns of equal length")

    force = CELL_AREA * step["pressure"][()].sum()
    check(np.isclose(force, step.attrs["normal_force"], rtol=1e-12), "F_n is the sum of p_n")
    force = CELL_AREA * step["traction_x"][()].sum()
    check(np.isclose(force, step.attrs["force_x"], rtol=1e-12), "F_x is the sum of p_x")
    for state, name in ((1, "elements_adhesion"), (2, "elements_slip")):
        check((division[()] == state).sum() == step.attrs[name], name)


def check_axes(file):
    """Each field of a step knows its coordinates, by HDF5's own functions too."""
    for number in file["steps"]:
        step = file["steps"][number]
        for name in FIELDS + ["element_division"]:
            for dimension, axis in enumerate("yx"):
                scale = file["grid"][axis]
                check(step[name].dims[dimension][0] == scale, f"{name}: {axis}")
                check(h5py.h5ds.is_attached(step[name].id, scale.id, dimension), f"{name}: {axis}")
        check([name for name in step if isinstance(step[name], h5py.Dataset)]
              == sorted(FIELDS + ["element_division"]), "a step has its fields and nothing more")
    for axis in "xy":
        check(h5py.h5ds.is_scale(file["grid"][axis].id), axis)
        check(h5py.h5ds.get_scale_name(file["grid"][axis].id) == axis.encode(), axis)


def check_table(file):
    """A row for each step, with units."""
    table = file["table"]
    check(list(table["step"]) == [1, 2, 3] and set(table["outcome"].asstr()) == {"converged"}, "steps")
    check(set(table["side"].asstr()) == {""} and set(table["contact"]) == {0}, "no wheel's")
    for name in REALS + COUNTS:
        values = [file["steps"][number].attrs[name] for number in file["steps"]]
        check(np.array_equal(table[name][()], values), f"table: {name}")
    for name in set(table) - {"row"}:
        check(table[name].dims[0][0] == table["row"], f"table: {name} over row")
        check(table[name].attrs["description"] != "", f"table: description of {name}")
    units = {"force_x": "N", "approach": "mm", "max_pressure": "N/mm^2", "residual": "-"}
    check(all(table[name].attrs["units"] == unit for name, unit in units.items()), "units")


def check_series(file):
    """The fields side by side, with units."""
    series = file["series"]
    check(list(series["step"]) == [1, 2, 3], "steps")
    for name in FIELDS + ["element_division"]:
        values = [file["steps"][number][name][()] for number in file["steps"]]
        check(np.array_equal(series[name][()], values), f"series: {name}")
        check([d[0].name.split("/")[-1] for d in series[name].dims] == ["step", "y", "x"], name)
        check(series[name].attrs["units"] == file["steps/0001"][name].attrs["units"], name)


def write_like_a_result(path):
    """A small file that has of HDF5 what check_xarray() asks xarray for: coordinates in other groups, a group without
    any, text. What cannot read it, in whatever version, cannot be asked to read a result."""
    with h5py.File(path, "w") as file:
        for name, group, values in (("y", "grid", [0.0, 1.0]), ("x", "grid", [0.0, 1.0, 2.0]),
                                    ("step", "series", [1, 2, 3])):
            file.create_dataset(f"{group}/{name}", data=values).make_scale(name)
        for name in "yx":
            file[name] = file[f"series/{name}"] = file["grid"][name]
        for group, axes in (("series", ("series/step", "grid/y", "grid/x")), ("steps/0003", ("grid/y", "grid/x"))):
            shape = [file[axis].size for axis in axes]
            field = file.create_dataset(f"{group}/pressure", data=np.ones(shape))
            for i, axis in enumerate(axes):
                field.dims[i].attach_scale(file[axis])
        file.create_dataset("table/row", data=np.arange(3)).make_scale("row")
        for name, data in (("force_x", np.ones(3)), ("outcome", ["converged"] * 3)):
            file.create_dataset(f"table/{name}", data=data).dims[0].attach_scale(file["table/row"])
        file["table/force_x"].attrs["units"] = "N"
        file["VTKHDF/CellData/pressure"] = np.ones((3, 2, 3))


def read_by_xarray(path, engine, pressure):
    """A result, or what is like one, read without its tree of groups."""
    xarray = machine.module("xarray")
    series = xarray.open_dataset(path, group="series", engine=engine)
    check(list(series.pressure.dims) == ["step", "y", "x"], f"{engine}: dimensions")
    check(set(series.coords) == {"step", "y", "x"}, f"{engine}: coordinates")
    check(np.array_equal(series.pressure.sel(step=3), pressure), f"{engine}: pressure")
    table = xarray.open_dataset(path, group="table", engine=engine)
    check(table.force_x.attrs["units"] == "N", f"{engine}: units")
    check(list(table.to_dataframe().outcome) == ["converged"] * 3, f"{engine}: texts of the table")
    step = xarray.open_dataset(path, group="steps/0003", engine=engine)
    check(step.pressure.dims == ("y", "x"), f"{engine}: dimensions of a step")


def read_tree_by_xarray(path, engine, _):
    """Every group of the file, the one for ParaView among them; x and y are those of the file."""
    options = {"phony_dims": "sort"} if engine == "h5netcdf" else {}
    tree = machine.module("xarray").open_datatree(path, engine=engine, **options)
    check(set(tree["steps/0003"].coords) == {"y", "x"}, f"{engine}: coordinates of a step")


def check_xarray(path, pressure):
    """What works of xarray's ways into HDF5; their names."""
    if why := machine.why_not("xarray"):
        print(f"skipped: xarray: {why}")
        return ""
    write_like_a_result("like.h5")
    read = []
    for engine in ("h5netcdf", "netcdf4"):
        for what, way in ((engine, read_by_xarray), (f"trees by {engine}", read_tree_by_xarray)):
            try:
                way("like.h5", engine, np.ones((2, 3)))
            except (Exception, SystemExit) as error:  # pylint: disable=broad-except
                print(f"skipped: xarray, {what}: {type(error).__name__}: {machine.first_line(error)}")
                continue
            way(path, engine, pressure)
            read.append(what)
    return ", ".join(["xarray", *read])


with case_folder(CASE):
    run_case("-o", "out.h5")
    with h5py.File("out.h5", "r") as file:
        for name in ROOT:
            check(name in file.attrs, name)
        check(file.attrs["file_type"] == "slipfield-result", "file_type")
        check(file.attrs["outcome"] == "converged", "outcome")
        check("µ = 0.4" in file["case"][()].decode("utf-8"), "/case is UTF-8 text")
        check(list(file["grid"].attrs["elements"]) == [13, 11], "elements")
        check(np.allclose(file["grid/x"], -1.2 + 0.2 * (np.arange(13) + 0.5), rtol=1e-14), "x")
        check(np.allclose(file["grid/y"], -1.4 + 0.25 * (np.arange(11) + 0.5), rtol=1e-14), "y")
        check(list(file["steps"]) == ["0001", "0002", "0003"], "steps")
        for number in file["steps"]:
            check_step(file["steps"][number])
        x = file["grid/x"][()]
        pressure = file["steps/0003/pressure"][()]
        check(pressure[:, x < -0.9].sum() < pressure[:, abs(x) < 0.3].sum(), "x runs fastest")
        gaps = [file[f"steps/{number}/gap"][()] for number in sorted(file["steps"])]
        check(np.array_equal(file["VTKHDF/CellData/gap"][()], gaps), "VTKHDF stacks the steps")
        check_axes(file)
        check_series(file)
        check_table(file)
        source = file["case_source"]
        check(source[()].decode("utf-8") == CASE, "/case_source is the case as it was written")
        check(source.attrs["file"] == "case.yaml" and source.attrs["set"] == "", "and its name")
        checked = check_xarray("out.h5", pressure)
    run_case("-o", "set.h5", "--set", "friction.coefficient=0.3", "--set", "title=a=b")
    with h5py.File("set.h5", "r") as file:
        check(file["case_source"].attrs["set"] == "friction.coefficient=0.3\ntitle=a=b", "--set")
        check(file["case_source"][()].decode("utf-8") == CASE, "the text itself is as it was")
print("read with h5py", h5py.version.version, "and", checked or "no xarray")
