"""How symptoms, clues, frames and words add up, shown on a catalogue of four causes."""

import pytest
from small import compiled

from unmeta.match import Answer, _attributed
from unmeta.match.compile import feature_of, frame_key, grammar_here
from unmeta.match.evidence import Evidence, numbers, squash
from unmeta.match.read import Reader
from unmeta.match.score import NO, YES, inside, passes

READER = Reader(grammar_here())

NO_DATA = "NotImplementedError: Cannot copy out of meta tensor; no data!"
NO_OP = (
    "UserWarning: for a.weight: copying from a non-meta parameter in the checkpoint to a meta parameter in "
    "the current model, which is a no-op."
)
SYMPTOMS = {
    "no-data": {
        "title": "no data",
        "kind": "exception",
        "type": "NotImplementedError",
        "messages": {
            "advice": "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty().",
            "bare": "Cannot copy out of meta tensor; no data!",
        },
        "near_misses": ["x"],
    },
    "no-op": {
        "title": "a no-op",
        "kind": "warning",
        "type": "UserWarning",
        "messages": {
            "only": "for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in "
            "the current model, which is a no-op."
        },
        "near_misses": ["x"],
    },
    "key": {
        "title": "key",
        "kind": "exception",
        "type": "KeyError",
        "messages": {"only": "base_model.model.{key}"},
        "near_misses": ["x"],
    },
    "other": {
        "title": "other",
        "kind": "exception",
        "type": "RuntimeError",
        "messages": {"only": "Tensor on device meta is not on the expected device {device}!"},
        "near_misses": ["x"],
    },
    "garbage": {"title": "garbage", "kind": "silent", "looks_like": "The output is noise."},
}
CAUSES = {
    "moved": {
        "title": "A model built on meta was moved",
        "symptoms": [
            {
                "id": "no-data",
                "tells": "with",
                "clues": [
                    {"through": "torch.nn.modules.module:Module.to"},
                    {"not_through": "transformers.trainer:Trainer.__init__"},
                    {"calls": "init_empty_weights"},
                    {"says": "skeleton"},
                    {"ask": "Was it built on meta?"},
                ],
            }
        ],
        "reports": ["https://example.org/1", "https://example.org/2", "https://example.org/3"],
    },
    "loaded-in-place": {
        "title": "load_state_dict() copied nothing",
        "symptoms": [
            {"id": "no-op", "tells": "alone"},
            {
                "id": "no-data",
                "tells": "with",
                "clues": [{"earlier": "no-op"}, {"wording": "advice"}, {"ask": "Did load_state_dict() run?"}],
            },
        ],
        "applies": {"torch": ">=2.1"},
    },
    "trainer": {
        "title": "Trainer moved a dispatched model",
        "symptoms": [
            {
                "id": "no-data",
                "tells": "with",
                "clues": [
                    {"through": "transformers.trainer:Trainer.__init__ > torch.nn.modules.module:Module.to"},
                    {"calls": ["Trainer", "GRPOTrainer"]},
                    {"version": {"transformers": "<4.47"}},
                ],
            }
        ],
        "reports": ["https://example.org/4"],
    },
    "adapter": {
        "title": "Adapter weights were left on meta after loading a LoRA",
        "symptoms": [
            {"id": "key", "tells": "alone"},
            {"id": "garbage", "tells": "with", "clues": [{"says": ["left on meta", "loading a LoRA"]}]},
        ],
    },
}
LOOKALIKES = {
    "two": {"title": "Two devices", "says": "real devices", "messages": ["found at least two devices"]},
    "web": {"title": "HTML", "says": "a page", "messages": ["meta tags"]},
}


def made(causes):
    return compiled(causes, SYMPTOMS, LOOKALIKES)


@pytest.fixture(scope="module")
def tiny():
    """A matcher of the four causes above; nothing was fitted, every claim counts one logit."""
    return made(CAUSES)


