from goldassay.families import all_measures


def test_the_list_names_every_measure(goldassay_command):
    out = goldassay_command("measures").out
    assert all(str(measure()) in out for measure in all_measures().values())


def test_one_measure_is_shown_in_full(goldassay_command):
    out = goldassay_command("measures", "fuzzy").out
    assert out.splitlines()[2] == all_measures()["fuzzy"].__doc__.strip().splitlines()[0] != ""
    for part in ("formula", "threshold = 0.436", "inclusive=true", "@inproceedings{lo2024ollm", "f1 in [0, 1]"):
        assert part in out


def test_an_unknown_measure_is_code_2_with_the_nearest_name(goldassay_command):
    result = goldassay_command("measures", "fuzy")
    assert result.code == 2
    assert "fuzzy" in result.err
