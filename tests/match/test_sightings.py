"""When a message counts as seen, whole or cut, and what a paste offers besides: one rule a test.

Texts are folded as the matcher folds them: without blanks and quotation marks, in lower case.
"""

import pytest
from small import compiled

from unmeta.match.compile import grammar_here
from unmeta.match.evidence import Evidence, numbers, order, sightings, stopped_at, wording
from unmeta.match.read import PasteFrame, Reader

READER = Reader(grammar_here())
META = "cannotcopyoutofmetatensor;nodata!pleaseusetorch.nn.module.to_empty()"  # 68 letters, `meta` at 15
PLAIN = "thedevice_mapprovideddoesnotgiveanydeviceforthefollowingparameters:"  # 67 letters
LATE = "expectedalltensorstobeonthesamedevice,butfoundatleasttwodevices,cudaandmeta!"


def seen(text, *literals, ends=(), more=()):
    """(place of the symptom, name, span) of what is seen of one wording, and of `more`."""
    known = [wording(0, "name", list(literals)), *more]
    found = sightings(known, text, {0, len(text), *ends})
    return [(one.symptom, one.name, one.span) for one in found]


# whole


def test_a_whole_message_is_seen_by_name_where_its_literals_stand():
    assert seen(f"x{META}y", META) == [(0, "name", [(1, 69)])]
    assert seen("key: layer.0 is on the meta device", "key:", "isonthemetadevice") == []
    assert seen("key:layer.0isonthemetadevice", "key:", "isonthemetadevice") == [
        (0, "name", [(0, 4), (11, 28)])
    ]


def test_each_place_of_a_message_is_seen_in_the_order_of_the_text():
    assert [span for _, _, span in seen(f"{META}xx{META}", META)] == [[(0, 68)], [(70, 138)]]
    other = wording(1, "other", [PLAIN])
    assert [at for at, _, _ in seen(META + PLAIN, META, more=[other])] == [0, 1]
    assert [at for at, _, _ in seen(PLAIN + META, META, more=[other])] == [1, 0]


def test_of_messages_that_overlap_the_one_with_most_letters_is_seen():
    short = wording(1, "short", [META[:33]])
    assert seen(META, META, more=[short]) == [(0, "name", [(0, 68)])]
    assert seen(META[:33] + "xyz", META, more=[short]) == [(1, "short", [(0, 33)])]
    assert sorted(at for at, _, _ in seen(META + META[:33], META, more=[short])) == [0, 1], "beside it, too"


def test_a_message_that_is_cut_must_show_eight_letters_more_than_one_that_is_whole():
    short = wording(1, "short", [META[:33]])
    assert [at for at, _, _ in seen(META[:41], META, more=[short])] == [1]
    assert [at for at, _, _ in seen(META[:42], META, more=[short])] == [0]


# cut


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (META[:24] + "~", True),
        (META[:23] + "~", False),
        (META[:23], True),
        (META[:19], True),
        (META[:18], False),
        (META[:15], False),
        ("~" + META[:24] + "~", True),
    ],
)
def test_what_is_left_of_a_message_must_name_meta_and_have_24_letters_or_the_end_of_a_line(text, shown):
    assert bool(seen(text, META)) == shown


def test_a_line_that_ends_inside_the_paste_is_an_end_too():
    text = META[:20] + "nextline"
    assert seen(text, META) == []
    assert seen(text, META, ends=[20]) == [(0, "", [(0, 20)])]


def test_the_wording_of_a_cut_message_is_told_from_half_of_its_letters_on():
    assert seen(META[:34], META) == [(0, "", [(0, 34)])]
    assert seen(META[:35], META) == [(0, "name", [(0, 35)])]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (PLAIN[:35], True),
        (PLAIN[:33], True),
        (PLAIN[:32], False),
        (PLAIN[:33] + "...", True),
        (PLAIN[:33] + "~~~", False),
        (PLAIN[:60] + "~~~", False),
        (PLAIN[:61] + "~~~", True),
    ],
)
def test_what_is_left_of_a_message_without_meta_stops_where_it_is_cut_or_is_nearly_all_of_it(text, shown):
    """Half of its letters, at least 24 and at most 36; nine tenths where it goes on otherwise."""
    assert bool(seen(text, PLAIN)) == shown


def test_of_a_long_message_without_meta_36_letters_are_enough_and_of_a_short_one_24():
    long = PLAIN * 3
    assert seen(long[:36], long)
    assert not seen(long[:35], long)
    short = PLAIN[:30]
    assert seen(short[:24], short)
    assert not seen(short[:23], short)