def ids(answer):
    return [cause["id"] for cause in answer["causes"]]


def cause(answer, name):
    return next(entry for entry in answer["causes"] if entry["id"] == name)


def clues(entries):
    return [entry["clue"] for entry in entries]


def test_only_the_last_line_gives_causes_by_likelihood_questions_and_what_to_run(tiny):
    answer = tiny.explain(NO_DATA)
    assert answer["known"]
    assert answer["verdict"] == "symptom"
    assert answer["symptoms"] == ["no-data"]
    assert set(ids(answer)[:3]) == {"moved", "trainer", "loaded-in-place"}
    assert sum(entry["share"] for entry in answer["causes"]) >= 98
    assert [entry["says"] for entry in cause(answer, "moved")["open"]] == ["Was it built on meta?"]
    assert answer["next"]["code"].count("\n") == 1
    assert cause(answer, "moved")["url"] == "https://x.org/e/moved/"


def test_a_symptom_that_tells_alone_names_the_cause(tiny):
    answer = tiny.explain(NO_OP + "\n" + NO_DATA)
    assert answer["symptoms"] == ["no-op", "no-data"]
    assert answer["verdict"] == "cause"
    assert ids(answer)[0] == "loaded-in-place"
    assert "earlier" in clues(cause(answer, "loaded-in-place")["yes"])
    assert answer["next"] is None


def traceback(*frames, last=NO_DATA):
    lines = ["Traceback (most recent call last):"]
    for path, name in frames:
        lines += [f'  File "{path}", line 3, in {name}', "    code()"]
    return "\n".join([*lines, last])


MODULE = ("/x/site-packages/torch/nn/modules/module.py", "to")
TRAINER = ("/x/site-packages/transformers/trainer.py", "__init__")


def test_frames_answer_through_and_not_through(tiny):
    answer = tiny.explain(traceback(("run.py", "<module>"), MODULE))
    assert clues(cause(answer, "moved")["yes"]) == ["through", "not_through"]
    assert clues(cause(answer, "trainer")["no"]) == ["through"]
    answer = tiny.explain(traceback(("run.py", "<module>"), TRAINER, MODULE))
    assert ids(answer)[0] == "trainer"
    assert clues(cause(answer, "moved")["no"]) == ["not_through"]
    assert clues(cause(answer, "trainer")["yes"]) == ["through"]


def test_a_path_wants_its_order(tiny):
    answer = tiny.explain(traceback(("run.py", "<module>"), MODULE, TRAINER))
    assert clues(cause(answer, "trainer")["no"]) == ["through"]


def test_frames_that_were_cut_off_answer_nothing(tiny):
    text = "\n".join(traceback(("run.py", "f"), ("run.py", "g")).splitlines()[3:])
    answer = tiny.explain(text)
    assert not cause(answer, "moved")["no"]
    assert not cause(answer, "moved")["yes"]


@pytest.mark.parametrize(
    ("words", "clue"),
    [
        ("with init_empty_weights():", "calls"),
        ("accelerate.init_empty_weights()", "calls"),
        ("I made it with init_empty_weights and then moved it.", "calls"),
        ("I made a skeleton and then moved it.", "says"),
    ],
)
def test_clues_ask_the_readers_code_and_prose_and_quote_the_line(tiny, words, clue):
    answer = tiny.explain(f"{words}\n{NO_DATA}")
    found = cause(answer, "moved")["yes"][0]
    assert (found["clue"], found["line"], found["text"]) == (clue, 1, words)


def test_words_of_logs_and_paths_are_not_the_readers(tiny):
    answer = tiny.explain(f"2025-03-14 09:26:53 INFO init_empty_weights skeleton\n{NO_DATA}")
    assert clues(cause(answer, "moved")["yes"]) == []


