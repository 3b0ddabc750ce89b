# SPDX-License-Identifier: Apache-2.0
"""Two ranks compute what one process does: one contact of each kind, small enough for the sanitizers. test_ranks.py and
test_ranks_kinds.py go through all of them."""
from runs import FRICTION, LIKE, ROUGH, SHIFTS, STEADY, TIGHT, TRANSIENT, check_same

SMALL = ("grid.elements=[21, 19]", "grid.origin=[-1.0, -1.0]", "normal.force=5.0")


def check(title, case, *settings):
    check_same(title, case, *settings, counts=(2,), counts_alike=False)  # rounding may add an iteration


def main():
    check("periodic rough surface", ROUGH, "grid.elements=[32, 32]")
    check("shifts of unlike bodies", FRICTION + SHIFTS + TIGHT, *SMALL, "normal.force=1.5")
    check("steady rolling", LIKE + STEADY + TIGHT, *SMALL)
    check("transient rolling across the rows", LIKE + TRANSIENT + TIGHT, *SMALL, "tangential.direction=90")


main()
