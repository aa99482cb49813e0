"""The embedding cache: one SQLite file with all vectors, so that no text is encoded twice on one machine.

Any number of processes may use it at once. Vectors are committed in chunks while they are made, so that a run that is
killed continues where it stopped.

A cache that cannot be *used* (disk full, folder read-only, locked for half a minute) only costs time: goldassay warns
once and continues without it. A cache that cannot be *trusted* (damaged, or not a cache) is a `CacheError`.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from os.path import exists
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Encoder, FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import CacheError, GoldassayWarning
from goldassay.encoders.texts import check_texts, is_unit

FOLDER_VARIABLE = "GOLDASSAY_CACHE_DIR"
FILE_NAME = "embeddings.sqlite"
CHUNK = 4096
"""Texts encoded between two commits: a killed run loses about a second of work at most."""
BUSY_SECONDS = 30
PAGE_BYTES = 8192
APPLICATION_ID = int.from_bytes(b"krat", "big")
APPLICATION_ID_OFFSET = 68
"""Where the header of an SQLite file keeps the application id: https://www.sqlite.org/fileformat.html, 1.3."""
SCHEMA_VERSION = 2
"""1: vectors without a checksum; such a file is upgraded when it is opened, and its vectors are recomputed."""
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS encoders (
        id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL, dimension INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS vectors (
        encoder INTEGER NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, checksum INTEGER,
        UNIQUE (encoder, text))""",
)
KEY_BYTES = 16
READ = """WITH RECURSIVE wanted (row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM wanted WHERE row + 1 < :count)
    SELECT row, vector, checksum FROM wanted CROSS JOIN vectors
    ON encoder = :encoder AND text = substr(:keys, row * :width + 1, :width)
    AND typeof(vector) = 'blob' AND length(vector) = :bytes"""
"""Reads the vectors of keys that are written one after another. A cross join keeps the order written here: one look into
the index for each key, in the order of the keys."""
READ_TOGETHER = 512
"""Vectors that are checked at once, few enough for the cache of one core."""
PRIMARY_CODE = 0xFF
"""An extended result code holds the primary one in its low byte."""
UNUSABLE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""SQLite errors for a file that may be valid but cannot be used now; all others mean that it is damaged."""


class CachedEncoder:
    """An encoder with a cache, shared by runs and processes.

    A vector that is read back must have the right dimension, length 1 and its checksum; otherwise it is recomputed,
    and replaces the damaged one. Texts are
    identified by their digest: the cache file does not reveal what was encoded.

    Attributes:
        name: The name of the wrapped encoder.
        fingerprint: The fingerprint of the wrapped encoder, the key of its vectors.
        dimension: Length of a vector.
        encoder: The encoder of texts that are not in the cache.
        path: The cache file.

    Args:
        encoder: The encoder to wrap.
        path: The cache file; None is `cache_path`. It is created when the first vectors are stored.

    Example:
        >>> import tempfile
        >>> from goldassay.encoders import HashingEncoder
        >>> path = Path(tempfile.mkdtemp()) / "embeddings.sqlite"
        >>> encoder = CachedEncoder(HashingEncoder(), path)
        >>> encoder.encode(["cat", "dog", "cat"]).shape
        (3, 256)
        >>> cache_info(path).encoders[0].entries
        2
    """

    def __init__(self, encoder: Encoder, path: str | os.PathLike[str] | None = None) -> None:
        self.encoder = encoder
        self.path = cache_path() if path is None else Path(path)
        self.name = encoder.name
        self.fingerprint = encoder.fingerprint
        self.dimension = encoder.dimension
        self._found_by = partial(type(self), encoder, path)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process, perhaps of another user, has a cache of its own.
        return self._found_by, ()

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts, each of them once in the lifetime of the cache.

        Args:
            texts: Any texts.
            progress: Called as texts are done; cached texts count as done from the start.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            CacheError: If the cache file is damaged or is not a cache.
            EncoderError: If a text cannot be encoded.
        """
        words = check_texts(texts)
        rows = {word: row for row, word in enumerate(dict.fromkeys(words))}
        vectors = np.empty((len(rows), self.dimension), dtype=np.float32)
        if rows:
            with closing(_Store(self.path, self.encoder)) as store:
                self._fill(vectors, list(rows), store, progress)
        if len(rows) == len(words):
            return vectors
        return vectors[[rows[word] for word in words]]

    def _fill(self, vectors: FloatMatrix, words: list[str], store: _Store, progress: Progress) -> None:
        keys = [_key(word) for word in words]
        missing = np.flatnonzero(~store.read(keys, vectors))
        done = len(words) - len(missing)
        progress("encoding", done, len(words))
        for start in range(0, len(missing), CHUNK):
            chunk = missing[start : start + CHUNK]
            step = _shift_progress(progress, done + start, len(words))
            vectors[chunk] = self.encoder.encode([words[row] for row in chunk], progress=step)
            store.write([keys[row] for row in chunk], vectors[chunk])


@dataclass(frozen=True, kw_only=True)
class CachedVectors:
    """The entries of one encoder in the cache.

    Attributes:
        name: The name of the encoder.
        fingerprint: Its fingerprint.
        dimension: Length of a vector.
        entries: Number of cached texts.
    """

    name: str
    fingerprint: str
    dimension: int
    entries: int


@dataclass(frozen=True, kw_only=True)
class CacheInfo:
    """The content of a cache file.

    Attributes:
        path: The file.
        bytes: Its size on disk, including the log of SQLite; 0 if it does not exist.
        encoders: One entry for each encoder, ordered by name and fingerprint.
    """

    path: Path
    bytes: int
    encoders: tuple[CachedVectors, ...]


def cache_path() -> Path:
    """Return the path of the embedding cache of this user: in ``GOLDASSAY_CACHE_DIR``, or in the system's folder.

    Returns:
        The path; the file need not exist.

    Example:
        >>> cache_path().name
        'embeddings.sqlite'
    """
    from platformdirs import user_cache_path

    chosen = os.environ.get(FOLDER_VARIABLE)
    return (Path(chosen) if chosen else user_cache_path("goldassay", appauthor=False)) / FILE_NAME


def cache_info(path: str | os.PathLike[str] | None = None) -> CacheInfo:
    """Describe a cache file; changes nothing.

    Args:
        path: The cache file; None is `cache_path`.

    Returns:
        Its size, and its entries for each encoder.

    Raises:
        CacheError: If the file cannot be read, is damaged or is not a cache.

    Example:
        >>> cache_info("no such file").bytes
        0
    """
    path = cache_path() if path is None else Path(path)
    if not exists(path):
        return CacheInfo(path=path, bytes=0, encoders=())
    query = """SELECT name, fingerprint, dimension, (SELECT count(*) FROM vectors WHERE encoder = encoders.id)
        FROM encoders ORDER BY name, fingerprint"""
    try:
        with closing(_open(path)) as connection:
            rows = connection.execute(query).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _unsound(path, str(error)) from error
    held = tuple(CachedVectors(name=n, fingerprint=f, dimension=d, entries=e) for n, f, d, e in rows)
    return CacheInfo(path=path, bytes=sum(file.stat().st_size for file in _files(path)), encoders=held)


def clear_cache(path: str | os.PathLike[str] | None = None) -> int:
    """Delete the cache file, and the log that SQLite keeps next to it.

    Args:
        path: The cache file; None is `cache_path`, which is deleted even if it is damaged.

    Returns:
        The bytes that were freed.

    Raises:
        CacheError: If ``path`` is not a cache of goldassay, or cannot be deleted.

    Example:
        >>> clear_cache("no such file")
        0
    """
    chosen = cache_path() if path is None else Path(path)
    if chosen != cache_path() and exists(chosen) and not _is_ours(chosen):
        raise CacheError(
            "This file is not an embedding cache and is not deleted.",
            path=chosen,
            hint="Check the path; if the file is a damaged cache, delete it by hand.",
        )
    freed = 0
    try:
        for file in _files(chosen):
            freed += file.stat().st_size
            file.unlink()
    except OSError as error:
        raise CacheError("The embedding cache cannot be deleted.", path=chosen, found=str(error)) from error
    return freed


class _Store:
    """The cache file, opened for one encoder; after an error it is disabled, with one warning."""

    def __init__(self, path: Path, encoder: Encoder) -> None:
        self._path = path
        self._dimension = encoder.dimension
        self._encoder_id = 0
        self._seed = zlib.crc32(encoder.fingerprint.encode())
        self._connection: sqlite3.Connection | None = None
        with self._guard():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _open(path)
            self._encoder_id = _encoder_id(self._connection, encoder)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def read(self, keys: list[bytes], vectors: FloatMatrix) -> NDArray[np.bool_]:
        """Fill in the rows that are known, and return which these are."""
        known = np.zeros(len(keys), dtype=np.bool_)
        with self._guard():
            for rows, blobs in self._store(keys):
                found = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(rows), self._dimension)
                vectors[rows] = found
                # A correct checksum shows that this was written; it does not show that an encoder returned it.
                known[rows] = is_unit(found)
        return known

    def write(self, keys: list[bytes], vectors: FloatMatrix) -> None:
        """Store vectors."""
        with self._guard():
            if self._connection is not None:
                blobs = (row.tobytes() for row in vectors.astype("<f4", copy=False))
                with _transaction(self._connection):
                    self._connection.executemany(
                        "INSERT OR REPLACE INTO vectors (encoder, text, vector, checksum) VALUES (?, ?, ?, ?)",
                        (
                            (self._encoder_id, key, blob, self._checksum(key, blob))
                            for key, blob in zip(keys, blobs, strict=True)
                        ),
                    )

    def _store(self, keys: list[bytes]) -> Iterator[tuple[NDArray[np.int64], list[bytes]]]:
        if self._connection is None:
            return
        asked = {"keys": b"".join(keys), "width": KEY_BYTES, "count": len(keys)}
        cursor = self._connection.execute(READ, {**asked, "encoder": self._encoder_id, "bytes": self._dimension * 4})
        while batch := cursor.fetchmany(READ_TOGETHER):
            whole = [(row, blob) for row, blob, checksum in batch if checksum == self._checksum(keys[row], blob)]
            if whole:
                yield np.array([row for row, _ in whole], dtype=np.int64), [blob for _, blob in whole]

    def _checksum(self, key: bytes, blob: bytes) -> int:
        """Detects any flipped bit of a vector, and a vector stored for another text or encoder."""
        return zlib.crc32(blob, zlib.crc32(key, self._seed))

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:
            # SQLite quotes the damaged schema in its message.
            self.close()
            raise _unsound(self._path, str(error)) from error
        except (sqlite3.Error, OSError) as error:
            self.close()
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & PRIMARY_CODE
            if code not in UNUSABLE:
                raise _unsound(self._path, str(error)) from error
            warnings.warn(
                f"The embedding cache cannot be used ({self._path}: {error}). Continuing without it: values are the "
                f"same, but these texts will be encoded again next time. Free disk space, or set {FOLDER_VARIABLE}.",
                GoldassayWarning,
                stacklevel=2,
            )


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        if _is_empty(connection):
            _create(connection)
        _check_schema(path, connection)
        _bring_up_to_date(connection)
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()


def _create(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    with _transaction(connection):
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; the schema is already in the file itself, where `_is_ours` reads it."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # SQLite does not wait for this lock; another process that opens the file is switching it at this moment.
        if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY:
            raise


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    found = tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if found[0] != APPLICATION_ID or not 1 <= found[1] <= SCHEMA_VERSION:
        raise _unsound(path, f"an SQLite file with application id {found[0]}, version {found[1]}")


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
        return
    with _transaction(connection):
        # Another process may have been faster while this one waited for the lock.
        if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
            connection.execute("ALTER TABLE vectors ADD COLUMN checksum INTEGER")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _encoder_id(connection: sqlite3.Connection, encoder: Encoder) -> int:
    with _transaction(connection):
        connection.execute(
            "INSERT OR IGNORE INTO encoders (fingerprint, name, dimension) VALUES (?, ?, ?)",
            (encoder.fingerprint, encoder.name, encoder.dimension),
        )
    query = "SELECT id FROM encoders WHERE fingerprint = ?"
    row = connection.execute(query, (encoder.fingerprint,)).fetchone()
    if row is None:
        raise sqlite3.DatabaseError("what was just inserted is not there")
    found: int = row[0]
    return found


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes made inside, or none of them."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def _unsound(path: Path, found: str) -> CacheError:
    return CacheError(
        "The embedding cache is damaged, or is not a cache.",
        path=path,
        found=found,
        expected=f"an SQLite file of goldassay, version 1 to {SCHEMA_VERSION}",
        hint="goldassay cache clear (the vectors are then recomputed), or --no-cache (Python: cache=None)",
    )


def _is_ours(path: Path) -> bool:
    with path.open("rb") as handle:
        header = handle.read(APPLICATION_ID_OFFSET + 4)
    return header.startswith(b"SQLite format 3\0") and header.endswith(struct.pack(">i", APPLICATION_ID))


def _files(path: Path) -> list[Path]:
    return [file for suffix in ("", "-wal", "-shm") if exists(file := path.with_name(path.name + suffix))]


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def _shift_progress(progress: Progress, start: int, total: int) -> Progress:
    def report(stage: str, done: int, _: int) -> None:
        progress(stage, start + done, total)

    return report
