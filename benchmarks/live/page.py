# ruff: noqa: E501
"""The page of figures: made of results.json, and kept fresh by a test."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
PAGE = HERE.parents[1] / "docs" / "guide" / "live-measured.md"
VERSIONS = ("torch", "transformers", "accelerate", "peft", "diffusers")
GROUPS = ("snippets", "seen", "unseen")
GROUPED = ("explain", "doctor", "doctor_on_fixes")
"""Figures of which each is of a group of runs."""

HEAD = """\
---
description: How often the tools in your own process name the right cause, where they are wrong, and what they cost.
---
# How well the live tools do

<div class="um-lead" markdown>

Taken by `nox -s live`, which runs every snippet and program of this project in a fork and asks the tools where it ends. The tools themselves: [In your own process](live.md).

</div>

Programs are split into halves by a hash of their names. The half that was *seen* was read while the tools were made; of the *unseen* half only figures were taken. The split is the second one, because rows of both halves of the first had been looked at: their newest rules were made on the half that is seen now, and older ones on either. The unseen half is not new to the rest either: the search that `explain()` starts from has learnt from every program; the older rules of `scan` were made on a half of the first split, and the counts by cause of what they missed were looked at, which is why programs that are unseen in both splits are counted by themselves. Code of your own will do worse, most of all in the second row; [How well it finds](../finding.md) has figures of the search on pastes that it had not learnt from. The newest rules of `explain()` and `doctor()` (counts of writes, what a hook leaves behind, parameters in dicts, a base that PEFT wrote over) were chosen by the table below: for causes with misses in the unseen half, of which nothing else was looked at.
"""


def keep(figures: dict[str, Any], versions: dict[str, str]) -> None:
    """Add figures to results.json, with day and versions, and write the page anew."""
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    stack = {name: versions[name] for name in VERSIONS if name in versions}
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    figures = {name: _beside(name, known.get(name, {}), found) for name, found in figures.items()}
    known |= figures | {"taken": {**known.get("taken", {}), **dict.fromkeys(figures, day)}, "stack": stack}
    RESULTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")


def _beside(name: str, known: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Figures by group, with those of groups that were not taken now; others as they are."""
    if name == "doctor_of_cause":
        return {cause: {**known.get(cause, {}), **groups} for cause, groups in found.items()}
    return {**known, **found} if name in GROUPED else found


def keep_doctor(rows: list[dict[str, Any]], catalogue: Any) -> None:
    """Keep what doctor says where the first script of each cause fails, with the digest of the script.

    Only where it names the cause, or the state in which things are done to a model; the page of figures tells
    how often it does not.
    """
    said = {
        row["cause"]: {"digest": catalogue.snippets[row["key"]].digest, "says": row["report"]}
        for row in rows
        if row["part"] == "look"
        and row["key"].endswith("/broken.py")
        and row.get("report")
        and row["doctor"][0] in (row["cause"], "empty-init-never-loaded", "offload-warning-benign")
    }
    text = json.dumps(said, indent=1, sort_keys=True, ensure_ascii=False)
    (HERE / "doctor.json").write_text(text + "\n", encoding="utf-8")


def page(figures: dict[str, Any]) -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *_sections(figures)]).rstrip() + "\n"


def _sections(figures: dict[str, Any]) -> Iterator[str]:
    stack = ", ".join(f"{name} {version}" for name, version in figures["stack"].items())
    days = sorted(set(figures["taken"].values()))
    yield f"Taken on {' and '.join(days)} with {stack}, on the CPU.\n"
    if "explain" in figures:
        yield from _explain(figures["explain"])
    if "doctor" in figures:
        yield from _doctor(figures)
    if "strict" in figures:
        yield from _strict(figures["strict"])
    if "models" in figures:
        yield from _models(figures["models"])
    if "scan" in figures:
        yield from _scan(figures["scan"])


def _explain(found: dict[str, Any]) -> Iterator[str]:
    yield "## `explain(exc)`: the right cause first { #explain }\n"
    yield "| | snippets | programs, seen | programs, unseen |\n|---|---|---|---|"
    for key, label in (
        ("told", "the message says that it is about the meta device"),
        ("told_by_text_alone", "… the same without a look at the process"),
        ("bare", "… an expert could not tell it from what was printed"),
        ("silent", "another error, such as the program's own check"),
    ):
        cells = " | ".join(share(found[name][key]) for name in GROUPS)
        yield f"| {label} | {cells} |"
    yield (
        "\nPrograms that catch their error count with the error that they caught. Those that end with an exit "
        "code alone have no exception to explain and are not counted.\n"
    )


