"""A server may have several tasks, and says how long scoring took."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("submissions", sa.Column("task", sa.String(100), nullable=False, server_default=""))
    op.add_column("submissions", sa.Column("seconds", sa.Double()))
