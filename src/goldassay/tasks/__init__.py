"""Named tasks: gold that others published, how it is scored, and what systems reached on it."""

from goldassay.tasks.registry import all_tasks, find
from goldassay.tasks.store import Located, located
from goldassay.tasks.task import File, Task, read_tasks

__all__ = ["File", "Located", "Task", "all_tasks", "find", "located", "read_tasks"]
