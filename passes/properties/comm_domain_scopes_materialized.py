"""
`comm-domain-scopes-materialized`: each window buffer of a host body is a slot of a domain around
it, and its windows go to devices of that domain only.

Source: design.md, Passes; neighbours, materialize-comm-domain-scopes.
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from xdsl_pld.passes.analysis.host_windows import (
    HostBodies,
    HostWindows,
    devices_of_domain,
    domain_of,
)
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.diagnostics import Finding, Note


def violations(module: ModuleOp) -> list[Finding]:
    """Buffers outside a domain, and dispatches of a window to devices outside its domain."""
    return [
        finding for host in HostBodies(module, Roots(Lineage())).all for finding in _in_body(host)
    ]


def _in_body(host: HostWindows) -> Iterator[Finding]:
    for buffer in host.buffers:
        if domain_of(buffer) is None:
            name = buffer.buffer_name.data
            yield Finding(buffer, f'window buffer "{name}" is a slot of no domain around it')
    for dispatch in host.dispatches:
        if dispatch.devices is None:
            continue
        for argument in dispatch.op.arguments:
            for buffer in host.buffers_of(argument):
                domain = domain_of(buffer)
                if domain is None or dispatch.devices <= devices_of_domain(domain):
                    continue
                yield Finding(
                    dispatch.op,
                    f"{name_of(argument)} is dispatched to {dispatch.devices}, but domain "
                    f'"{domain.domain_name.data}" has {devices_of_domain(domain)}',
                    (Note("the domain", domain),),
                )