def test_the_message_itself_is_no_word_of_the_reader(tiny):
    text = f"{NO_DATA} Please use torch.nn.Module.to_empty()."
    answer = tiny.explain(text)
    assert answer["seen"][0]["wording"] == "advice"
    assert clues(cause(answer, "loaded-in-place")["yes"]) == ["wording"]


def test_a_librarys_source_line_is_not_the_readers_code(tiny):
    lines = ["Traceback (most recent call last):", '  File "/x/site-packages/torch/a.py", line 1, in f']
    answer = tiny.explain("\n".join([*lines, "    Trainer(init_empty_weights())", NO_DATA]))
    assert "calls" not in clues(cause(answer, "moved")["yes"])
    lines[1] = '  File "mine.py", line 1, in f'
    answer = tiny.explain("\n".join([*lines, "    Trainer(init_empty_weights())", NO_DATA]))
    assert "calls" in clues(cause(answer, "moved")["yes"])


def test_no_message_stands_in_source_lines(tiny):
    lines = ["Traceback (most recent call last):", '  File "mine.py", line 1, in f']
    text = "\n".join(
        [*lines, '    raise RuntimeError("Cannot copy out of meta tensor; no data!")', "ValueError: x"]
    )
    assert tiny.explain(text)["symptoms"] == []


def test_versions_answer_and_rule_out(tiny):
    answer = tiny.explain(f"transformers==4.46.3\n{NO_DATA}")
    assert clues(cause(answer, "trainer")["yes"]) == ["version"]
    answer = tiny.explain(f"transformers==5.0.0\n{NO_DATA}")
    assert clues(cause(answer, "trainer")["no"]) == ["version"]
    before = cause(tiny.explain(NO_DATA), "loaded-in-place")["score"]
    assert cause(tiny.explain(f"torch==2.0.1\n{NO_DATA}"), "loaded-in-place")["score"] < before


def test_answers_decide(tiny):
    answer = tiny.explain(NO_DATA)
    question = cause(answer, "loaded-in-place")["open"][0]["id"]
    told = tiny.explain(NO_DATA, {question: True})
    assert ids(told)[0] == "loaded-in-place"
    assert "ask" in clues(cause(told, "loaded-in-place")["yes"])
    told = tiny.explain(NO_DATA, {question: False})
    assert ids(told)[-1] == "loaded-in-place"
    assert "ask" in clues(cause(told, "loaded-in-place")["no"])


@pytest.mark.parametrize(
    "text",
    [
        "NotImplementedError: Cannot copy out of meta tensor",
        "Cannot copy out of meta ten\nsor; no data!",
        "CANNOT COPY OUT OF META TENSOR; NO DATA!",
        "Cannot copy out of “meta” tensor; no data!",
        "Cannot  copy out\n   of meta tensor;  no data!",
        "Failed to load x: Cannot copy out of meta tensor; no data! Please use torch.nn.Mod",
    ],
)
def test_a_message_is_seen_wrapped_cut_or_dressed(tiny, text):
    assert tiny.explain(text)["symptoms"] == ["no-data"]


def test_a_short_message_must_follow_its_exception(tiny):
    assert tiny.explain("KeyError: 'base_model.model.a.weight'")["symptoms"] == ["key"]
    assert tiny.explain("offloaded: base_model.model.a.weight")["symptoms"] == []


def test_words_find_an_entry(tiny):
    answer = tiny.explain("My model is left on meta after loading a LoRA.")
    assert answer["known"]
    assert ids(answer)[0] == "adapter"


def test_a_meta_problem_that_is_not_here_is_known_but_unlisted(tiny):
    answer = tiny.explain("RuntimeError: quux() refuses tensors with device='meta'")
    assert answer["known"]
    assert answer["verdict"] in ("guess", "unlisted")
    assert answer["next"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RuntimeError: Expected ..., but found at least two devices, cuda:0 and cpu!", "two"),
        ("how to set meta tags on meta pages", "web"),
        ("ValueError: no", None),
        ("", None),
        ("the weather is fine", None),
        ("OSError: meta-llama/Llama-3 is gated by Meta AI", None),
        ("TypeError: metaclass conflict", None),
    ],
)
def test_what_is_no_meta_problem_is_told_so(tiny, text, why):
    answer = tiny.explain(text)
    assert not answer["known"]
    assert answer["verdict"] == ("look-alike" if why else "nothing")
    assert (answer["why_not"] or {}).get("id") == why
    assert answer["next"] is None