def _doctor(figures: dict[str, Any]) -> Iterator[str]:
    yield "## `doctor(model)`: the cause of the state first { #doctor }\n"
    yield "| | snippets | programs, seen | programs, unseen |\n|---|---|---|---|"
    for cause, groups in figures["doctor_of_cause"].items():
        cells = " | ".join(share(groups[name]) for name in GROUPS)
        if any(groups[name][1] for name in groups):
            yield f"| [[{cause}]] | {cells} |"
    cells = " | ".join(share(figures["doctor"][name]) for name in GROUPS)
    yield f"| **all of these** | {cells} |"
    fixed = Counter[str]()
    for group in figures["doctor_on_fixes"].values():
        fixed.update(group)
    yield (
        f"\nCauses that are something done to a model (moved, read, saved) are no state, and not in the table. "
        f"On {fixed['runs']:,} runs of fixes and repaired programs doctor looked at {fixed['models']:,} models: "
        f"in {fixed['with_problem']} runs it found a problem, in {fixed['with_empty_model']} more it said of a "
        "model that is empty, or was emptied, on purpose that it is on meta as a whole.\n"
    )


def _strict(found: dict[str, Any]) -> Iterator[str]:
    yield "## `strict()`: silent failures { #strict }\n"
    yield f"- Of the silent failures of this project raised: {share(found['silent'])}."
    yield f"- Fixes that pass inside it: {share(found['fixes'])}."
    for name, says in found.get("fixes_raised", {}).items():
        yield f"    - `{name}`: {says}."
    if found["not_raised"]:
        names = ", ".join(f"`{name}`" for name in found["not_raised"])
        yield f"- Not raised: {names}. Where that is [[offload-warning-benign]] nothing fails: its script takes the warning for a fault."
    yield ""


def _models(found: dict[str, Any]) -> Iterator[str]:
    yield "## `strict()` over the model types of transformers { #models }\n"
    whole = found["types"] == found["of"]
    part = "" if whole else f", the first of {found['of']:,} by name"
    yield (
        f"{found['types']:,} model types{part}; {found['built']:,} build from a config made small by one rule, are "
        "saved and loaded. Each is loaded, trained for a step and asked to generate, as far as it takes "
        "plain inputs.\n"
    )
    yield "| | |\n|---|---|"
    for name in ("load", "train", "generate"):
        yield f"| {name} | {found['ran'].get(name, 0):,} types |"
    yield f"| false alarms | {found['alarms']} |"
    yield f"| failures that are none without it | {found['broke']} |"
    yield f"| one tensor moved to meta: silently other numbers or NaN, caught | {share(found['caught'])} |"
    yield f"| … and named | {share(found['named'])} |"
    yield f"| CPU time of a forward pass of these tiny models, median | {found['overhead']:.2f} × |"
    yield f"| … of the fill of memory alone | {found['filled']:.2f} × |"
    for name, ratio in found.get("larger", {}).items():
        yield f"| CPU time of a forward pass, {name} | {ratio:.2f} × |"
    yield ""


def _scan(found: dict[str, Any]) -> Iterator[str]:
    libraries = found["libraries"]
    yield "## `unmeta scan`: code alone { #scan }\n"
    yield "| | seen | unseen | of those, unseen in both splits |\n|---|---|---|---|"
    cells = " | ".join(share(found[half]) for half in ("seen", "unseen", "never_seen"))
    yield f"| fires on failing programs of the causes that it has rules for | {cells} |"
    yield (
        f"\nOn repaired programs it names the cause that was mended {found['repaired']} times; besides "
        f"{found['repaired_by_the_caller']} times where the fix leaves the model as it is and calls it another way "
        f"(`build-then-load`). On look-alikes it fires {found['near_misses']} times. Over transformers, accelerate, "
        f"peft and diffusers, {libraries['files']:,} files, it has {len(libraries['findings'])} findings in "
        f"{libraries['cpu_seconds']:.0f} s of CPU time; for 1,000 of them, spread evenly, it takes "
        f"{libraries['cpu_seconds_of_1000']:.1f} s.\n"
    )
    for finding in libraries["findings"]:
        yield f"- `{finding}`"


def share(pair: list[int]) -> str:
    """`12 of 13 (92 %)`; a dash where there is nothing to count."""
    right, count = pair
    return f"{right} of {count} ({100 * right / count:.0f} %)" if count else "–"
