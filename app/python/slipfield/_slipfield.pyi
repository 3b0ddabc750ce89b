# SPDX-License-Identifier: Apache-2.0
# The compiled module (app/python/module.cpp has its names). Users call slipfield, whose modules have types.
from typing import Any

def __getattr__(name: str) -> Any: ...