def facts(text):
    evidence = Evidence(READER.read(text), [], [], READER)
    return [feature[2:] for feature in evidence.features if feature[0] == "z"]


def test_the_printed_facts_of_the_suggested_lines():
    text = "parameters: 2 of 2 on meta ['weight', 'bias']\nbuffers: 0 of 1 on meta []\naccelerate hooks: 0"
    assert facts(text) == ["all parameters are on meta", "no buffers are on meta", "without accelerate hooks"]
    assert facts("parameters: 1 of 2 on meta\naccelerate hooks: 3")[1] == "accelerate hooks are attached"
    assert facts("nothing here") == []


def test_the_suggested_lines_print_what_is_read_back(tiny, capsys):
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(2, 2, device="meta")
    exec(tiny.index["says"]["code"], {"model": model})
    printed = capsys.readouterr().out
    assert facts(printed)[0] == "all parameters are on meta"
    assert tiny.explain(printed)["known"]


@pytest.mark.parametrize(
    ("ranges", "versions", "told"),
    [
        ({"torch": ">=2.1"}, {"torch": "2.1.0"}, YES),
        ({"torch": ">=2.1"}, {"torch": "2.0.1+cu118"}, NO),
        ({"torch": ">=2.1,<2.4"}, {"torch": "2.4.0"}, NO),
        ({"torch": "<=2.4"}, {"torch": "2.4.0"}, YES),
        ({"torch": ">2.4"}, {"torch": "2.4.1"}, YES),
        ({"torch": "!=2.4.*"}, {"torch": "2.4.1"}, NO),
        ({"torch": "==2.4.*"}, {"torch": "2.4.1"}, YES),
        ({"torch": "~=2.4"}, {"torch": "2.9"}, YES),
        ({"torch": "~=2.4"}, {"torch": "3.0"}, NO),
        ({"transformers": ">=5.0"}, {"transformers": "5"}, YES),
        ({"transformers": "<5"}, {"transformers": "4.57.1"}, YES),
        ({"transformers": ">=5.0"}, {"transformers": "5.0.0.dev0"}, YES),
        ({"torch": ">=2.1"}, {"peft": "0.1"}, 0),
    ],
)
def test_ranges(ranges, versions, told):
    assert inside(ranges, versions) == told


def test_small_parts():
    assert numbers("2.6.0a0+git") == [2, 6, 0]
    assert squash("from_pretrained('a-b')\n x") == "from pretrained(a b) x"
    assert frame_key("a.b:C.d > user:__init__") == "a/b:d > user:__init__"
    frames = READER.read('File "mine.py", line 1, in go\nFile "/x/site-packages/a/b.py", line 1, in d').frames
    assert passes("user:go > a/b:d", frames) == 1
    assert passes("*:go", frames) == 0
    assert passes("a/b:d > user:go", frames) == -1


@pytest.mark.parametrize(
    ("call", "feature"),
    [
        ("to_empty", "i to_empty"),
        ("PeftModel", "i peftmodel"),
        ("to", "c to"),
        ("torch.load", "c torch.load"),
        ("device_map=", "k device_map"),
        ('device_map="auto"', "k device_map=auto"),
        ("assign=True", "k assign=True"),
        ('device("meta")', "c device(meta)"),
        ("from_pretrained(device_map=).to", "o from_pretrained+map.to"),
    ],
)
def test_a_call_that_is_asked_for_is_read_out_of_code(call, feature):
    assert feature_of(call) == feature
    code = (
        'with torch.device("meta"):\n    model = A.from_pretrained(path, device_map="auto")\n'
        "model.to_empty(PeftModel, assign=True)\nmodel.to(torch.load(x))"
    )
    assert feature in Evidence(READER.read(code), [], [], READER).features


