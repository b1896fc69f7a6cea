# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""What CI runs, one session each; `nox -l` lists them, bare `nox` runs lint, check, tests, verify, docs.

pip installs everything: a machine may hold wheels that only pip knows of.
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["lint", "check", "tests", "verify", "docs"]
nox.options.error_on_missing_interpreters = True

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
STACKS = tomllib.loads((ROOT / "kb" / "stacks.toml").read_text(encoding="utf-8"))
REFERENCE = next(name for name, stack in STACKS.items() if stack.get("reference"))


def install(session: nox.Session, *groups: str, stack: str | None = None) -> None:
    """Install dependency groups, the project itself, and the exact packages of a stack."""
    for requirements in requirements_of(*groups, stack=stack):
        session.install(*requirements)


def requirements_of(*groups: str, stack: str | None = None) -> list[list[str]]:
    """What pip is called with, one call after the other."""
    wanted = list(nox.project.dependency_groups(PYPROJECT, *groups))
    pins = [f"{name}=={version}" for name, version in STACKS[stack]["packages"].items()] if stack else []
    # torch first and alone: other packages would otherwise pull a build of their own choice.
    first = [[pin] for pin in pins if pin.startswith("torch==")]
    also = STACKS[stack].get("also", []) if stack else []
    return [*first, [*wanted, *pins, *also], ["--no-deps", "-e", "."]]


@nox.session(venv_backend="none")
def dev(session: nox.Session) -> None:
    """Make the environment that is active one that can record: `nox -s dev`, or `nox -s dev -- newest`.

    Works with any pip: dependency groups are written out, for only pip 25.1 and newer know them.
    """
    stack = session.posargs[0] if session.posargs else REFERENCE
    if stack not in STACKS:
        session.error(f"no stack {stack!r} in kb/stacks.toml; known: {', '.join(STACKS)}")
    wanted, here = STACKS[stack]["python"], ".".join(map(str, sys.version_info[:2]))
    if sys.prefix == sys.base_prefix:
        session.error(f"no environment is active: python{wanted} -m venv .venv && . .venv/bin/activate")
    if here != wanted:
        session.error(f"the stack {stack!r} is of Python {wanted}, this is {here}: no run here counts")
    pip = ("python", "-m", "pip", "install")
    for requirements in requirements_of("tests", "lint", stack=stack):
        session.run(*pip, *requirements)
    session.log("ready: pytest snippets/<entry> --record, unmeta check, unmeta preview <entry>")


@nox.session
def lint(session: nox.Session) -> None:
    """Style, spelling and strict types."""
    install(session, "lint", "docs", "verify")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("codespell")


@nox.session
def check(session: nox.Session) -> None:
    """Every rule of the knowledge base."""
    install(session, "verify")
    session.run("unmeta", "check")


@nox.session
def tests(session: nox.Session) -> None:
    """Tests of the tools and of the whole catalogue; browser tests run in Chromium."""
    install(session, "tests", stack=REFERENCE)
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Lines and branches of src/ that no test reaches, what tests start included: half an hour and more.

    `nox -s coverage -- tests/kb` shows what some tests reach.
    """
    install(session, "tests", stack=REFERENCE)
    session.run("coverage", "erase")
    # Not pytest-cov: our own plugin is imported before it starts, and its lines would count as never run.
    session.run("coverage", "run", "-m", "pytest", "-n", "2", *session.posargs)
    session.run("coverage", "combine", "-q")
    session.run("coverage", "report", "--show-missing", "--skip-covered")


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the judge, the ledger, the loader and their like one bit at a time; list what no test noticed.

    `nox -s mutants -- unmeta.verify.judge --size 30` takes fewer; `mutmut show NAME` prints a survivor.
    """
    install(session, "mutants", stack=REFERENCE)
    session.run("python", "benchmarks/mutants/run.py", *session.posargs)


@nox.session
@nox.parametrize("stack", [nox.param(name, id=name, tags=["stacks"]) for name in STACKS])
def stacks(session: nox.Session, stack: str) -> None:
    """Run every snippet on one stack of kb/stacks.toml: `nox -s "stacks(newest)" -- --record`."""
    install(session, "verify", stack=stack)
    folders = [f"snippets/{entry}" for entry in STACKS[stack].get("entries", [])] or ["snippets"]
    session.run("python", "-m", "pytest", *folders, "-n", "2", "--stack", stack, *session.posargs)


@nox.session
def bisect(session: nox.Session) -> None:
    """Between which releases a snippet's outcome changes, by halving over wheels.

    `nox -s bisect -- snippets/merge-with-offload/broken.py transformers 4.50.3 4.57.6`; `--stack NAME` first
    takes the other packages from that stack, and torch stays the stack's. The environment is spoilt by it.
    """
    args, stack = list(session.posargs), REFERENCE
    if "--stack" in args:
        at = args.index("--stack")
        stack = args[at + 1] if at + 1 < len(args) else ""
        del args[at : at + 2]
    if stack not in STACKS or len(args) < 4:
        session.error("nox -s bisect -- [--stack NAME] SNIPPET PACKAGE OLDER NEWER")
    install(session, "verify", stack=stack)
    session.run("python", "-m", "unmeta.verify.bisect", *args)


