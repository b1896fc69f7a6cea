"""Findings: what is wrong in the knowledge base, where, and what to do; and the names of all rules."""

from __future__ import annotations

from dataclasses import dataclass

RULES: dict[str, str] = {
    # a file by itself
    "no-catalogue": "the folder holds no knowledge base",
    "no-stacks": "kb/stacks.toml names at least one stack",
    "bad-toml": "kb/stacks.toml is TOML",
    "bad-json": "kb/reports.jsonl holds one JSON object a line",
    "one-reference": "exactly one stack is the reference",
    "stray-file": "only entries live in the folders of kb/",
    "bad-id": "an id is lower-case words joined by single hyphens",
    "too-large": "an entry is a small file",
    "too-many-values": "an entry holds a bounded number of values",
    "anchor": "an entry is written out, without anchors and aliases",
    "tag": "an entry is written without tags",
    "unreadable": "files are UTF-8 text",
    "not-a-file": "what is contributed are files and folders, no links, pipes or devices",
    "control-character": "text holds no characters that steer a terminal or turn its reading direction",
    "bad-yaml": "an entry is YAML",
    "tab": "YAML is indented with spaces",
    "not-an-entry": "an entry is a mapping of keys to values",
    "bad-key": "keys are plain words",
    "duplicate-key": "a key stands once",
    "repeated-id": "the file name is the id; ids within an entry differ",
    "unknown-key": "keys are those of the schema",
    "missing-key": "required keys are present",
    "bad-value": "values are of the kind the schema says",
    # entries together
    "unknown-symptom": "symptoms that are named exist",
    "unknown-in-clue": "clues name symptoms and wordings that exist",
    "unknown-cause": "related causes, and those of reports, exist",
    "home-folder": "reports and scripts name nobody's home folder",
    "repeated-report": "a public report is labelled once",
    "unknown-face": "faces that are named exist",
    "unknown-fix": "fixes that a face names exist",
    "id-taken": "ids of all kinds differ",
    "alias-taken": "an alias belongs to one entry",
    "tells-two": "a symptom names at most one cause alone",
    "orphan-symptom": "every symptom has a cause",
    "ends-too-early": "an exception or a silent result ends a run",
    "prints-no-text": "what a fix or fact prints is a warning or a log record",
    "open-end": "a run ends with an exception or a silent result",
    "no-fix": "every cause has a fix",
    "too-many-unproved": "at most three causes are unproved",
    "package-nowhere": "what an entry needs is on a stack",
    # snippets
    "missing-snippet": "every claim has its snippet",
    "unclaimed-snippet": "every snippet has its claim",
    "bad-python": "snippets are Python",
    "too-long": "snippets are short",
    "no-docstring": "a snippet says what the person is doing",
    "misplaced-marker": "`# code` and `# goal` divide a snippet between statements",
    "other-stage": "fixes and traps have the stage of the broken snippet, imports aside",
    "no-code": "a snippet of a cause marks the reader's part",
    "no-goal": "a snippet of a cause ends in its goal",
    "no-assert": "goals and facts assert something",
    "other-goal": "fixes and traps share the goal of the broken snippet",
    "same-as-broken": "fixes and traps differ from the broken snippet",
    "staged": "errors come from the library",
    "early-assert": "assertions stand below the goal marker",
    "imports-unmeta": "snippets run without this project",
    # programs
    "no-claim": "a program says what it shows",
    "program-elsewhere": "a program lies in the folder of its cause",
    "program-repair": "the repaired copy of a program holds the files that differ, and only them",
    "program-start": "a program's command line starts one of its files",
    # finding
    "bad-template": "a wording is literal text with named holes",
    "near-miss-matches": "a near miss matches no wording of its symptom",
    "same-wording": "a wording belongs to one symptom",
    "not-told-apart": "two causes of one symptom differ by a clue",
    "noise-hides": "a message that is passed over is no symptom",
    # proof
    "bad-runs": "a file of kb/runs is as the recorder wrote it",
    "large-runs": "a file of kb/runs is small enough to be reviewed",
    "needless-noise": "messages that are passed over are still printed",
    "stale-run": "runs of the reference stack are of the snippets as they are",
    "run-contradicts": "no recorded run contradicts its entry",
    "wording-never-seen": "a wording is printed by a run, or says why none prints it",
    # prose
    "dead-link": "[[id]] names an entry",
    "long-summary": "a summary has at most two sentences",
    "filler": "words that carry nothing are left out",
    "first-person": "the guide speaks of the reader's program",
}

PENDING: set[str] = set()
"""Rules that entries do not yet keep: `unmeta check` counts them, `--pending` lists them, none fails it.

A rule leaves this set, and so becomes an error, with the commit that mends its last finding.
"""


def named(rule: str, says: str) -> str:
    """Register a rule's name with what it asks for; returns the name. Written beside the rule itself."""
    RULES[rule] = says
    return rule


@dataclass(frozen=True, order=True)
class Finding:
    """Something wrong: file, line (from 1), rule (a key of RULES), what is wrong, what to do."""

    path: str
    line: int
    rule: str
    message: str
    remedy: str

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"{self.rule!r} is not in unmeta.kb.findings.RULES; add it with its meaning")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.message}\n    → {self.remedy}"
