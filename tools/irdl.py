"""
Exports dialect `pld` as IRDL, so that upstream MLIR parses and verifies our operations.

    pld-opt --emit-irdl pld > pld.irdl.mlir
    heir-opt --irdl-file=pld.irdl.mlir --allow-unregistered-dialect in.mlir

xDSL's own `dialect_to_irdl` turns every constraint into `irdl.any`. This one keeps what IRDL can
say, widens the rest, and lists what it widened. What IRDL (as of LLVM 24) cannot say:

- the parameters of a builtin type: element type, rank and view of a tensor;
- optional attributes (each that is declared is required): they are left out, and pass unchecked;
- elements of one variadic that differ in type: a constraint is bound once, by the first element;
- types of a dialect that MLIR does not know, other than that they are such (`!builtin.opaque`);
- verifiers, symbols, memory effects, and that an operation is a terminator or needs none.

Each operand gets a constraint of its own: two that share one must have one type, which is said on
purpose only where ours do so (a `VarConstraint`). Source: xdsl-notes, sections 2 and 8.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    ArrayAttr,
    ArrayOfConstraint,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i32,
)
from xdsl.dialects.irdl import irdl
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AllOf,
    AnyAttr,
    AnyInt,
    AnyOf,
    AnyRange,
    AtMost,
    AttrConstraint,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    EqIntConstraint,
    IRDLOperation,
    MessageConstraint,
    OpDef,
    OptionalDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    SingleBlockRegionDef,
    TypeVarConstraint,
    VarConstraint,
    VariadicDef,
)
from xdsl.printer import Printer
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator, NoTerminator

from xdsl_pld.dialects.constraints import OneOf, TensorOperand
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.collectives import ManagedCollective

REFUSED: Mapping[str, str] = {
    "pl": (
        "IRDL gives all elements of a variadic one type, which the arguments of pl.call and "
        "pl.submit do not have, and a dialect loaded from IRDL refuses the operations that it does "
        "not declare: leave pl unregistered (--allow-unregistered-dialect)"
    )
}
"""Dialects of ours that have no IRDL form, and why."""

_BUILTIN: Mapping[type[Attribute], str] = {
    ArrayAttr: "#builtin.array",
    DenseArrayBase: "#builtin.dense_array",
    DictionaryAttr: "#builtin.dictionary",
    IndexType: "!builtin.index",
    IntegerAttr: "#builtin.integer",
    IntegerType: "!builtin.integer",
    StringAttr: "#builtin.string",
    SymbolRefAttr: "#builtin.symbol_ref",
    TensorType: "!builtin.tensor",
    UnitAttr: "#builtin.unit",
}
"""The names by which `irdl.base` finds builtin attributes and types."""

_NAMES: Mapping[type[Attribute], str] = {DenseArrayBase: "array<...>", TensorType: "tensor<...>"}
"""What the lists call a builtin whose xDSL name says too little."""

_IMPLIED_LENGTHS = (EqIntConstraint(1), AtMost(1), AnyInt())
"""The lengths that single, optional and variadic already say."""

_FOREIGN = "!builtin.opaque"
"""What MLIR makes of a type whose dialect it does not know."""


def irdl_text(name: str) -> str:
    """What `--emit-irdl <name>` prints; raises ValueError for a dialect without an IRDL form."""
    if reason := REFUSED.get(name):
        raise ValueError(f"dialect '{name}' has no IRDL form: {reason}")
    if name != PLD.name:
        raise ValueError(f"no dialect '{name}' to export, only '{PLD.name}'")
    return export_dialect(PLD).text()


@dataclass
class IRDLExport:
    """The IRDL of one dialect, and how it differs from what xDSL verifies."""

    module: ModuleOp
    widened: Sequence[str]
    """What IRDL lets pass although our verifier refuses it."""
    narrowed: Sequence[str]
    """What IRDL refuses although our verifier lets it pass."""

    def text(self) -> str:
        """The module, then the differences as comments."""
        stream = StringIO()
        Printer(stream).print_op(self.module)
        lines = ["", ""]
        for title, entries in (
            ("Wider than dialect pld (xDSL's verifier checks these, IRDL cannot):", self.widened),
            ("Narrower than dialect pld (IRDL refuses these, though valid):", self.narrowed),
        ):
            if entries:
                lines += [f"// {title}", *(f"//   {entry}" for entry in entries)]
        return stream.getvalue() + "\n".join(lines) + "\n"


def export_dialect(dialect: Dialect, *, for_llvm_22: bool = False) -> IRDLExport:
    """
    The IRDL definition of a dialect whose attributes are all parametrized.

    LLVM 22 aborts on `irdl.base` or `irdl.any` inside `irdl.any_of`: for it a choice between kinds
    of types is widened to any type.
    """
    exporter = _Exporter(dialect.name, tuple(dialect.attributes), for_llvm_22)
    block = Block([exporter.attribute(attribute) for attribute in dialect.attributes])
    block.add_ops(exporter.operation(op) for op in dialect.operations)
    module = ModuleOp([irdl.DialectOp(dialect.name, Region(block))])
    module.verify()
    return IRDLExport(module, exporter.widened, exporter.narrowed)


@dataclass
class _Exporter:
    dialect: str
    own: Sequence[type[Attribute]]
    for_llvm_22: bool
    widened: list[str] = field(default_factory=list[str])
    narrowed: list[str] = field(default_factory=list[str])

    def attribute(self, cls: type[Attribute]) -> irdl.TypeOp | irdl.AttributeOp:
        assert issubclass(cls, ParametrizedAttribute), f"{cls.name} has no IRDL form"
        definition = cls.get_irdl_definition()
        block = Block()
        scope = _Scope(self, Builder(InsertPoint.at_end(block)), f"!{cls.name}")
        if definition.parameters:
            values = [scope.at(n).constraint(p.constr) for n, p in definition.parameters]
            names = ArrayAttr([StringAttr(name) for name, _ in definition.parameters])
            scope.builder.insert(irdl.ParametersOp(values, names))
        kind = irdl.TypeOp if issubclass(cls, TypeAttribute) else irdl.AttributeOp
        return kind(self._local(cls.name), Region(block))

    def operation(self, cls: type[Any]) -> irdl.OperationOp:
        assert issubclass(cls, IRDLOperation), f"{cls.name} has no IRDL form"
        definition = cls.get_irdl_definition()
        block = Block()
        scope = _Scope(self, Builder(InsertPoint.at_end(block)), cls.name)
        if operands := _declared(cls, definition):
            scope.builder.insert(irdl.OperandsOp(*scope.values(operands)))
        if definition.results:
            results = [_Declared(n, r.constr, _variadicity(r)) for n, r in definition.results]
            scope.builder.insert(irdl.ResultsOp(*scope.values(results)))
        scope.attributes(definition)
        scope.regions(definition)
        if cls.has_trait(IsTerminator) or cls.has_trait(NoTerminator):
            trait = "IsTerminator" if cls.has_trait(IsTerminator) else "NoTerminator"
            self.narrowed.append(
                f"{cls.name}: trait {trait}, which only MLIR's Python bindings can attach "
                "(xdsl_pld.mlir does)"
            )
        return irdl.OperationOp(self._local(cls.name), Region(block))

    def reference(self, cls: type[Attribute]) -> SymbolRefAttr:
        return SymbolRefAttr(self.dialect, [self._local(cls.name)])

    def _local(self, name: str) -> str:
        return name.removeprefix(f"{self.dialect}.")


@dataclass(frozen=True)
class _Declared:
    """An operand or a result, or several."""

    name: str
    constraint: RangeConstraint
    variadicity: irdl.VariadicityAttr


def _variadicity(definition: object) -> irdl.VariadicityAttr:
    if isinstance(definition, OptionalDef):
        return irdl.VariadicityAttr.OPTIONAL
    if isinstance(definition, VariadicDef):
        return irdl.VariadicityAttr.VARIADIC
    return irdl.VariadicityAttr.SINGLE


def _declared(cls: type[IRDLOperation], definition: OpDef) -> list[_Declared]:
    """
    The operands. The arguments of a builtin dispatch are spelt out, one for each role of its
    collective: as one variadic they would all have to be of one type.
    """
    declared: list[_Declared] = []
    for name, operand in definition.operands:
        if issubclass(cls, BuiltinDispatchOp) and name == "arguments":
            trait = cls.COLLECTIVE.get_trait(ManagedCollective)
            assert trait is not None
            declared += [
                _Declared(role, operand.constr, irdl.VariadicityAttr.SINGLE) for role in trait.roles
            ]
        else:
            declared.append(_Declared(name, operand.constr, _variadicity(operand)))
    return declared


@dataclass
class _Scope:
    """The body of one definition while it is written."""

    exporter: _Exporter
    builder: Builder
    where: str
    variables: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def at(self, name: str) -> "_Scope":
        return _Scope(self.exporter, self.builder, f"{self.where}: {name}", self.variables)

    def _widen(self, what: str) -> None:
        self.exporter.widened.append(f"{self.where}: {what}")

    # Parts of an operation

    def values(
        self, declared: Sequence[_Declared]
    ) -> tuple[Sequence[SSAValue], irdl.VariadicityArrayAttr, ArrayAttr[StringAttr]]:
        """The three parts of `irdl.operands` or `irdl.results`."""
        constraints = [self.at(each.name)._range(each) for each in declared]
        variadicity = ArrayAttr([each.variadicity for each in declared])
        names = ArrayAttr([StringAttr(each.name) for each in declared])
        return constraints, irdl.VariadicityArrayAttr(variadicity), names

    def attributes(self, definition: OpDef) -> None:
        required: dict[str, SSAValue] = {}
        for name, attribute in {**definition.properties, **definition.attributes}.items():
            if name.endswith("SegmentSizes"):
                continue  # MLIR checks it where there are several variadic groups
            if isinstance(attribute, OptionalDef):
                self.at(name)._widen("optional attribute, not declared")
            else:
                required[name] = self.at(name).constraint(attribute.constr)
        if required:
            self.builder.insert(irdl.AttributesOp.get(required))

    def regions(self, definition: OpDef) -> None:
        if not definition.regions:
            return
        sizes = [
            {"number_of_blocks": IntegerAttr(1, i32)}
            if isinstance(region, SingleBlockRegionDef)
            else {}
            for _, region in definition.regions
        ]
        regions = [
            self.builder.insert(
                irdl.RegionOp.create(result_types=[irdl.RegionType()], properties=size)
            ).output
            for size in sizes
        ]
        names = ArrayAttr([StringAttr(name) for name, _ in definition.regions])
        self.builder.insert(irdl.RegionsOp(regions, names))

    # Constraints

    def _range(self, declared: _Declared) -> SSAValue:
        constraint = declared.constraint
        if isinstance(constraint, RangeLengthConstraint):
            if constraint.length not in _IMPLIED_LENGTHS:
                self._widen("how many values there are")
            constraint = constraint.constraint
        match constraint:
            case RangeOf(constr=inner):
                if declared.variadicity.data is irdl.VariadicityEnum.VARIADIC:
                    self._one_type(inner)
                return self.constraint(inner)
            case AnyRange():
                self._one_type(AnyAttr())
                return self._any()
            case other:
                self._widen(f"{type(other).__name__}, all of it")
                return self._any()

    def _one_type(self, constraint: AttrConstraint) -> None:
        """All elements get one type: this narrows what is not a single type in the first place."""
        single = isinstance(constraint, EqAttrConstraint) or (
            isinstance(constraint, BaseAttr) and constraint.attr is IndexType
        )
        if not single:
            self.exporter.narrowed.append(f"{self.where}: values of different types")

    def constraint(self, constraint: AttrConstraint) -> SSAValue:
        match constraint:
            case VarConstraint(name=name, constraint=inner):
                if name not in self.variables:
                    self.variables[name] = self.constraint(inner)
                return self.variables[name]
            case TypeVarConstraint(base_constraint=inner) | MessageConstraint(constr=inner):
                return self.constraint(inner)
            case OneOf(values=values):
                return self._any_of([self._is(StringAttr(value)) for value in values])
            case TensorOperand():
                return self._tensor(constraint)
            case EqAttrConstraint(attr=attr):
                return self._is(attr)
            case AttrSetConstraint(values=values):
                return self._any_of([self._is(attr) for attr in sorted(values, key=str)])
            case AnyOf(attr_constrs=alternatives):
                return self._any_of([self.constraint(each) for each in alternatives])
            case AllOf(attr_constrs=parts):
                values = [self.constraint(each) for each in parts]
                return self.builder.insert(irdl.AllOfOp(values)).output
            case ParamAttrConstraint(base_attr=base, param_constrs=parameters):
                return self._parametric(base, parameters)
            case BaseAttr(attr=base):
                return self._base(base)
            case ArrayOfConstraint():
                self._widen("the elements of an array")
                return self._base(ArrayAttr)
            case AnyAttr():
                return self._any()
            case other:
                return self._bases(other)

    def _tensor(self, constraint: TensorOperand) -> SSAValue:
        if constraint.elements:
            elements = " or ".join(str(element) for element in constraint.elements)
            self._widen(f"elements of {elements}")
        return self._any_of([self._base(kind) for kind in constraint.kinds])

    def _parametric(self, base: type[Attribute], parameters: Sequence[AttrConstraint]) -> SSAValue:
        if base in self.exporter.own:
            values = [self.constraint(each) for each in parameters]
            reference = self.exporter.reference(base)
            return self.builder.insert(irdl.ParametricOp(reference, values)).output
        if not all(isinstance(each, AnyAttr) for each in parameters):
            self._widen(f"the parameters of {_NAMES.get(base, base.name)}")
        return self._base(base)

    def _bases(self, constraint: AttrConstraint) -> SSAValue:
        """For a constraint that is not known here: the kinds of attribute that it allows."""
        self._widen(f"{type(constraint).__name__}, beyond the kind of attribute")
        bases = constraint.get_bases()
        if not bases:
            return self._any()
        return self._any_of([self._base(base) for base in sorted(bases, key=lambda b: b.name)])

    def _base(self, base: type[Attribute]) -> SSAValue:
        if base in self.exporter.own:
            return self.builder.insert(irdl.BaseOp(self.exporter.reference(base))).output
        if base in _BUILTIN:
            return self.builder.insert(irdl.BaseOp(_BUILTIN[base])).output
        if issubclass(base, TypeAttribute):
            self._widen(f"any type of an unregistered dialect in place of !{base.name}")
            return self.builder.insert(irdl.BaseOp(_FOREIGN)).output
        self._widen(f"any attribute in place of {base.name}")
        return self._any()

    def _is(self, attribute: Attribute) -> SSAValue:
        if type(attribute) in self.exporter.own:
            # `irdl.is` would need the dialect that is being defined.
            return self._base(type(attribute))
        return self.builder.insert(irdl.IsOp(attribute)).output

    def _any(self) -> SSAValue:
        return self.builder.insert(irdl.AnyOp()).output

    def _any_of(self, alternatives: Sequence[SSAValue]) -> SSAValue:
        if len(alternatives) == 1:
            return alternatives[0]
        if any(isinstance(each.owner, irdl.AnyOp) for each in alternatives):
            return self._any()
        if self.exporter.for_llvm_22 and any(
            isinstance(e.owner, irdl.BaseOp) for e in alternatives
        ):
            self._widen("any type in place of a choice")
            return self._any()
        return self.builder.insert(irdl.AnyOfOp(alternatives)).output
