"""Named tasks: gold that others published, how it is scored, and what systems reached on it."""

from goldassay.tasks.task import File, Located, Task, all_tasks, find, located, read_tasks

__all__ = ["File", "Located", "Task", "all_tasks", "find", "located", "read_tasks"]
