"""
C++ names for the IR's names: the one mangling.

An MLIR name may hold `$`, `.`, `-` and letters beyond ASCII, or be a C++ keyword; C++ reserves
names with two underscores. What the runtime's header and our own text use is kept free too.
"""

import re

_NO_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]")
_UNDERSCORES = re.compile(r"__+")
_MACRO_LIKE = re.compile(r"[A-Z][A-Z0-9_]+")
_RUNTIME_LIKE = re.compile(r"(rt|pto2?|aicpu|pld|PTO2?|PLD)_.*")

_KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq final override import module""".split()
)
_OURS = frozenset(
    """int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t std main linux unix
    errno stdin stdout stderr assert Tensor ChipTensor TensorCreateInfo TaskOutputTensors DataType
    CoreTaskArgs ChipTaskArgs MixedKernels PTO2TaskId PTO2OrchestrationConfig orch_args
    alloc_tensors get_tensor_data set_tensor_data""".split()
)


def identifier(name: str) -> str:
    """The C++ name for an IR name; different names may get the same one."""
    mangled = _UNDERSCORES.sub("_", _NO_IDENTIFIER.sub("_", name)).strip("_")
    if not mangled:
        return "value"
    if mangled[0].isdigit():
        mangled = f"v{mangled}"
    if (
        mangled in _KEYWORDS
        or mangled in _OURS
        or _MACRO_LIKE.fullmatch(mangled)
        or _RUNTIME_LIKE.fullmatch(mangled)
    ):
        mangled = f"{mangled}_v"
    return mangled


class Names:
    """The names of one C++ function: none is given twice, so that none hides another."""

    def __init__(self):
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """A name like `wanted` that is not taken; takes it."""
        base = identifier(wanted)
        name = base
        number = self._next.get(base, 2)
        while name in self._taken:
            name = f"{base}_{number}"
            number += 1
        self._next[base] = number
        self._taken.add(name)
        return name


def quoted(text: str) -> str:
    """A C++ string literal that is a printf format for the text itself."""
    escaped = "".join(
        {"\\": "\\\\", '"': '\\"', "%": "%%"}.get(c, c if " " <= c <= "~" else "?") for c in text
    )
    return f'"{escaped}"'
