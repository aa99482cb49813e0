"""Text to unit vectors: MiniLM, any sentence-transformers model, vectors from a file, hashed spelling, and the cache."""

from typing import TYPE_CHECKING

from goldassay.core.names import names_of

if TYPE_CHECKING:
    from goldassay.encoders.cache import CachedEncoder, CachedVectors, CacheInfo, cache_info, cache_path, clear_cache
    from goldassay.encoders.hashing import FunctionEncoder, HashingEncoder
    from goldassay.encoders.minilm import MiniLMEncoder
    from goldassay.encoders.named import get_encoder
    from goldassay.encoders.precomputed import PrecomputedEncoder
    from goldassay.encoders.sentence_transformer import SentenceTransformerEncoder
    from goldassay.encoders.static import StaticEncoder

__all__ = [
    "CacheInfo",
    "CachedEncoder",
    "CachedVectors",
    "FunctionEncoder",
    "HashingEncoder",
    "MiniLMEncoder",
    "PrecomputedEncoder",
    "SentenceTransformerEncoder",
    "StaticEncoder",
    "cache_info",
    "cache_path",
    "clear_cache",
    "get_encoder",
]

# Most measures need no encoder.
__getattr__ = names_of(
    "goldassay.encoders",
    {
        "goldassay.encoders.cache": (
            "CacheInfo",
            "CachedEncoder",
            "CachedVectors",
            "cache_info",
            "cache_path",
            "clear_cache",
        ),
        "goldassay.encoders.hashing": ("FunctionEncoder", "HashingEncoder"),
        "goldassay.encoders.minilm": ("MiniLMEncoder",),
        "goldassay.encoders.named": ("get_encoder",),
        "goldassay.encoders.precomputed": ("PrecomputedEncoder",),
        "goldassay.encoders.sentence_transformer": ("SentenceTransformerEncoder",),
        "goldassay.encoders.static": ("StaticEncoder",),
    },
)
