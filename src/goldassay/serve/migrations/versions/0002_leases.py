"""A claim ends: until when a submission is being scored."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; what is being scored now waits again at the next start."""
    op.add_column("submissions", sa.Column("leased", sa.DateTime(timezone=True)))