@nox.session
def fit(session: nox.Session) -> None:
    """Fit kb/weights.json anew, after entries, reports, programs or runs changed."""
    install(session, "fit")
    session.run("python", "-m", "unmeta.train")


@nox.session
def finding(session: nox.Session) -> None:
    """Grouped cross-validation of the search, beside search engines: at most ten minutes."""
    install(session, "fit")
    session.run("python", "benchmarks/finding/score.py", *session.posargs)


@nox.session
def verify(session: nox.Session) -> None:
    """Run every snippet on the reference stack, judge it, and say where it differs from the recorded runs."""
    install(session, "verify", stack=REFERENCE)
    # A contributed script is untrusted: without walls it is not run here.
    isolate = [] if any(arg.startswith("--isolate") for arg in session.posargs) else ["--isolate", "require"]
    here = ".".join(map(str, sys.version_info[:2]))
    if "--record" in session.posargs or here != STACKS[REFERENCE]["python"]:
        # What another Python shows is judged, and compared with nothing: no run here counts.
        session.run("python", "-m", "pytest", "snippets", "-n", "2", *isolate, *session.posargs)
        return
    fresh = Path(session.create_tmp()) / "runs"
    shutil.rmtree(fresh, ignore_errors=True)
    keep = ["--record", "--record-to", str(fresh)]
    session.run("python", "-m", "pytest", "snippets", "-n", "2", *isolate, *keep, *session.posargs)
    # A file of runs is text that anybody can write: what is recorded is shown beside what happens here.
    session.run("unmeta", "runs", "diff", "--common", ".", str(fresh), success_codes=[0, 1])


LIVE_TESTS = ("doctor", "doctor_rules", "notes", "strict_mode")


@nox.session
@nox.parametrize("stack", [nox.param(name, id=name) for name in STACKS])
def live_on(session: nox.Session, stack: str) -> None:
    """Tests of the live tools on one stack: `nox -s "live_on(torch-2-1)"`."""
    install(session, "verify", stack=stack)
    session.install(
        *[item for item in nox.project.dependency_groups(PYPROJECT, "tests") if "hypothesis" in item]
    )
    files = [f"tests/live/test_{name}.py" for name in LIVE_TESTS]
    session.run("python", "-m", "pytest", *files, "-n", "2", *session.posargs)


@nox.session
def live(session: nox.Session) -> None:
    """Measure the live tools on every snippet and program, half an hour; figures and page are written.

    `nox -s live -- --only TEXT` takes what has TEXT in its name, and writes nothing.
    """
    install(session, "tests", stack=REFERENCE)
    keep = [] if any(arg.startswith("--only") for arg in session.posargs) else ["--write"]
    session.run("python", "benchmarks/live/measure.py", "--half", "both", *keep, *session.posargs)


@nox.session
def live_models(session: nox.Session) -> None:
    """strict() over every model type of transformers: `nox -s live_models -- --shard 1/4`, then `--write`.

    About a quarter of an hour of two cores in all; a file of rows lets shards and interrupted runs add up.
    """
    install(session, "tests", stack=REFERENCE)
    rows = ROOT / ".cache" / "live-models.jsonl"
    rows.parent.mkdir(exist_ok=True)
    session.run("python", "benchmarks/live/models.py", str(rows), "--minutes", "60", *session.posargs)


@nox.session
@nox.parametrize("stack", [nox.param(name, id=name) for name in STACKS])
def programs(session: nox.Session, stack: str) -> None:
    """Run programs on one stack, all or the folders given: `nox -s "programs(reference)" -- --record`."""
    install(session, "verify", stack=stack)
    folders = [] if any(arg.startswith("programs") for arg in session.posargs) else ["programs"]
    session.run("python", "-m", "pytest", *folders, "-n", "2", "--stack", stack, *session.posargs)


def _docs_environment(session: nox.Session) -> dict[str, str]:
    install(session, "docs")
    return {
        "NO_MKDOCS_2_WARNING": "1",
        **{k: os.environ[k] for k in ("OFFLINE", "SITE_URL") if k in os.environ},
    }


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site into site/; every warning is an error."""
    env = _docs_environment(session)
    shutil.rmtree(ROOT / "site", ignore_errors=True)
    session.run("mkdocs", "build", "--strict", *session.posargs, env=env)


@nox.session
def serve(session: nox.Session) -> None:
    """Build the site and serve it on http://127.0.0.1:8000, live with kb/, snippets/ and docs/."""
    env = _docs_environment(session)
    session.run("mkdocs", "serve", *session.posargs, env=env)


@nox.session
def build(session: nox.Session) -> None:
    """Build the wheel and the source archive into dist/."""
    session.install("build", *PYPROJECT["build-system"]["requires"])
    session.run("python", "-m", "build", "--no-isolation", *session.posargs)
