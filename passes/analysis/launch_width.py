"""
How many blocks a managed all-to-all launches.

The emitted host entry states the same formula again in C++; a test holds the two together.
Source: l2-collectives, Launch width.
"""


def admitted_blocks(limit: int, ranks: int) -> int:
    """
    The blocks B admitted for a requested limit L (`core_num`) and P ranks: L below P, else the
    largest multiple of P not above L. The payload size never enters.
    """
    below = limit < ranks  # equivalent mutant: <=, since P is a multiple of P
    return limit if below else limit // ranks * ranks
