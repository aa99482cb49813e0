"""Which process runs which tests, of several that do."""

from xdist.scheduler import LoadGroupScheduling


class Tests(list):
    """All tests in their order, which know their places: to look through them for each takes the square of their number."""

    def __init__(self, tests):
        super().__init__(tests)
        self.places = {test: place for place, test in enumerate(tests)}

    def index(self, test):
        return self.places[test]


class ByFunction(LoadGroupScheduling):
    """All cases of a test go to one process, in their order: a task of its own for each case is slow to look up."""

    def _split_scope(self, nodeid):
        group = super()._split_scope(nodeid)
        return group.partition("[")[0] if group == nodeid else group

    def add_node_collection(self, node, collection):
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Tests(collection)

    def mark_test_complete(self, node, item_index, duration=0):
        """Forget what is done: after each test all that its process was given, and has, is counted."""
        del duration
        test, given = self.registered_collections[node][item_index], self.assigned_work[node]
        group = self._split_scope(test)
        del given[group][test]
        if not given[group]:
            del given[group]
        self._reschedule(node)

    def _reschedule(self, node):
        """Give a process at least two tests, or its end: with fewer it waits for ever where it replaces one that crashed."""
        if node not in self.registered_collections:
            return  # one that replaces another has not collected its tests yet
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)