def test_a_message_that_names_meta_later_is_not_seen_by_a_beginning_without_it():
    assert not seen(LATE[:60], LATE)
    assert not seen(LATE[:64] + "cudaandcpu!", LATE)


def test_a_message_with_a_hole_that_is_too_long_is_seen_by_its_leading_literal():
    text = PLAIN + "x" * 700 + "pleasechange"
    assert seen(text, PLAIN, "pleasechange") == [(0, "name", [(0, 67)])]
    lead = PLAIN[:39]
    assert seen(lead + "~" * 700 + "y" * 60, lead, "y" * 23 + "z") == []
    lead = PLAIN[:40]
    assert seen(lead + "~" * 700 + "y" * 60, lead, "y" * 23 + "z") == [(0, "name", [(0, 40)])]


def test_the_first_long_literal_leads_else_the_longest():
    assert wording(0, "n", ["a" * 24, "b" * 30])[3] == 0
    assert wording(0, "n", ["a" * 23, "b" * 30, "c" * 40])[3] == 1
    assert wording(0, "n", ["a" * 5, "b" * 9, "c" * 9])[3] == 1
    assert wording(0, "n", ["ab", "meta"])[4:] == (6, True)
    assert wording(0, "n", ["ab", "cd"])[4:] == (4, False)


def test_a_short_literal_is_never_seen_cut():
    assert seen("cannotcopyofmeta", "cannotcopyofmeta") == [(0, "name", [(0, 16)])]
    assert seen("cannotcopyofmet", "cannotcopyofmeta") == []


def test_the_first_four_places_of_a_cut_message_are_tried():
    head = META[:16] + "~"
    for before, shown in ((3, True), (4, False)):
        assert bool(seen(head * before + META[:30] + "~", META)) == shown


def test_cut_messages_are_all_seen():
    text = META[:30] + "~" + META[:30] + "~"
    assert [span for _, _, span in seen(text, META)] == [[(0, 30)], [(31, 61)]]


# without its beginning


def test_a_message_without_its_beginning_is_seen_by_48_letters_that_name_meta():
    tail = "parameterinthecheckpointtoametaparameterinthecurrentmodel,whichisano-op."  # 72 letters
    whole = "copyingfromanon-meta" + tail
    assert seen(tail, whole) == [(0, "", [(0, 72)])]
    assert seen("~" + tail[-48:], whole) == [(0, "", [(1, 49)])]
    assert seen("~" + tail[-47:], whole) == []
    assert seen("~" + tail[-48:] + "more", whole) == [(0, "", [(1, 49)])]
    silent = whole.replace("meta", "cuda")
    assert seen(tail.replace("meta", "cuda"), silent) == []


def test_a_message_without_its_beginning_is_sought_only_where_no_other_is_seen():
    whole = "copyingfromanon-metaparameterinthecheckpointtoametaparameterinthecurrentmodel"
    assert [at for at, _, _ in seen(whole[6:], whole)] == [0]
    other = wording(1, "other", [META])
    assert [at for at, _, _ in seen(whole[6:] + META, whole, more=[other])] == [1]


# features


def features(text, matcher=None):
    if matcher:
        return matcher.evidence(text).features
    return Evidence(READER.read(text), [], [], READER).features


@pytest.fixture(scope="module")
def holed():
    """One message with holes, and another."""
    symptoms = {
        "mixed": {
            "title": "mixed", "kind": "exception", "type": "RuntimeError", "near_misses": ["x"],
            "messages": {"only": "Tensor {name} is on the meta device, not on the {device} device"},
        },
        "other": {
            "title": "other", "kind": "exception", "type": "RuntimeError", "near_misses": ["x"],
            "messages": {"only": "Cannot copy out of meta tensor; no data!"},
        },
    }  # fmt: skip
    neutral = [{"ask": "Is it so?"}]
    causes = {
        name: {"title": name, "symptoms": [{"id": name, "tells": "with", "clues": neutral}]}
        for name in symptoms
    }
    return compiled(causes, symptoms)


def test_a_message_offers_its_name_its_wording_and_the_words_of_its_holes(holed):
    found = features("RuntimeError: Tensor embed_tokens is on the meta device, not on the cuda device", holed)
    assert {
        "m mixed": 0,
        "n mixed/only": 0,
        "M mixed": 0,
        "h embed_tokens": 0,
        "h cuda": 0,
    }.items() <= found.items()
    assert not any(feature[0] in "xy" for feature in found)


