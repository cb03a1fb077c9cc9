"""How kernels are compiled, and machine instructions that numba does not offer by name.

numba's cache of a kernel looks at the file of that kernel only. After a change to a function that kernels
of other files call, run ``python -m analysis.kernels``: it makes all of them again.
"""

from __future__ import annotations

from typing import Any

import numba.extending
import numpy as np
from numba import njit, types

ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)

# Not typed: what numba declares of its decorators does not fit functions without annotations.
kernel: Any = njit(cache=True, nogil=True)
"""Decorator of all kernels: machine code is kept on disk, and other threads may run meanwhile."""
intrinsic: Any = numba.extending.intrinsic


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Return how many bits of a uint64 are set, as int64."""
    if word != types.uint64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Return the position of the lowest set bit of a uint64 that is not 0, as int64."""
    if word != types.uint64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.int64(types.uint64), build


@intrinsic
def leading_zeros(typing_context: Any, word: Any) -> Any:
    """Return how many bits of a uint64 that is not 0 lie above its highest set bit, as int64."""
    if word != types.uint64:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.ctlz(arguments[0], zero_is_undefined)

    return types.int64(types.uint64), build


@intrinsic
def load_word(typing_context: Any, array: Any, index: Any) -> Any:
    """Return the 8 bytes from ``index`` of a flat uint8 array as a uint64; any alignment will do."""
    if not isinstance(array, types.Array) or array.dtype != types.uint8 or array.layout != "C" or array.ndim != 1:
        return None

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.gep(data, [arguments[1]])
        word = context.get_value_type(types.uint64)
        return builder.load(builder.bitcast(pointer, word.as_pointer()), align=1)

    return types.uint64(array, types.int64), build
