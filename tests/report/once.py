"""What each page makes anew in a process, and the pages of tests need once."""

from contextlib import contextmanager

import jinja2
import pytest


@contextmanager
def template_compiled_once():
    """Compile the template of the page once: each page makes an environment of its own, with the same options."""
    compile_it, compiled = jinja2.Environment.compile, {}

    def compile_once(environment, source, *rest, **named):
        if source not in compiled:
            compiled[source] = compile_it(environment, source, *rest, **named)
        return compiled[source]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", compile_once)
        yield
