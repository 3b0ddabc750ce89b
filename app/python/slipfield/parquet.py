# SPDX-License-Identifier: Apache-2.0
"""`slipfield export -o TABLE.parquet`: python3 -m slipfield.parquet OUTPUT TEXTS, with the CSV that export writes on standard input.

OUTPUT is a temporary name, TEXTS the numbers of the columns that hold texts, from 0, with commas. Names of columns are without
units, which each column has in its metadata as `units`. Exit codes: 0 done; 3 it cannot be written; 69 pyarrow is missing.
"""

from __future__ import annotations

import re
import sys

from .command_line import Failed, require_modules

COUNTS = ("point", "step", "contact")  # of the other numbers a whole one is as good as any


def write(output: str, texts: str) -> None:
    import pyarrow
    from pyarrow import csv, parquet
    header = sys.stdin.buffer.readline().decode().rstrip("\n")
    named = [re.fullmatch(r"(.*?)(?: \[([^\]]*)\])?", cell.strip('"')) for cell in header.split(",")]
    names = [match.group(1) for match in named if match]
    of_text = {int(number) for number in texts.split(",") if number}
    kinds = {name: pyarrow.string() if i in of_text else pyarrow.int64() if name in COUNTS else pyarrow.float64()
             for i, name in enumerate(names)}
    table = csv.read_csv(sys.stdin.buffer, csv.ReadOptions(column_names=names), csv.ParseOptions(newlines_in_values=True),
                         csv.ConvertOptions(column_types=kinds, null_values=[""], strings_can_be_null=False))
    fields = [field.with_metadata({"units": match.group(2) or "-"}) for field, match in zip(table.schema, named) if match]
    parquet.write_table(table.cast(pyarrow.schema(fields, {"made_by": "slipfield export"})), output)


def main() -> int:
    try:
        require_modules(("pyarrow",), "Parquet needs pyarrow")
        write(*sys.argv[1:])
    except Failed as error:
        sys.stderr.write(f"error: {error}\n")
        return error.code
    except (OSError, ValueError) as error:  # ValueError: pyarrow's own
        sys.stderr.write(f"error: the table cannot be written: {getattr(error, 'strerror', None) or error}\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
