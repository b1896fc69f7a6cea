"""Each rule of `unmeta scan`: a line that fires it, and the same code mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from unmeta.kb.load import load
from unmeta.kb.snippets import Role
from unmeta.scan.read import findings
from unmeta.scan.rules import SAYS
from unmeta.scan.tree import SourceError

CASES = {
    "to-after-dispatch": (
        'model = AutoModel.from_pretrained(p, device_map="auto")\nmodel.to("cuda")\n',
        'model = AutoModel.from_pretrained(p, device_map={"": 0})\nmodel.to("cuda")\n',
    ),
    "load-state-dict-no-op": (
        'with torch.device("meta"):\n    net = Net()\nnet.load_state_dict(sd)\n',
        'with torch.device("meta"):\n    net = Net()\nnet.load_state_dict(sd, assign=True)\n',
    ),
    "module-to-on-meta": (
        "with init_empty_weights():\n    net = Net()\nnet.cuda()\n",
        "with init_empty_weights():\n    net = Net()\nload_weights(net)\nnet.cuda()\n",
    ),
    "to-empty-uninitialised": (
        'net.to_empty(device="cpu")\nnet(x)\n',
        'net.to_empty(device="cpu")\nfor m in net.modules():\n    m.reset_parameters()\nnet(x)\n',
    ),
    "dispatch-model-without-weights": (
        'with torch.device("meta"):\n    net = Net()\ndispatch_model(net, m)\n',
        'with torch.device("meta"):\n    net = Net()\n'
        "net.load_state_dict(sd, assign=True)\ndispatch_model(net, m)\n",
    ),
    "torch-load-to-meta": (
        'net.load_state_dict(torch.load(p, map_location="meta"))\n',
        'net.load_state_dict(torch.load(p, map_location="cpu"))\n',
    ),
    "save-offloaded-model": (
        'm = A.from_pretrained(p, device_map="auto")\ntorch.save(m.state_dict(), f)\n',
        "m = A.from_pretrained(p)\ntorch.save(m.state_dict(), f)\n",
    ),
    "pipeline-device-conflict": (
        'm = A.from_pretrained(p, device_map="auto")\npipeline("text", model=m, device=0)\n',
        'm = A.from_pretrained(p, device_map="auto")\npipeline("text", model=m)\n',
    ),
    "diffusers-offload": (
        'pipe.enable_sequential_cpu_offload()\npipe.to("cuda")\n',
        'pipe.enable_sequential_cpu_offload()\npipe.remove_all_hooks()\npipe.to("cuda")\n',
    ),
    "moved-to-meta-to-free": (
        'net = Net()\nnet.to("meta")\nnet.to("cuda")\n',
        'net = Net()\nnet.to("cpu")\nnet.to("cuda")\n',
    ),
    "default-device-leak": (
        'def f():\n    torch.set_default_device("meta")\n    return Net()\n',
        'def f():\n    torch.set_default_device("meta")\n    n = Net()\n'
        '    torch.set_default_device("cpu")\n    return n\n',
    ),
    "optimizer-before-materialise": (
        'with torch.device("meta"):\n    net = Net()\nopt = AdamW(net.parameters())\n'
        "net.load_state_dict(sd, assign=True)\n",
        'with torch.device("meta"):\n    net = Net()\nnet.load_state_dict(sd, assign=True)\n'
        "opt = AdamW(net.parameters())\n",
    ),
    "init-reads-values-on-meta": (
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        "        rates = [x for x in torch.linspace(0, 1, 3)]\n        self.r = [r.item() for r in rates]\n",
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        '        rates = torch.linspace(0, 1, 3, device="cpu")\n        self.r = [r.item() for r in rates]\n',
    ),
    "nested-from-pretrained": (
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        "        self.t = CLIPModel.from_pretrained(c.t)\n",
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        "        self.t = CLIPModel(CLIPConfig.from_pretrained(c.t))\n",
    ),
    "non-persistent-buffer-lost": (
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        '        self.register_buffer("f", torch.arange(3), persistent=False)\n',
        "class M(PreTrainedModel):\n    def __init__(self, c):\n"
        '        self.register_buffer("f", torch.arange(3), persistent=False)\n'
        "    def _init_weights(self, m):\n        init.copy_(m.f, torch.arange(3))\n",
    ),
    "concurrent-from-pretrained": (
        "def load(n):\n    return A.from_pretrained(n)\n"
        "with ThreadPoolExecutor() as pool:\n    pool.map(load, names)\n",
        "guard = threading.Lock()\ndef load(n):\n    with guard:\n        return A.from_pretrained(n)\n"
        "with ThreadPoolExecutor() as pool:\n    pool.map(load, names)\n",
    ),
}


def causes(source: str) -> list[str]:
    return [found.cause for found in findings(source)]


def test_every_rule_has_a_case_and_a_cause(root: Path) -> None:
    assert CASES.keys() == SAYS.keys()
    assert SAYS.keys() <= load(root).causes.keys()


@pytest.mark.parametrize("cause", CASES)
def test_a_rule_fires_on_what_fails_and_not_on_what_is_mended(cause: str) -> None:
    wrong, right = CASES[cause]
    assert causes(wrong) == [cause]
    assert causes(right) == []


def test_a_function_of_the_file_is_followed_for_what_it_returns() -> None:
    assert causes(
        'def load():\n    m = A.from_pretrained(p, device_map="auto")\n    return m\nm = load()\nm.cuda()\n'
    ) == ["to-after-dispatch"]


def test_an_attribute_is_followed_from_method_to_method() -> None:
    source = (
        "class S:\n    def move(self):\n        self.m.to(0)\n"
        '    def load(self):\n        self.m = A.from_pretrained(p, device_map="auto")\n'
    )
    assert causes(source) == ["to-after-dispatch"]


def test_a_map_that_stands_in_a_variable_is_read() -> None:
    source = (
        'where = {"a": "cpu"}\nwhere |= {"b": "disk"}\nm = A.from_pretrained(p, device_map=where)\nm.cuda()\n'
    )
    assert causes(source) == ["to-after-dispatch"]


def test_a_comment_leaves_a_finding_out() -> None:
    wrong = CASES["to-after-dispatch"][0].rstrip()
    assert causes(wrong + "  # unmeta: ignore\n") == []
    assert causes(wrong + "  # unmeta: ignore[to-after-dispatch]\n") == []
    assert causes(wrong + "  # unmeta: ignore[module-to-on-meta]\n") == ["to-after-dispatch"]


def test_what_is_not_python_is_refused_with_its_line() -> None:
    with pytest.raises(SourceError, match=r"a\.py:2: not Python"):
        findings('net.to("meta")\nif:\n', "a.py")


ALLOWED = {  # the fix keeps the pattern and removes what makes it fail
    "concurrent-from-pretrained/fix-convert-after-loading.py",
    "init-reads-values-on-meta/fix-build-then-load.py",
    "init-reads-values-on-meta/fix-build-then-load-parameter.py",
    "nested-from-pretrained/fix-build-then-load.py",
}


def test_no_fix_of_the_catalogue_fires_a_rule(root: Path) -> None:
    catalogue = load(root)
    fixes = [
        case.key for case in catalogue.cases() if case.role is Role.FIX and case.key in catalogue.snippets
    ]
    fired = {key for key in fixes if findings(catalogue.snippets[key].text)}
    assert fired <= ALLOWED


def test_each_rule_fires_on_a_broken_snippet_of_its_cause(root: Path) -> None:
    catalogue = load(root)
    fired = {
        case.owner
        for case in catalogue.cases()
        if case.role is Role.BROKEN and case.key in catalogue.snippets
        for found in findings(catalogue.snippets[case.key].text)
        if found.cause == case.owner
    }
    assert SAYS.keys() - fired == set()


def test_no_repaired_program_fires_the_rule_of_its_cause(root: Path) -> None:
    """Imports are followed; one fix leaves the model as it is and calls it another way."""
    fired, kept = [], set()
    for program in load(root).programs.values():
        files = {**program.files, **program.repairs}
        cause = program.claim.cause
        if program.near_miss or not program.repairs or cause not in SAYS:
            continue
        for name in (name for name in files if name.endswith(".py")):
            found = [item for item in findings(files[name], name, files.get) if item.cause == cause]
            if found and program.claim.fix == "build-then-load":
                kept.add(program.key)
            elif found:
                fired.append(f"{program.key}/{name}")
    assert fired == []
    assert kept


def test_no_look_alike_fires_a_rule(root: Path) -> None:
    near = [program for program in load(root).programs.values() if program.near_miss]
    assert near
    for program in near:
        for name, text in program.files.items():
            if name.endswith(".py"):
                assert findings(text, name, program.files.get) == [], program.key
