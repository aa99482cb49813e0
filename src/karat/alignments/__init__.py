"""Family 3: ontology alignments."""

from karat.alignments.model import Alignment
from karat.alignments.overlap import Overlap
from karat.alignments.read import read_alignment
from karat.alignments.reading import AlignmentReading
