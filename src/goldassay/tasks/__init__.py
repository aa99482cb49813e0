"""Named tasks: gold that others published, how it is scored, and what systems reached on it."""

from goldassay.tasks.task import File, Located, Task, find, list_tasks, locate, read_tasks

__all__ = ["File", "Located", "Task", "find", "list_tasks", "locate", "read_tasks"]