def test_what_is_no_call_is_refused():
    with pytest.raises(ValueError, match="is no call"):
        feature_of("two words")


def test_a_call_over_several_lines_is_one():
    code = 'model = A.from_pretrained(\n    path,\n    device_map="auto",\n)\nmodel.to("cuda")'
    assert "o from_pretrained+map.to" in Evidence(READER.read(code), [], [], READER).features


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("device=meta", True),
        ("tensor(..., device=meta, size=(2,))", True),
        ("it stays on the meta device", True),
        ("two weights are still on meta", True),
        ("the meta tensors of the model", True),
        ("model from meta llama", False),
        ("metadata of the file on metal", False),
        ("ask meta ai", False),
        ("what is meta ai", False),
        ("param.is_meta is True", True),
        ("backends: [cpu, meta, cuda]", False),
    ],
)
def test_signs_of_the_meta_device(text, told):
    assert bool(Evidence(READER.read(text), [], [], READER).signed) == told


def test_an_answer_has_attributes_at_every_depth(tiny):
    raw = tiny.explain(NO_DATA)
    answer = _attributed(raw)
    assert isinstance(answer, Answer)
    assert answer.causes[0].open[0].says == "Was it built on meta?"
    assert answer.to_dict() == raw
    with pytest.raises(AttributeError):
        _ = answer.nothing


def test_a_message_that_is_common_without_meta_tensors_needs_something_besides():
    text = "KeyError: 'base_model.model.a.weight'"
    weak = {
        **CAUSES["adapter"],
        "symptoms": [{"id": "key", "tells": "with", "clues": [{"calls": "PeftModel"}]}],
    }
    matcher = made({"adapter": weak})
    assert not matcher.explain(text)["known"]
    assert matcher.explain(text + "\nsome weights are on the meta device")["known"]


def test_a_message_without_its_beginning_is_seen(tiny):
    text = "...meta parameter in the checkpoint to a meta parameter in the current model, which is a no-op."
    assert tiny.explain(text)["symptoms"] == ["no-op"]
    assert tiny.explain("current model, which is a no-op.")["symptoms"] == []


@pytest.mark.parametrize(
    ("printed", "first"),
    [
        (
            "parameters: 4 of 4 on meta ['0.weight', '0.bias', '1.weight', '1.bias']\n"
            "buffers: 0 of 0 on meta []\naccelerate hooks: 0",
            {"module-to-on-meta", "empty-init-never-loaded", "load-state-dict-no-op"},
        ),
        (
            "parameters: 0 of 9 on meta []\nbuffers: 1 of 1 on meta ['rotary_emb.inv_freq']\n"
            "accelerate hooks: 0",
            {"non-persistent-buffer-lost"},
        ),
        (
            "parameters: 64 of 300 on meta ['base_model.model.layers.0.q_proj.lora_A.default.weight']\n"
            "buffers: 0 of 1 on meta []\naccelerate hooks: 0",
            {"adapter-left-on-meta"},
        ),
        (
            "parameters: 1 of 9 on meta ['lm_head.weight']\nbuffers: 0 of 0 on meta []\naccelerate hooks: 0",
            {"tied-weights-broken", "missing-keys-left-on-meta", "mismatched-or-new-head"},
        ),
    ],
)
def test_what_the_suggested_lines_print_narrows_the_answer(matcher, printed, first):
    text = "NotImplementedError: Cannot copy out of meta tensor; no data!\n"
    before = {found["id"]: found["share"] for found in matcher.explain(text)["causes"]}
    after = {found["id"]: found["share"] for found in matcher.explain(text + printed)["causes"]}
    assert sum(after.get(name, 0) for name in first) > sum(before.get(name, 0) for name in first)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I built it with init_empty_weights, then load_state_dict, and the text is garbage", True),
        ("with init_empty_weights():\n    m = load('x/Llama-3.1-8B')\nm.load_state_dict(sd)", True),
        ("what is a meta tensor", True),
        ("the loss does not go down after to_empty, it is nan", True),
        ("my app crashes on meta devices such as the Quest 3", False),
        ("how do I add a description to my page", False),
    ],
)
def test_words_and_code_alone_tell_whether_it_is_about_the_meta_device(matcher, text, known):
    assert matcher.explain(text)["known"] == known


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n\n\n> b\n> NotImplementedError: Cannot copy out of meta tensor; no data!", 5),
        ("a\rb\rNotImplementedError: Cannot copy out of meta tensor; no data!", 3),
        ('x File "a.py", line 1, in f NotImplementedError: Cannot copy out of meta tensor; no data!', 1),
        ("Cannot copy out of “meta” tensor; no data!", 1),
    ],
)
def test_a_message_is_said_to_stand_where_the_text_has_it(matcher, text, line):
    assert [seen["line"] for seen in matcher.explain(text)["seen"]] == [line]


