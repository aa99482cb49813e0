"""As many threads as there are cores, each with a product of its own."""

import os

import pytest
from threadpoolctl import threadpool_info

from goldassay.kernels.threads import _blas, limit_threads, pool, workers


@pytest.mark.parametrize(("cores", "threads"), [(None, 1), (1, 1), (3, 3)])
def test_there_are_as_many_threads_as_cores(cores, threads, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert workers() == threads


@pytest.mark.parametrize("kept", [limit_threads, pool])
def test_a_product_takes_one_thread(kept):
    # Libraries are looked for once, and another test may have loaded one since.
    _blas.cache_clear()
    with kept():
        assert {found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"} == {1}
