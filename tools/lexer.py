"""
xDSL's lexer with one compiled expression for the common tokens.

xDSL looks at each token's first character, with a table of the punctuation built anew each time.
Here one match skips white space and comments and finds an identifier, a punctuation, a decimal
number or a plain string; whatever it does not know goes to xDSL's own lexer, so that rare tokens
and errors are xDSL's. The tokens make their spans when they are asked for them.
"""

import re

from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRTokenKind,
    StringLiteral,
)

_SKIP = r"(?://[^\n]*+\n?+|\s++)*+"
"""As xDSL: ASCII white space and comments. Possessive, or a token would be found in a comment."""
_TOKEN = re.compile(
    _SKIP
    + r"(?:"
    + r"([a-zA-Z_][a-zA-Z0-9_$.]*)"
    + r"|(%(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))"
    + r"|(->|[:,()}\[\]<>=+/*?|]|\{(?!-\#)|-(?!>))"
    + r"|(!(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))"
    + r"|((?!0x)[0-9]+(?![0-9.]))"  # neither hexadecimal nor a float
    + r'|("[^"\\\n\v\f]*")'
    + r"|(@[a-zA-Z_][a-zA-Z0-9_$.]*)"
    + r"|(\#(?!-\})(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))"
    + r"|(\^(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))"
    + r")",
    re.ASCII,
)
_PUNCTUATION = 3
_KINDS = (
    MLIRTokenKind.EOF,  # no group
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.COLON,  # any punctuation
    MLIRTokenKind.EXCLAMATION_IDENT,
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.STRING_LIT,
    MLIRTokenKind.AT_IDENT,
    MLIRTokenKind.HASH_IDENT,
    MLIRTokenKind.CARET_IDENT,
)
"""The kind of each group of the expression."""
_SKIPPED = re.compile(_SKIP, re.ASCII)


class FastToken(Token[MLIRTokenKind, str]):
    """A token that knows its text, and makes its span when asked for it."""

    def __init__(self, kind: MLIRTokenKind, text: str, start: int, end: int, input: Input[str]):
        self.kind = kind
        self._text = text
        self.start = start
        self.end = end
        self._input = input

    def __getattr__(self, name: str) -> object:
        """The span, at its first use."""
        if name != "span":
            raise AttributeError(name)
        self.span = Span(self.start, self.end, self._input)
        return self.span

    @property
    def text(self) -> str:
        return self._text

    @property
    def content(self) -> str:
        return self._text


def _utf_8(token: Token[MLIRTokenKind, str]) -> Token[MLIRTokenKind, str]:
    """Bytes that are text, as a string."""
    if token.kind is MLIRTokenKind.BYTES_LIT:
        assert isinstance(token.span, StringLiteral)
        try:
            token.span.bytes_contents.decode()
        except UnicodeDecodeError:
            return token
        return Token(MLIRTokenKind.STRING_LIT, token.span)
    return token


class FastLexer(MLIRLexer):
    """
    Yields the tokens and errors of xDSL's lexer, but for text with escapes that is not ASCII.

    xDSL takes `"\\C3\\A9"` for bytes, although its printer, as upstream's, writes "é" so. Here
    what decodes as UTF-8 is a string, and a name stays one when it is printed and read again.
    """

    # xDSL's, made possessive: it takes exponential time for a string that is not closed.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def lex(self) -> Token[MLIRTokenKind, str]:
        found = _TOKEN.match(self.input.content, self.pos)
        if found is None:
            return _utf_8(super().lex())
        group = found.lastindex
        assert group is not None
        start, self.pos = found.span(group)
        text = found[group]
        kind = KIND_BY_PUNCTUATION_SPELLING[text] if group == _PUNCTUATION else _KINDS[group]
        return FastToken(kind, text, start, self.pos, self.input)

    def next_start(self, position: int) -> int:
        """Where the token starts that follows `position`."""
        found = _SKIPPED.match(self.input.content, position)
        assert found is not None
        return found.end()