def test_of_several_messages_each_is_offered_and_the_last_as_the_last(holed):
    first = "RuntimeError: Tensor embed is on the meta device, not on the cuda device"
    found = features(f"{first}\nNotImplementedError: Cannot copy out of meta tensor; no data!", holed)
    assert (found["m mixed"], found["m other"], found["M other"]) == (0, 1, 1)
    assert "M mixed" not in found


def test_of_a_long_hole_nothing_and_of_a_hole_twelve_words_are_offered(holed):
    words = [f"{chr(97 + at)}_word" for at in range(13)]
    found = features(f"Tensor {' .'.join(words)} is on the meta device, not on the cuda device", holed)
    assert [f"h {word}" in found for word in words] == [True] * 12 + [False]
    for times, read in ((40, True), (41, False)):  # 200 letters, and more
        long = features(f"Tensor {'embed ' * times}is on the meta device, not on the cuda device", holed)
        assert any(feature.startswith("h embed") for feature in long) == read


def test_of_all_messages_the_words_of_24_holes_are_offered(holed):
    names = [f"{first}{second}_x" for first in "abc" for second in "abcde"]
    lines = [f"Tensor {name} is on the meta device, not on the {name[::-1]} device" for name in names]
    assert len([feature for feature in features("\n".join(lines), holed) if feature[0] == "h"]) == 24


def test_an_unknown_last_message_offers_its_type_and_thirty_words(holed):
    words = " ".join(f"{chr(97 + at // 26)}{chr(97 + at % 26)}q" for at in range(31))
    found = features(f"pkg.QuuxError: {words}", holed)
    assert found["x QuuxError"] == 0
    assert len([feature for feature in found if feature[0] == "y"]) == 30


def test_a_known_last_message_is_not_unknown_and_one_before_the_last_is_not_offered(holed):
    known = "NotImplementedError: Cannot copy out of meta tensor; no data!"
    assert "x NotImplementedError" not in features(known, holed)
    assert {feature for feature in features(f"{known}\nQuuxError: no", holed) if feature[0] == "x"} == {
        "x QuuxError"
    }
    assert "x QuuxError" not in features(f"QuuxError: no\n{known}", holed)


# frames


def paste(*frames, last=""):
    lines = ["Traceback (most recent call last):"]
    for path, name, *code in frames:
        lines += [f'  File "{path}", line 3, in {name}', *(f"    {text}" for text in code)]
    return "\n".join([*lines, last or "ValueError: no"])


TORCH = "/x/site-packages/torch/nn/modules/module.py"
LIB = "/x/site-packages/lib/a.py"


def test_frames_offer_whose_they_are():
    found = features(paste(("my_app/train.py", "fit_model"), (LIB, "run"), (TORCH, "to")))
    assert {"d fit_model", "f lib/a:run", "p lib", "f torch/nn/modules/module:to", "e lib/a:run"} <= set(
        found
    )
    assert "p torch" not in found, "the plumbing of every model tells nothing of a package"
    assert {"a train", "a fit", "a model"} <= set(found), "words of the reader's file and function"
    assert not {"a run", "i fit_model", "d run", "f my_app/train:fit_model"} & set(found)
    assert found["d fit_model"] == 1
    assert found["f lib/a:run"] == 2


def test_the_last_frame_is_offered_as_the_last():
    assert "F torch/nn/modules/module:to" in features(paste(("run.py", "go"), (TORCH, "to")))
    own = features(paste((LIB, "run"), ("run.py", "go")))
    assert "F own" in own
    assert not any(feature.startswith("F lib") for feature in own)


def test_the_last_change_from_the_readers_code_to_a_library_is_the_entry():
    found = features(
        paste(("run.py", "go"), (LIB, "first"), ("run.py", "hook"), (TORCH, "to"), (LIB, "last"))
    )
    assert {feature for feature in found if feature[0] == "e"} == {"e torch/nn/modules/module:to"}
    assert not any(feature[0] == "e" for feature in features(paste((LIB, "run"), ("run.py", "go"))))


