"""What a leaderboard must not lose: teams, submissions, scores and tests, in a database, and the uploads in a folder."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    JSON,
    Boolean,
    ColumnElement,
    DateTime,
    Double,
    Engine,
    ForeignKey,
    String,
    Text,
    and_,
    create_engine,
    delete,
    event,
    false,
    func,
    not_,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, InterfaceError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import TypeDecorator

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.patterns import pattern_of
from goldassay.core.significance import letters

ALPHA = 0.05
MIGRATIONS = Path(__file__).with_name("migrations")
QUEUED, RUNNING, SCORED, FAILED = "queued", "running", "scored", "failed"
MOST_WAITING = 5
"""How many submissions of a team may wait at a time."""
LEASE = timedelta(minutes=1)
"""How long a claim holds that is not renewed: its worker may be gone, or the database did not answer."""
IDENTIFIER = pattern_of(r"[0-9a-f]{32}")
NO_ANSWER = (OperationalError, InterfaceError)
"""The errors of a database that is away; others come again however often a statement is tried."""
MOST_TRIES = 5
"""How often a submission is scored whose worker, or whose server, ends before it is done."""
LONGEST_TEAM = 60


def groups_of(names: Sequence[str], p: Mapping[frozenset[str], float]) -> list[str] | None:
    """Assign letters to ranked systems: two share a letter exactly if they do not differ significantly; None if a pair was not tested."""
    # All pairs are tested, so the p values are adjusted for the false discovery rate.
    # Source: Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical
    # Society B 57 (1995).
    pairs = [frozenset(pair) for pair in combinations(names, 2)]
    if any(pair not in p for pair in pairs):
        return None
    place = {name: number for number, name in enumerate(names)}
    return letters(len(names), {frozenset(map(place.__getitem__, pair)) for pair in _differing(pairs, p)})


def _differing(pairs: Sequence[frozenset[str]], p: Mapping[frozenset[str], float]) -> set[frozenset[str]]:
    """Choose the pairs that differ while the false discovery rate is below alpha (Benjamini and Hochberg 1995)."""
    ordered = sorted(pairs, key=lambda pair: p[pair])
    last = max((rank for rank, pair in enumerate(ordered, 1) if p[pair] * (len(pairs) / rank) < ALPHA), default=0)
    return set(ordered[:last])


class Moment(TypeDecorator[datetime]):
    """A time in UTC, also where the database knows no offsets."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Write it in UTC."""
        del dialect
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Read it as UTC."""
        del dialect
        return value and (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC))


class Base(DeclarativeBase):
    """All tables."""


class Team(Base):
    """A team, known by the digest of its token."""

    __tablename__ = "teams"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_TEAM), unique=True)
    token: Mapped[str] = mapped_column(String(64), unique=True)


class Invitation(Base):
    """An invitation, known by the digest of its code."""

    __tablename__ = "invitations"
    code: Mapped[str] = mapped_column(String(64), primary_key=True)
    left: Mapped[int]  # how many teams may still join with it


class Submission(Base):
    """A submission, and what came of it."""

    __tablename__ = "submissions"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    # the name of its task; empty where a challenge is served for itself
    task: Mapped[str] = mapped_column(String(100), default="", server_default="")
    phase: Mapped[str] = mapped_column(String(200), index=True)
    name: Mapped[str] = mapped_column(String(200))
    sha256: Mapped[str] = mapped_column(String(64))
    received: Mapped[datetime] = mapped_column(Moment)
    state: Mapped[str] = mapped_column(String(8), index=True)  # `queued`, `running`, `scored` or `failed`
    tries: Mapped[int]
    # the random name of the run that may write its result; its folder of results, too
    claim: Mapped[str | None] = mapped_column(String(32))
    leased: Mapped[datetime | None] = mapped_column(Moment)  # until when the claim holds, unless it is renewed
    message: Mapped[str | None] = mapped_column(Text)
    value: Mapped[float | None] = mapped_column(Double)
    low: Mapped[float | None] = mapped_column(Double)
    high: Mapped[float | None] = mapped_column(Double)
    values: Mapped[dict[str, dict[str, float | None]] | None] = mapped_column(JSON)
    seconds: Mapped[float | None] = mapped_column(Double)  # the processor time that scoring took
    # whether its team has taken it back: it has no place on the leaderboard
    withdrawn: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    # whether it counts for its team, instead of the best
    chosen: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())


class ComparedSubmission(Base):
    """The p value of the paired test between two submissions, the lesser id first."""

    __tablename__ = "tests"
    first: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    second: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    p: Mapped[float] = mapped_column(Double)


class TooManyError(Exception):
    """A team has sent as much as it may; the message says what."""


class Order(NamedTuple):
    """How submissions are ranked."""

    higher_is_better: bool
    step: float | None = None  # the size of the steps of a ladder; None without one


class RankedTeam(NamedTuple):
    """The submission of a team that counts: the one it has chosen, else the best."""

    team: str
    best: Submission
    value: float  # the value that is shown, and ranks
    scored: int  # how many submissions of the team were scored in the phase


def climb(values: Sequence[float], order: Order) -> list[float]:
    """Show each value of a team; on a ladder the best of its steps so far, until a value is better by more than a step."""
    # However often a team asks, it learns of gold only what the few steps say.
    # Source: A. Blum and M. Hardt, The Ladder: a reliable leaderboard for machine learning competitions, ICML 2015,
    # algorithm 1.
    if order.step is None:
        return list(values)
    shown: list[float] = []
    sign = 1 if order.higher_is_better else -1
    for value in values:
        if not shown or sign * (value - shown[-1]) > order.step:
            # Divided by a whole number where there is one: 0.53 and not 0.5300000000000001.
            shown.append(round(round(value / order.step) * order.step, 12))
        else:
            shown.append(shown[-1])
    return shown


def _check_team(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_TEAM or not name.isprintable():
        expected = f"1 to {LONGEST_TEAM} characters on one line"
        raise UsageError("Invalid team name.", found=repr(name[: LONGEST_TEAM + 10]), expected=expected)


def digest_of(token: str) -> str:
    """Return what is kept of a token. A random token of 256 bits cannot be guessed, so it needs no slow digest."""
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    """The database and the folder."""

    task: str | None = None

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder, self.uploads, self.results = folder, folder / "submissions", folder / "results"
        try:
            for one in (folder, self.uploads, self.results):
                one.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                "The folder of the leaderboard cannot be made.",
                found=f"{folder}: {error.strerror}",
                hint="choose another folder: --data DIR",
            ) from None
        self.engine = _engine(url or f"sqlite:///{folder / 'leaderboard.sqlite'}")
        self._migrate(url)

    def _migrate(self, url: str | None) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        try:
            with self.engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except OperationalError as error:
            raise UsageError(
                "The database cannot be used.",
                found=str(error.orig).partition("\n")[0],
                expected="sqlite:///FILE or postgresql://USER@HOST/NAME",
                hint=None if url else "make the folder writable, or choose another with --data",
            ) from None

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def only(self, task: str) -> Store:
        """Return the same store, in which the submissions of other tasks are not seen."""
        found = copy(self)
        found.task = task
        return found

    def _seen(self) -> ColumnElement[bool]:
        return true() if self.task is None else Submission.task == self.task

    # -- teams ---------------------------------------------------------------------------------------------------------

    def add_team(self, name: str) -> str:
        """Add a team."""
        _check_team(name)
        with self._session_of_names(name) as session:
            return self._add(session, name)

    @contextmanager
    def _session_of_names(self, name: str) -> Iterator[Session]:
        try:
            with self._session() as session:
                yield session
        except IntegrityError:
            raise UsageError("This team name is taken.", found=name) from None

    @staticmethod
    def _add(session: Session, name: str) -> str:
        # Two names that differ only in case would be taken for one team.
        taken = [one for one in session.scalars(select(Team.name)) if one.casefold() == name.casefold()]
        if taken:
            raise UsageError("This team name is taken.", found=taken[0])
        token = secrets.token_urlsafe(32)
        session.add(Team(name=name, token=digest_of(token)))
        return token

    def invite(self, teams: int) -> str:
        """Make an invitation with which some teams may add themselves, and return its code."""
        code = secrets.token_urlsafe(32)
        with self._session() as session:
            session.add(Invitation(code=digest_of(code), left=teams))
        return code

    def join(self, code: str, name: str) -> str | None:
        """Add a team that has an invitation, and return its token; None if the invitation is unknown or used up."""
        _check_team(name)
        with self._session_of_names(name) as session:
            mine = (Invitation.code == digest_of(code), Invitation.left > 0)
            used = session.execute(
                update(Invitation).where(*mine).values(left=Invitation.left - 1).returning(Invitation.code)
            )
            return self._add(session, name) if used.first() else None

    def teams(self) -> list[tuple[str, int]]:
        """List the teams, and how many submissions each has sent."""
        with self._session() as session:
            counted = select(Team.name, func.count(Submission.id)).outerjoin(Submission).group_by(Team.id)
            return [(name, count) for name, count in session.execute(counted.order_by(Team.name))]

    def new_token(self, name: str) -> str:
        """Replace the token of a team."""
        token = secrets.token_urlsafe(32)
        with self._session() as session:
            self._team_named(session, name).token = digest_of(token)
        return token

    def remove_team(self, name: str) -> int:
        """Remove a team with its submissions, and count these."""
        with self._session() as session:
            team = self._team_named(session, name)
            own = [*session.scalars(select(Submission).where(Submission.team_id == team.id))]
            names = [one.id for one in own]
            session.execute(
                delete(ComparedSubmission).where(
                    or_(ComparedSubmission.first.in_(names), ComparedSubmission.second.in_(names))
                )
            )
            session.execute(delete(Submission).where(Submission.id.in_(names)))
            session.delete(team)
        for one in own:
            (self.uploads / one.id).unlink(missing_ok=True)
            if one.claim:
                shutil.rmtree(self.results / one.claim, ignore_errors=True)
        return len(own)

    @staticmethod
    def _team_named(session: Session, name: str) -> Team:
        team = session.scalars(select(Team).where(Team.name == name)).first()
        if team is None:
            raise unknown_choice_error("team", name, [*session.scalars(select(Team.name))])
        return team

    def team_of(self, token: str) -> Team | None:
        """Find the team that has a token. Digests are looked up, so the time of an answer reveals nothing of a token."""
        with self._session() as session:
            return session.scalars(select(Team).where(Team.token == digest_of(token))).first()

    # -- submissions ---------------------------------------------------------------------------------------------------

    def keep(
        self,
        team: Team,
        *,
        phase: str,
        name: str,
        upload: Path,
        now: datetime,
        a_day: int | None,
        most: int | None = None,
    ) -> Submission:
        """Keep a submission, so that nothing can lose it once this returns."""
        with upload.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            os.fsync(stream.fileno())
        kept = Submission(
            id=uuid4().hex,
            team_id=team.id,
            task=self.task or "",
            phase=phase,
            name=name,
            sha256=digest,
            received=now,
            state=QUEUED,
            tries=0,
        )
        upload.rename(self.uploads / kept.id)
        try:
            _sync(self.uploads)
            with self._session() as session:
                # Two uploads of one team at once wait for each other here.
                session.execute(select(Team).where(Team.id == team.id).with_for_update())
                self._check_many(session, team, phase, now, a_day=a_day, most=most)
                session.add(kept)
        except BaseException:
            (self.uploads / kept.id).unlink(missing_ok=True)
            raise
        return kept

    def _check_many(
        self, session: Session, team: Team, phase: str, now: datetime, *, a_day: int | None, most: int | None
    ) -> None:
        own = select(func.count()).select_from(Submission).where(Submission.team_id == team.id)
        waiting = session.scalar(own.where(Submission.state.in_((QUEUED, RUNNING)))) or 0
        if waiting >= MOST_WAITING:
            raise TooManyError(f"{waiting} submissions of your team are waiting; send more when they are scored.")
        morning = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        # What the machine could not score is nothing that its team sent too often.
        given_up = and_(Submission.state == FAILED, Submission.tries >= MOST_TRIES)
        sent = own.where(self._seen(), Submission.phase == phase, not_(given_up))
        if most is not None and (session.scalar(sent) or 0) >= most:
            raise TooManyError(
                f"Submissions reached: your team has sent {most} in this phase, which is all that it may."
            )
        today = session.scalar(sent.where(Submission.received >= morning)) or 0
        if a_day is not None and today >= a_day:
            again = morning + timedelta(days=1)
            raise TooManyError(
                f"Submissions per day reached ({a_day} in this phase); the next one is possible from {again:%Y-%m-%d} 00:00 UTC."
            )

    def find(self, name: str) -> tuple[Submission, str] | None:
        """Find a submission and the name of its team."""
        # PostgreSQL refuses other texts, such as NUL.
        if not IDENTIFIER.fullmatch(name):
            return None
        with self._session() as session:
            row = session.execute(
                select(Submission, Team.name).join(Team).where(Submission.id == name, self._seen())
            ).first()
        return row and (row[0], row[1])

    def sent_by(self, team: Team) -> list[Submission]:
        """List the submissions of a team, the latest first."""
        own = select(Submission).where(Submission.team_id == team.id, self._seen())
        with self._session() as session:
            return [*session.scalars(own.order_by(Submission.received.desc(), Submission.id))]

    def all_submissions(self) -> list[tuple[Submission, str]]:
        """List all submissions with the names of their teams, in the order in which they came."""
        rows = select(Submission, Team.name).join(Team).order_by(Submission.received, Submission.id)
        with self._session() as session:
            return [(one, team) for one, team in session.execute(rows)]

    def withdraw(self, one: Submission) -> None:
        """Take a submission off the leaderboard."""
        with self._session() as session:
            session.execute(update(Submission).where(Submission.id == one.id).values(withdrawn=True, chosen=False))

    def choose(self, one: Submission) -> None:
        """Let a submission count for its team in its phase, also one that was withdrawn."""
        same = (Submission.team_id == one.team_id, Submission.task == one.task, Submission.phase == one.phase)
        with self._session() as session:
            session.execute(update(Submission).where(*same).values(chosen=False))
            session.execute(update(Submission).where(Submission.id == one.id).values(withdrawn=False, chosen=True))

    def claim(self, lease: timedelta = LEASE, tasks: Iterable[str] | None = None) -> Submission | None:
        """Take the submission that has waited longest, to score it; also one whose claim has ended, since nothing renews it."""
        # What was ended before waits behind what was not: kills hit all alike, and what ends its worker holds up no
        # other.
        now = datetime.now(UTC)
        with self._session() as session:
            self._put_back(session, Submission.leased < now)
            known = true() if tasks is None else Submission.task.in_([*tasks])
            waiting = select(Submission).where(Submission.state == QUEUED, known)
            first = waiting.order_by(Submission.tries, Submission.received, Submission.id)
            found = session.scalars(first.limit(1).with_for_update(skip_locked=True)).first()
            if found is not None:
                found.state, found.claim, found.tries = RUNNING, uuid4().hex, found.tries + 1
                found.leased = now + lease
            return found

    def renew(self, claimed: Submission, lease: timedelta = LEASE) -> None:
        """Renew a claim."""
        self._write_result(claimed, leased=datetime.now(UTC) + lease)

    def finish(self, claimed: Submission, **result: Any) -> bool:
        """Write what came of a submission, once: nothing is written if another run has taken it since."""
        return self._write_result(claimed, **result, leased=None)

    def _write_result(self, claimed: Submission, **result: Any) -> bool:
        mine = (Submission.id == claimed.id, Submission.claim == claimed.claim, Submission.state == RUNNING)
        with self._session() as session:
            done = session.execute(update(Submission).where(*mine).values(**result).returning(Submission.id))
            return done.first() is not None

    def give_back(self, claimed: Submission) -> None:
        """Queue a submission again whose worker was ended from outside, or give it up after some times."""
        with self._session() as session:
            self._put_back(session, Submission.id == claimed.id, Submission.claim == claimed.claim)

    def take_up(self) -> int:
        """Begin after a stop, however it came: what was being scored waits again; uploads that were never accepted are removed."""
        with self._session() as session:
            self._put_back(session)
            known = {*session.scalars(select(Submission.id))}
            waiting = session.scalar(select(func.count()).where(Submission.state == QUEUED)) or 0
        for path in self.uploads.iterdir():
            if path.name not in known:
                path.unlink()
        return waiting

    @staticmethod
    def _put_back(session: Session, *which: ColumnElement[bool]) -> None:
        """Queue the submissions that were being scored again, or give them up if they may have ended their workers."""
        for one in session.scalars(select(Submission).where(Submission.state == RUNNING, *which)):
            tired = one.tries >= MOST_TRIES
            one.state, one.claim, one.leased = (FAILED if tired else QUEUED), None, None
            one.message = f"Scoring was ended from outside {one.tries} times. Ask the organiser." if tired else None

    def score_again(self) -> int:
        """Queue all submissions that are seen again, and count them."""
        anew = {
            "state": QUEUED,
            "tries": 0,
            "claim": None,
            "leased": None,
            "message": None,
            "value": None,
            "low": None,
            "high": None,
            "seconds": None,
        }
        own = select(Submission.id).where(self._seen())
        with self._session() as session:
            session.execute(delete(ComparedSubmission).where(ComparedSubmission.first.in_(own)))
            again = update(Submission).where(self._seen())
            changed = session.execute(again.values(**anew, values=None).returning(Submission.id))
            return len(changed.all())

    def waiting_before(self, one: Submission) -> int:
        """Count the submissions that are scored before this one."""
        with self._session() as session:
            before = or_(
                Submission.tries < one.tries,
                and_(Submission.tries == one.tries, Submission.received < one.received),
                and_(Submission.tries == one.tries, Submission.received == one.received, Submission.id < one.id),
            )
            waiting = select(func.count()).select_from(Submission).where(Submission.state == QUEUED, before)
            return session.scalar(waiting) or 0

    # -- the leaderboard -----------------------------------------------------------------------------------------------

    def rank_teams(self, phase: str, order: Order) -> list[RankedTeam]:
        """List the teams of a phase by the submissions that count; of two alike the earlier one is first."""
        by_team = self._scored_by(Team.name, Submission.phase == phase)
        sign = -1 if order.higher_is_better else 1

        def key(one: RankedTeam) -> tuple[float, datetime]:
            return sign * one.value, one.best.received

        ranked = []
        for team, found in by_team.items():
            # What was withdrawn has been seen: it stays a step of the ladder.
            values = climb([one.value or 0.0 for one in found], order)
            shown = zip(found, values, strict=True)
            here = [RankedTeam(team, one, value, len(found)) for one, value in shown if not one.withdrawn]
            chosen = [one for one in here if one.best.chosen]
            ranked += [min(chosen or here, key=key)] if here else []
        return sorted(ranked, key=key)

    def shown_values(self, team: int, order: Order) -> dict[str, float]:
        """Return the value that is shown of each scored submission of a team: on a ladder that of the team so far in its phase."""
        by_phase = self._scored_by(Submission.phase, Submission.team_id == team)
        return {
            one.id: value
            for found in by_phase.values()
            for one, value in zip(found, climb([one.value or 0.0 for one in found], order), strict=True)
        }

    def _scored_by(self, group: Any, *which: ColumnElement[bool]) -> dict[str, list[Submission]]:
        """List scored submissions that have a value, in the order in which they came, by a column."""
        scored = (Submission.state == SCORED, Submission.value.is_not(None), self._seen(), *which)
        rows = select(Submission, group).join(Team).where(*scored).order_by(Submission.received, Submission.id)
        found: dict[str, list[Submission]] = {}
        with self._session() as session:
            for submission, name in session.execute(rows):
                found.setdefault(name, []).append(submission)
        return found

    def tests_of(self, names: Iterable[str]) -> dict[frozenset[str], float]:
        """Return the p values that are known between submissions."""
        asked = list(names)
        rows = select(ComparedSubmission).where(
            ComparedSubmission.first.in_(asked), ComparedSubmission.second.in_(asked)
        )
        with self._session() as session:
            return {frozenset((row.first, row.second)): row.p for row in session.scalars(rows)}

    def add_tests(self, found: Mapping[tuple[str, str], float]) -> None:
        """Keep p values."""
        with self._session() as session:
            for pair, p in found.items():
                first, second = sorted(pair)
                session.merge(ComparedSubmission(first=first, second=second, p=p))


def _engine(url: str) -> Engine:
    try:
        # The driver of PostgreSQL that is maintained.
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1), pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise UsageError(
            "Not a valid database address.", found=str(error), expected="sqlite:///FILE or postgresql://..."
        ) from None
    except ImportError as error:
        raise UsageError(
            "The driver of the database is not installed.", found=str(error.name), hint="pip install 'psycopg[binary]'"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        # Writers wait for each other from the start, instead of failing in the middle.
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _set_up_sqlite(connection: Any, record: object) -> None:
    del record
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")


def _sync(folder: Path) -> None:
    """Make new names in a folder last, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
