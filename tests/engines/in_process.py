"""A cluster in this process: the rows of Polars, cut into small record batches, so that waves can be tried without Spark."""

import narwhals.stable.v2 as nw
import polars as pl

from goldassay.engines.encoding import encode_batches, making

KINDS = {"string": pl.String, "long": pl.Int64, "array<float>": pl.List(pl.Float32)}


class InProcess:
    """What `goldassay.core.lazy.Cluster` says.

    Attributes:
        batch: Rows of a record batch.
        shown: The sizes of the frames that were fetched.
    """

    name = "in process"

    def __init__(self, batch=3):
        self.batch = batch
        self.shown = []

    def materialize(self, frame):
        return nw.from_native(frame.to_native().collect().lazy())

    def rows(self, frame):
        return frame.to_native().collect().to_dicts()

    def arrow(self, frame):
        table = self._table(frame)
        self.shown.append(len(table))
        return table

    def through(self, frame, function, columns, *, together=()):
        table = self._table(frame.sort(*together) if together else frame)
        made = list(function(iter(table.to_batches(max_chunksize=self.batch))))
        schema = {name: KINDS[kind] for name, kind in columns.items()}
        found = pl.concat([pl.DataFrame(schema=schema), *(pl.DataFrame(batch).cast(schema) for batch in made)])
        return nw.from_native(found.lazy())

    def encode_texts(self, texts, encoder):
        from functools import partial

        work = partial(encode_batches, make=making(encoder), fingerprint=encoder.fingerprint)
        return self.materialize(self.through(texts, work, {"text": "string", "vector": "array<float>"}))

    def _table(self, frame):
        return frame.to_native().collect().to_arrow(compat_level=pl.CompatLevel.oldest())
