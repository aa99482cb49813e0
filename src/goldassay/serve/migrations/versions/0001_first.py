"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("team_id", sa.Integer, sa.ForeignKey("teams.id"), nullable=False, index=True),
        sa.Column("phase", sa.String(200), nullable=False, index=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(8), nullable=False, index=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claim", sa.String(32)),
        sa.Column("message", sa.Text),
        sa.Column("value", sa.Double),
        sa.Column("low", sa.Double),
        sa.Column("high", sa.Double),
        sa.Column("values", sa.JSON),
    )
    op.create_table(
        "tests",
        sa.Column("first", sa.String(32), sa.ForeignKey("submissions.id"), primary_key=True),
        sa.Column("second", sa.String(32), sa.ForeignKey("submissions.id"), primary_key=True),
        sa.Column("p", sa.Double, nullable=False),
    )
