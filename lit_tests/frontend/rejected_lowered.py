# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# The forms of lowered programs, wrongly used.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.Out[pl.Tensor[[8, 4], pl.FP32]]):
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.Out[pl.Tensor[[8, 4], pl.FP32]], f: pl.FP32, n: pl.INDEX):
        self.k(x, y, attrs=n)
        self.k(x, y, attrs={n: 1})
        self.k(x, y, attrs={"task": -1})
        self.k(x, y, attrs={"task": n})
        self.k(x, y, attrs={"task": 1, "task": 2})
        self.k(x, y, attrs={"after": 1})
        self.k(x, y, attrs={"results": [n]})
        pl.slice(x, [1, 4], [0, 0], attrs={"type": pl.FP32})
        pl.slice(x, [1, 4], [0, 0], attrs={"task": 1})
        pl.transpose(x, attrs={"axes": [0, 0]})
        pl.transpose(x, 0)
        pl.reshape(x)
        pl.set_validshape(x)
        pl.arith.xori(f, f)
        pl.arith.ult(f, f)
        pl.arith.select(n, f, f)
        with pld.comm_domain("d", slots=[]):
            pass
        pld.builtin.barrier(x, device=0)
        a = pld.yield_(x)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[8], pl.FP32], n: pl.INDEX):
        with pld.comm_domain(n, slots=[]):
            pass
        with pld.comm_domain("d"):
            pass
        with pld.comm_domain("d", slots="a"):
            pass
        with pld.comm_domain("d", slots=[1]):
            pass
        with pld.comm_domain("d", slots=[], devices=[True]):
            pass
        with pld.comm_domain("d", slots=[], ranks=2):
            pass
        with pld.comm_domain("d", slots=[]) as d:
            pass
        with pld.comm_domain("d", slots=[]):
            a, a = pld.yield_(n, n)
        with pld.comm_domain("d", slots=[]):
            a = pld.yield_(n, n)
        with pld.comm_domain("d", slots=[]):
            inside = n + 1
            n = n + 2
        pld.get_comm_ctx(inside)
        m = n + 1
        with pld.comm_domain("d", slots=[]):
            with pld.comm_domain("e", slots=[]):
                b = n
                c = pld.yield_(b, missing)
        with pld.comm_domain("d", slots=[]):
            e = pld.yield_(missing)
        pld.get_comm_ctx(e)


# CHECK: rejected_lowered.py:17:28: error: attrs must be a dictionary, written out, with arg_directions, task, after, results
# CHECK: rejected_lowered.py:18:29: error: attrs has no key of this kind here; its keys: arg_directions, task, after, results
# CHECK: rejected_lowered.py:19:37: error: expected a constant integer that is not negative
# CHECK: rejected_lowered.py:20:37: error: expected a constant integer that is not negative
# CHECK: rejected_lowered.py:21:40: error: attrs has the key 'task' twice
# CHECK: rejected_lowered.py:22:38: error: expected a list, written out
# CHECK: rejected_lowered.py:23:41: error: 'n' is no constant: it is a parameter of this function
# CHECK: rejected_lowered.py:24:43: error: the result is a tensor, not f32
# CHECK: rejected_lowered.py:25:44: error: attrs has no key 'task' here; its keys: type
# CHECK: rejected_lowered.py:26:31: error: the axes are no order of 2 axes
# CHECK: rejected_lowered.py:27:9: error: pl.transpose needs 'i' and 'j', the axes that it swaps
# CHECK: rejected_lowered.py:28:9: error: pl.reshape needs 'shape'
# CHECK: rejected_lowered.py:29:9: error: pl.set_validshape needs 'r', the valid rows
# CHECK: rejected_lowered.py:30:9: error: pl.arith.xori is for integers, not for f32
# CHECK: rejected_lowered.py:31:9: error: pl.arith.ult is for integers, not for f32
# CHECK: rejected_lowered.py:32:25: error: a condition must be i1, not index
# CHECK: rejected_lowered.py:33:14: error: pld.comm_domain is for host bodies (level HOST, role Orchestrator)
# CHECK: rejected_lowered.py:35:9: error: pld.builtin.barrier is for host bodies (level HOST, role Orchestrator)
# CHECK: rejected_lowered.py:36:13: error: pld.yield_ has no place here
# CHECK: rejected_lowered.py:40:30: error: expected a string
# CHECK: rejected_lowered.py:42:14: error: pld.comm_domain needs slots=[...], the names of its window buffers
# CHECK: rejected_lowered.py:44:41: error: expected a list, written out
# CHECK: rejected_lowered.py:46:42: error: expected a string
# CHECK: rejected_lowered.py:48:54: error: expected a constant integer
# CHECK: rejected_lowered.py:50:45: error: pld.comm_domain takes no keyword 'ranks'
# CHECK: rejected_lowered.py:52:48: error: pld.comm_domain has nothing to bind to a name
# CHECK: rejected_lowered.py:55:13: error: pld.yield_ gives its values to names, each another one
# CHECK: rejected_lowered.py:57:17: error: pld.yield_ gives 2 values to 1 names
# CHECK: rejected_lowered.py:61:26: error: 'inside' belongs to the domain at line 58: give it out by pld.yield_, last in the scope
# CHECK: rejected_lowered.py:58:9: note: the domain
# CHECK: rejected_lowered.py:62:13: error: 'n' belongs to the domain at line 58: give it out by pld.yield_, last in the scope
# CHECK: rejected_lowered.py:66:21: error: pld.yield_ gives 2 values to 1 names
# CHECK: rejected_lowered.py:68:28: error: 'missing' has no value here
