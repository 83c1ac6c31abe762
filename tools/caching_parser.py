"""
xDSL's parser, reading each type, attribute dictionary and kind of operation once.

A program mentions the same few types at every operation, and xDSL parses each mention anew. Here
a text that was parsed once is recognised: the same text, from its first token on, gives the same
object, because the parse depends on nothing else. What makes this sound:

* A text is remembered only if the parser consumed exactly it, which is checked after parsing; how
  its end was guessed does not matter. It ends in a bracket that it opens, so nothing that follows
  can belong to it. A dialect's type parser might look beyond its bracket, so outside of other
  brackets only builtin types and those of `pl` and `pld` are remembered.
* An alias keeps its meaning: xDSL refuses a second definition, and a use before the first.
* Texts that do more than name a value are never remembered: a resource declares its key, and a
  location in an attribute is compared by identity.
* Types and attributes are immutable, and a dictionary is copied.

Operations repeat too, but for the names of their values: `%a = arith.addi %b, %c : index`. Such a
text, names aside, is parsed once; the next operation is made from the first one's types and
properties and from its own operands. What makes this sound, besides the above:

* The custom form must be one whose parser reads nothing but text: that of an assembly format, in
  the dialects that are listed. The generic form always is. No regions, no successors.
* Where the text ends depends on the token that follows, which is part of what is recognised.
* Which operand stands where was seen as the parser resolved them, each name being another value.
  Operands are resolved in the same order, so that errors are the same.

The other methods do what xDSL's do with fewer calls; `xdsl_internals` lists what they rely on.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerType,
    LocationAttr,
    NameLoc,
    NoneType,
    StringAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRTokenKind,
    PunctuationSpelling,
)

from xdsl_pld.tools.lexer import FastLexer, FastToken

_INNER = r"[^<>-]++|->|-"
_ANGLES = rf"<(?:{_INNER}|<(?:{_INNER}|<(?:{_INNER})*+>)*+>)*+>"
"""Balanced angle brackets, to a depth that types have."""
_TYPE = re.compile(rf"(?:!pld?\.[a-zA-Z0-9_$.-]+|tensor|vector|memref|complex|tuple){_ANGLES}")
_DICTIONARY = re.compile(r"\{(?:[^{}]++|\{[^{}]*+\})*+\}")
_NEVER = re.compile(r"\b(?:dense_resource|distinct|loc)\b")
_LONGEST = 400
_MOST = 4096
"""More different texts than a program has types."""
_HANDLES = re.compile(r"!pld?\.[a-zA-Z0-9_$.-]+")

_NAME = r"%(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*)"
_NAMES = re.compile(f"({_NAME})")
_OPERATION = re.compile(
    rf"(?:({_NAME}(?:\s*,\s*{_NAME})*)\s*=\s*)?"
    r"((?:pld?|arith|func)\.[a-zA-Z0-9_$.]+(?![a-zA-Z0-9_$.])|\"[a-zA-Z0-9_$.]+\"(?=\())"
    r"([^\n]*(?:\n[ \t]*(?::|->)[^\n]*)*)",
    re.ASCII,
)
"""Results, name and the rest of an operation, if it ends with its line."""

_CHARACTERS = r"[^\"\\\n\v\f]*"
_LOCATION = re.compile(
    rf'loc\(((?:"{_CHARACTERS}"\()*)"({_CHARACTERS})":([0-9]+):([0-9]+)(\)*)\)', re.ASCII
)
"""A file position, perhaps inside names; what else there is goes to xDSL."""
_STRING = re.compile(f'"({_CHARACTERS})"')

_BARE = MLIRTokenKind.BARE_IDENT
_EXCLAMATION = MLIRTokenKind.EXCLAMATION_IDENT
_L_BRACE = MLIRTokenKind.L_BRACE
_LESS = MLIRTokenKind.LESS


def _is_one_token(type_: TypeAttribute) -> bool:
    return isinstance(type_, IndexType | IntegerType | AnyFloat | NoneType)


def _lookahead(token: Token[MLIRTokenKind, str]) -> object:
    """What of the next token may decide whether an operation goes on: its kind, or a keyword."""
    if token.kind is _BARE and "." not in token.text:
        return token.text
    return token.kind


class _Values(dict[str, tuple[SSAValue, ...]]):
    """Value names. xDSL copies them all at each region; see `parse_optional_region`."""

    def copy(self) -> "_Values":
        return self


class _Resolved(NamedTuple):
    """An operand as the parser resolved it: which name in the text, and with what type."""

    name: int
    part: int
    type: Attribute


class _Template(NamedTuple):
    """What an operation is, names aside."""

    operation: type[Operation]
    resolved: Sequence[_Resolved]
    operands: Sequence[int]
    """For each operand, which of the resolved ones it is."""
    result_types: Sequence[Attribute]
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]


class CachingParser(Parser):
    """xDSL's parser with `FastLexer`; parses each text of a type once. Same results and errors."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>"):
        super().__init__(ctx, input, name)
        self._lexer = FastLexer(self.lexer.input)
        self._parser_state.lexer = self._lexer
        self._parser_state.current_token = self._lexer.lex()
        self.ssa_values = _Values()
        self._types: dict[str, TypeAttribute] = {}
        self._dictionaries: dict[str, dict[str, Attribute]] = {}
        self._templates: dict[tuple[str, ...], dict[object, _Template]] = {}
        self._resolved: list[tuple[UnresolvedOperand, SSAValue]] = []
        """What was resolved for the operation that is being parsed."""
        self._following: object = None
        self._text_end = 0
        """Where the token started that followed the text of the last operation."""

    # Remembered texts

    def parse_optional_type(self) -> TypeAttribute | None:
        token = self._parser_state.current_token
        kind = token.kind
        if (kind is not _BARE and kind is not _EXCLAMATION) or not isinstance(token, FastToken):
            return super().parse_optional_type()
        found = _TYPE.match(self._lexer.input.content, token.start)
        if found is None:
            return self._parse_name_of_type(token)
        text = found[0]
        known = self._types.get(text)
        if known is not None:
            self._lexer.pos = found.end()
            self._parser_state.current_token = self._lexer.lex()
            return known
        parsed = super().parse_optional_type()
        if parsed is not None and self._has_consumed(text, found.end()):
            self._types[text] = parsed
        return parsed

    def _parse_name_of_type(self, token: FastToken) -> TypeAttribute | None:
        """A type that is one token, such as `f32` and `!pld.comm_ctx`."""
        known = self._types.get(token.text)
        if known is not None:
            following = self._lexer.lex()
            if token.kind is _BARE or following.kind is not _LESS:
                self._parser_state.current_token = following
                return known
            self._lexer.pos = token.end
        parsed = super().parse_optional_type()
        if parsed is None:
            return None
        if _is_one_token(parsed) if token.kind is _BARE else _HANDLES.fullmatch(token.text):
            if self._has_consumed(token.text, token.end):
                self._types[token.text] = parsed
        return parsed

    def parse_type(self) -> TypeAttribute:
        parsed = self.parse_optional_type()
        if parsed is None:
            self.raise_error("type expected")
        return parsed

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        token = self._parser_state.current_token
        if token.kind is not _L_BRACE:
            return {}
        found = (
            _DICTIONARY.match(self._lexer.input.content, token.start)
            if isinstance(token, FastToken)
            else None
        )
        if found is None:
            return super().parse_optional_dictionary_attr_dict()
        text = found[0]
        known = self._dictionaries.get(text)
        if known is not None:
            self._lexer.pos = found.end()
            self._parser_state.current_token = self._lexer.lex()
            return known.copy()
        parsed = super().parse_optional_dictionary_attr_dict()
        if self._has_consumed(text, found.end()):
            self._dictionaries[text] = parsed.copy()
        return parsed

    def _has_consumed(self, text: str, end: int) -> bool:
        """Whether a text that ends at `end` may be remembered, and was consumed to its end."""
        return (
            len(text) <= _LONGEST
            and len(self._types) + len(self._dictionaries) < _MOST
            and _NEVER.search(text) is None
            and self._lexer.next_start(end) == self.pos
        )

    # Remembered operations

    def parse_operation(self) -> Operation:
        token = self._parser_state.current_token
        found = (
            _OPERATION.match(self._lexer.input.content, token.start)
            if isinstance(token, FastToken)
            else None
        )
        if found is None:
            return super().parse_operation()
        start, end = found.span(3)
        text = found[3]
        if (location := text.rfind(" loc(")) >= 0:
            text, end = text[:location], start + location
        pieces = _NAMES.split(text)
        results = found[1]
        key = ("" if results is None else str(results.count("%")), found[2], *pieces[::2])
        templates = self._templates.get(key)
        if templates is not None:
            self._lexer.pos = end
            following = self._lexer.lex()
            template = templates.get(_lookahead(following))
            if template is not None:
                self._parser_state.current_token = following
                return self._operation_from(template, found, pieces[1::2])
            assert isinstance(token, FastToken)
            self._lexer.pos = token.end
        self._resolved = []
        op = super().parse_operation()
        if self._lexer.next_start(end) == self._text_end:
            self._remember(op, key, start, text)
        return op

    def _operation_from(
        self, template: _Template, found: re.Match[str], names: Sequence[str]
    ) -> Operation:
        location: LocationAttr | None = None
        generic = found[2][0] == '"'
        if generic:
            location = self.parse_optional_location()
        resolved: list[SSAValue] = []
        for name, part, type_ in template.resolved:
            values = self.ssa_values.get(names[name][1:])
            if values is not None and part < len(values) and values[part].type is type_:
                resolved.append(values[part])
            else:
                span = list(_NAMES.finditer(found[3]))[name].span()
                offset = found.start(3)
                unresolved = UnresolvedOperand(
                    Span(span[0] + offset, span[1] + offset, self._lexer.input), part
                )
                resolved.append(self.resolve_operand(unresolved, type_))
        op = template.operation.create(
            operands=[resolved[index] for index in template.operands],
            result_types=template.result_types,
            properties=template.properties,
            attributes=template.attributes,
        )
        if not generic:
            location = self.parse_optional_location()
        if location is not None:
            op.location = location
        if found[1] is not None:
            start = found.start(1)
            for result, name in zip(op.results, _NAMES.finditer(found[1]), strict=True):
                span = Span(start + name.start(), start + name.end(), self._lexer.input)
                self._register_ssa_definition(name[0][1:], (result,), span)
        return op

    def _remember(self, op: Operation, key: tuple[str, ...], start: int, text: str) -> None:
        """Keeps what `op` is, if its text, which starts at `start`, says so by itself."""
        if (
            not isinstance(op, IRDLOperation)
            or isinstance(op, UnregisteredOp)
            or op.regions
            or op.successors
            or key[1].strip('"') != op.name
            or _NEVER.search(text) is not None
            or "//" in text
            or "\\" in text
            or any("%" in string for string in text.split('"')[1::2])
            or len(self._templates) >= _MOST
        ):
            return
        if key[1][0] != '"' and not (
            op.get_irdl_definition().assembly_format or op.name == "arith.constant"
        ):
            return
        names = {name.start() + start: index for index, name in enumerate(_NAMES.finditer(text))}
        positions = {id(value): index for index, (_, value) in enumerate(self._resolved)}
        if (
            len(names) != len(self._resolved)
            or len(names) != len(positions)
            or any(operand.span.start not in names for operand, _ in self._resolved)
            or any(id(operand) not in positions for operand in op.operands)
        ):
            return
        self._templates.setdefault(key, {})[self._following] = _Template(
            type(op),
            [_Resolved(names[o.span.start], o.index, value.type) for o, value in self._resolved],
            [positions[id(operand)] for operand in op.operands],
            op.result_types,
            op.properties.copy(),
            op.attributes.copy(),
        )

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        value = super().resolve_operand(operand, type)
        self._resolved.append((operand, value))
        return value

    def parse_optional_location(self) -> LocationAttr | None:
        """Called at the end of each operation, whatever its form."""
        token = self._parser_state.current_token
        self._text_end = self.pos
        self._following = _lookahead(token)
        if token.text != "loc":
            return None
        found = _LOCATION.match(self._lexer.input.content, self._text_end)
        if found is None or found[1].count("(") != len(found[5]):
            return super().parse_optional_location()
        self._lexer.pos = found.end()
        self._parser_state.current_token = self._lexer.lex()
        file, line, column = found[2], int(found[3]), int(found[4])
        location: LocationAttr = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
        for name in reversed(_STRING.findall(found[1])):
            location = NameLoc(StringAttr(name), location)
        return location

    # Regions

    def parse_optional_region(
        self, arguments: Sequence[Parser.Argument] | None = None
    ) -> Region | None:
        """
        xDSL copies the names before a region and restores the copy after it. Names are only ever
        added in between, and a dictionary keeps their order, so taking the new ones off again does
        the same: a function with many loops is read in linear time.
        """
        values = self.ssa_values
        before = len(values)
        region = super().parse_optional_region(arguments)
        for _ in range(len(values) - before):
            values.popitem()
        return region

    # Tokens

    @property
    def pos(self) -> int:
        token = self._parser_state.current_token
        return token.start if isinstance(token, FastToken) else token.span.start

    def _parse_optional_token(
        self, expected_kind: MLIRTokenKind
    ) -> Token[MLIRTokenKind, str] | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_punctuation(
        self, punctuation: PunctuationSpelling
    ) -> PunctuationSpelling | None:
        state = self._parser_state
        if state.current_token.kind is not KIND_BY_PUNCTUATION_SPELLING[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(
        self, punctuation: PunctuationSpelling, context_msg: str = ""
    ) -> PunctuationSpelling:
        if self.parse_optional_punctuation(punctuation) is None:
            self.raise_error(f"Expected '{punctuation}'{context_msg}")
        return punctuation

    def parse_optional_characters(self, text: str) -> str | None:
        state = self._parser_state
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text