MIXED = (
    "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
    "cuda:0 and meta!"
)


def test_a_log_of_any_size_is_read_where_meta_stands_beside_another_device(matcher):
    filler = "INFO step 12345 loss=0.1 Traceback (most recent call last): Error: retry\n" * 6000
    text = filler + f"{MIXED}\n" + filler
    assert matcher.explain(text)["symptoms"] == matcher.explain(MIXED)["symptoms"] != []


def test_a_text_without_an_exception_has_no_end(tiny):
    assert tiny.ended(tiny.evidence("I moved the model and it hangs.")) == ""
    assert not any(sign.startswith("! ended") for sign in tiny.signs(tiny.evidence("It hangs.")))


def test_a_known_message_may_stand_on_a_later_line_of_the_last_exception(tiny):
    text = "RuntimeError: Failed to load:\n    Cannot copy out of meta tensor; no data!"
    assert tiny.ended(tiny.evidence(text)) == "known"
    assert tiny.ended(tiny.evidence(f"{NO_DATA}\nValueError: no")) == "other"


def test_a_version_that_is_told_in_one_number_is_compared_by_that():
    for ranges, told in (("<=2.1", YES), (">=2.1", YES), ("<=1.9", NO), (">=3.0", NO)):
        assert inside({"torch": ranges}, {"torch": "2"}) == told, ranges


def features(text):
    return Evidence(READER.read(f"```python\n{text}\n```"), [], [], READER).features


def test_a_call_on_what_was_just_made_is_one_on_a_new_thing():
    found = features("Model(config).to('cuda')")
    assert {"o Model.to", "o New.to"} <= set(found)
    assert "o New.to" not in features("load(config).to('cuda')")


def test_a_call_that_is_closed_owes_no_more_arguments():
    assert "k device" in features("model = load(\n    device='cpu',\n)")
    assert "k device" not in features("model = load()\ndevice = 'cpu'\nrun(model)")


def test_what_is_no_meta_problem_has_no_causes(tiny):
    assert tiny.explain("the weather is fine")["causes"] == []


def test_a_symptom_is_named_where_it_was_seen(tiny):
    assert [seen["id"] for seen in tiny.explain(NO_DATA)["seen"]] == ["no-data"]


@pytest.mark.parametrize(("least", "verdict"), [(0, "guess"), (101, "unlisted")])
def test_a_cause_is_a_guess_from_the_share_on_that_was_fitted(least, verdict):
    own = made(CAUSES)
    own.index["guess"] = least
    assert own.explain("RuntimeError: quux() refuses tensors with device='meta'")["verdict"] == verdict