@pytest.mark.parametrize("loader", ["from_pretrained", "from_config", "_from_config"])
def test_a_constructor_that_runs_while_a_model_is_loaded_is_told_from_others(loader):
    hub = "/x/.cache/transformers_modules/m.py"
    assert "d __init__<" in features(paste(("run.py", "go"), (LIB, loader), (hub, "__init__")))
    assert "d __init__<" not in features(paste(("run.py", "go"), (LIB, "build"), (hub, "__init__")))
    assert "d __init__<" not in features(paste((LIB, loader), (hub, "forward"), (hub, "__init__")))
    assert "d __init__<" in features(paste((LIB, loader), (hub, "__init__"), (LIB, "x"), (hub, "__init__")))


def test_the_depth_of_a_move_is_offered_up_to_four():
    for times, depth in ((1, "1"), (4, "4"), (6, "4")):
        found = features(paste(("run.py", "go"), *[(TORCH, "_apply")] * times))
        assert {feature for feature in found if feature.startswith("s depth")} == {f"s depth {depth}"}
    assert not any(feature.startswith("s depth") for feature in features(paste(("run.py", "_apply"))))
    repeated = paste((TORCH, "_apply")).replace(
        "ValueError", "  [Previous line repeated 2 more times]\nValueError"
    )
    assert "s depth 3" in features(repeated)


def test_of_chained_tracebacks_the_frames_of_the_one_with_the_last_known_message_count(holed):
    known = "NotImplementedError: Cannot copy out of meta tensor; no data!"
    inner, outer = (
        paste(("run.py", "go"), (TORCH, "to"), last=known),
        paste((LIB, "wrapped"), last="QuuxError: no"),
    )
    found = features(
        f"{inner}\n\nDuring handling of the above exception, another exception occurred:\n\n{outer}", holed
    )
    assert "F torch/nn/modules/module:to" in found
    assert "F lib/a:wrapped" not in found
    found = features(
        f"{outer}\n\nThe above exception was the direct cause of the following exception:\n\n{inner}", holed
    )
    assert {feature for feature in found if feature[0] in "Fe"} == {
        "F torch/nn/modules/module:to", "e torch/nn/modules/module:to",
    }  # fmt: skip


def test_without_a_known_message_all_frames_are_one_traceback(holed):
    both = paste((TORCH, "to")) + "\n" + paste((LIB, "run"))
    assert "F lib/a:run" in features(both, holed)
    assert "F lib/a:run" in features(
        both + "\nNotImplementedError: Cannot copy out of meta tensor; no data!", holed
    )


def frame(line, code="", function="_apply", module="torch/nn/modules/module"):
    made = PasteFrame(module, function, line, False, 0)
    made.code = code
    return made


@pytest.mark.parametrize(
    ("frames", "what"),
    [
        ([frame(1, "param_applied = fn(param)")], "parameter"),
        ([frame(1, "self._buffers[key] = fn(buf)")], "buffer"),
        ([frame(1, "module._apply(fn)")], ""),
        ([frame(1, "fn(buf)"), frame(2, "convert", "convert")], "buffer"),
        ([frame(1, "fn(buf)", "to")], ""),
        ([frame(1, "fn(buf)", module="mine")], ""),
        ([], ""),
    ],
)
def test_the_source_line_of_a_move_tells_what_it_stopped_at(frames, what):
    assert stopped_at(frames, "torch/nn/modules/module", False) == what


@pytest.mark.parametrize(
    ("away", "what"),
    [(14, ""), (15, "parameter"), (39, "parameter"), (40, "buffer"), (120, "buffer"), (121, ""), (-30, "")],
)
def test_without_source_lines_the_distance_to_the_recursive_call_tells_where_the_release_is_known(away, what):
    frames = [frame(800), frame(800 + away)]
    assert stopped_at(frames, "torch/nn/modules/module", True) == what
    assert stopped_at(frames, "torch/nn/modules/module", False) == ""
    assert stopped_at([frame(800, function="to"), frame(800 + away)], "torch/nn/modules/module", True) == ""
    assert stopped_at(frames[1:], "torch/nn/modules/module", True) == ""
    assert (
        stopped_at([frames[0], frame(800 + away, "module._apply(fn)")], "torch/nn/modules/module", True) == ""
    )


def test_what_a_move_stopped_at_is_offered_as_a_feature_and_as_a_function():
    evidence = Evidence(READER.read(paste((TORCH, "_apply", "param_applied = fn(param)"))), [], [], READER)
    assert evidence.features["s parameter"] == 1
    assert evidence.names["torch/nn/modules/module:_apply(parameter)"] == 1
    stated = "torch==2.6.0\n" + paste((TORCH, "_apply"), (TORCH, "_apply")).replace("line 3", "line 900", 1)
    assert "s parameter" not in features(stated)
    near = "torch==2.6.0\n" + paste((TORCH, "_apply"), (TORCH, "_apply")).replace(
        "line 3", "line 30", 2
    ).replace("line 30", "line 3", 1)
    assert "s parameter" in features(near)


