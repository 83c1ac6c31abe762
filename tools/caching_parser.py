"""
xDSL's parser, reading each type and attribute dictionary once.

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

The other methods do what xDSL's do with fewer calls; `xdsl_internals` lists what they rely on.
"""

import re
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, NoneType
from xdsl.ir import Attribute, Region, SSAValue, TypeAttribute
from xdsl.parser import Parser
from xdsl.utils.lexer import Token
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

_BARE = MLIRTokenKind.BARE_IDENT
_EXCLAMATION = MLIRTokenKind.EXCLAMATION_IDENT
_L_BRACE = MLIRTokenKind.L_BRACE
_LESS = MLIRTokenKind.LESS


def _is_one_token(type_: TypeAttribute) -> bool:
    return isinstance(type_, IndexType | IntegerType | AnyFloat | NoneType)


class _Values(dict[str, tuple[SSAValue, ...]]):
    """Value names. xDSL copies them all at each region; see `parse_optional_region`."""

    def copy(self) -> "_Values":
        return self


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
