"""A team may withdraw a submission, and choose the one that counts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; nothing is withdrawn or chosen yet."""
    for name in ("withdrawn", "chosen"):
        op.add_column("submissions", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