# words and code


@pytest.mark.parametrize(
    ("code", "has", "lacks"),
    [
        ("model.to(device)", {"c to", "c model.to", "i to"}, {"c device"}),
        ("self.model.to(device)", {"c to"}, {"c model.to"}),
        ("Model.load(x)", {"c load"}, {"c Model.load"}),
        ("model.to('cuda')", {"c to(cuda)"}, {"c to(cpu)"}),
        ("f(dtype=torch.half)", {"k dtype", "i dtype"}, {"k dtype=torch.half"}),
        ("f(device_map='auto')", {"k device_map=auto"}, set()),
        ("f(device='cuda:0')", {"k device=cuda"}, set()),
        ("if device == 'cpu': run(model)", set(), {"k device"}),
        ("m = A.from_pretrained(p)\nm.to(d)", {"o from_pretrained.to"}, {"o from_pretrained+map.to"}),
        ("m = A.from_pretrained(p, device_map={})\nm.to(d)", {"o from_pretrained+map.to"}, {"c m.to"}),
        ("self.m = load(p)\nself.m.to(d)", {"o load.to"}, set()),
        ("m = load(p)\nn.to(d)", {"c n.to"}, {"o load.to"}),
    ],
)
def test_what_a_line_of_code_offers(code, has, lacks):
    found = set(features(f"```python\n{code}\n```"))
    assert has <= found
    assert not lacks & found


def test_words_of_names_are_offered_without_their_endings_and_short_ones_not():
    found = features("The loaded adapters of MyModel at it_is fail")
    assert {"a load", "a adapter", "a model", "a fail", "a the", "i mymodel", "i it_is"} <= set(found)
    assert not {"a of", "a at", "a my", "i loaded", "i the", "a it"} & set(found)


def test_of_prose_and_of_logs_so_many_words_are_read_and_of_code_all():
    many = "\n".join(
        f"these words say {chr(97 + at // 26)}{chr(97 + at % 26)}qz here now" for at in range(60)
    )
    found = features(f"{many}\nthe last sentence says zebra here")
    assert "a aaqz" in found
    assert "a zebra" not in found
    code = "\n".join(f"call_{chr(97 + at // 26)}{chr(97 + at % 26)}(x)" for at in range(300))
    assert "c last_one" in features(f"```python\n{code}\nlast_one(x)\n```")


def test_a_release_offers_the_newest_step_that_it_has_reached():
    steps = READER.grammar["releases"]["torch"]
    assert f"v torch {steps[0]}" in features(f"torch=={steps[0]}.0")
    assert f"v torch {steps[-1]}" in features("torch==99.0")
    assert "v torch old" in features("torch==0.4.1")


@pytest.mark.parametrize(
    ("text", "told"),
    [("[rank0]: a\n[rank1]: b", True), ("[rank0]: a", True), ("a", False)],
)
def test_several_ranks_are_a_feature(text, told):
    assert ("r ranks" in features(text)) == told


def test_a_phrase_is_said_in_prose_and_not_inside_longer_words():
    evidence = Evidence(READER.read("It was left behind here.\nIt is nonsense of meta."), [], [], READER)
    assert evidence.said_in("left behind") == 0
    assert evidence.said_in("behind here.") == 0
    assert evidence.said_in("nonsense") == 1
    for inside in ("eft behind", "left behin", "sense", "absent"):
        assert evidence.said_in(inside) == -1, inside
    twice = Evidence(READER.read("The unmeta of it is meta of it."), [], [], READER)
    assert twice.said_in("meta of") == 0, "the second place is no part of a longer word"


def test_versions_compare_by_their_numbers():
    assert numbers("2.10.0+cu121") == [2, 10, 0]
    assert numbers("4.57.0.dev0") == [4, 57, 0]
    assert numbers("2.1rc1.3") == [2, 1]
    assert numbers("x") == []
    assert [order([2, 10], [2, 9]), order([2, 1], [2, 1, 0]), order([2], [2, 1])] == [1, 0, -1]
    assert order([2, 0, 1], [2]) == 1
