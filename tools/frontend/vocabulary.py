"""
Which names of a file mean `pypto.language` and its distributed part.

Both imports are recognised under any alias, names imported from them too; a dotted name is then
canonical: `pl.tile.load`, `pld.tensor.put`. Source: the DSL reference, section 2.
"""

import ast
from dataclasses import dataclass, field

_LANGUAGE = "pypto.language"
_DISTRIBUTED = "pypto.language.distributed"


@dataclass
class Vocabulary:
    """The names that a file's imports give to the DSL, and the other imported names."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    foreign: dict[str, ast.alias] = field(default_factory=dict[str, ast.alias])

    @staticmethod
    def of(module: ast.Module) -> "Vocabulary":
        vocabulary = Vocabulary()
        for statement in ast.walk(module):
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    vocabulary._import(alias)
            elif isinstance(statement, ast.ImportFrom):
                for alias in statement.names:
                    vocabulary._import_from(statement.module or "", alias)
        return vocabulary

    def path(self, node: ast.expr) -> str | None:
        """The canonical dotted name of a DSL name, None for any other expression."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.names:
            return None
        path = ".".join([self.names[node.id], *reversed(parts)])
        # `pl.distributed.x`, `pypto.language.distributed.x`
        for prefix, short in (
            ("pypto.language.distributed", "pld"),
            ("pl.distributed", "pld"),
            ("pypto.language", "pl"),
        ):
            if path == prefix or path.startswith(f"{prefix}."):
                return short + path.removeprefix(prefix)
        return path

    def _import(self, alias: ast.alias) -> None:
        if alias.name == _DISTRIBUTED and alias.asname:
            self.names[alias.asname] = "pld"
        elif alias.name == _LANGUAGE and alias.asname:
            self.names[alias.asname] = "pl"
        elif alias.name.split(".")[0] == "pypto":
            self.names[alias.asname or "pypto"] = "pypto"
        else:
            self.foreign[alias.asname or alias.name.split(".")[0]] = alias

    def _import_from(self, module: str, alias: ast.alias) -> None:
        name = alias.asname or alias.name
        full = f"{module}.{alias.name}"
        if full in (_LANGUAGE, _DISTRIBUTED):
            self.names[name] = "pl" if full == _LANGUAGE else "pld"
        elif module == _LANGUAGE:
            self.names[name] = f"pl.{alias.name}"
        elif module == _DISTRIBUTED:
            self.names[name] = f"pld.{alias.name}"
        else:
            self.foreign[name] = alias
