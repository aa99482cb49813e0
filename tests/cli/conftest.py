import pytest


@pytest.fixture
def files(tmp_path):
    """A gold standard and two predictions as edge lists."""
    written = {
        "gold.csv": "child,parent\nleukemia,cancer\ncancer,disease\nflu,disease\n",
        "good.csv": "child,parent\nleukemia,cancer\nflu,disease\n",
        "poor.csv": "child,parent\nleukemia,cancer\ntraffic,delay\nrain,delay\n",
    }
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    return tmp_path
