"""`strict()` over every model type of transformers: false alarms, planted mixes, overhead.

`python benchmarks/live/models.py ROWS.jsonl [--shard 1/4] [--minutes 10]` appends one line of JSON for each
type; types that the file holds already are left out, so that shards and interrupted runs add up. `--write`
makes the table in results.json of what the file holds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import families
import forks
import page

PROBES = 3
REPEATS = 5


def sweep(case: forks.Case, folder: Path) -> dict[str, Any]:
    """One type: load, train step, generate, planted mixes and overhead."""
    import warnings

    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    kind = case.key
    told: dict[str, Any] = {"end": "passed", "type": kind, "alarms": [], "broke": []}
    model = families.built(kind)
    if model is None:
        return {**told, "end": "not built"}
    told["class"] = type(model).__name__
    told["parameters"] = sum(parameter.numel() for parameter in model.parameters())
    path = str(folder / "model")
    try:
        model.save_pretrained(path)
    except Exception as error:
        return {**told, "end": "not saved", "why": f"{type(error).__name__}: {str(error)[:200]}"}
    loaded = _phase(told, "load", lambda: type(model).from_pretrained(path))
    if loaded is None:
        return told
    given = _inputs(loaded)
    if given is None:
        return told
    told["inputs"] = sorted(given)
    _phase(told, "train", lambda: _train(loaded, given))
    if "input_ids" in given and loaded.can_generate():
        _phase(told, "generate", lambda: _generate(loaded, given))
    told["probes"] = _probes(model, given)
    told["overhead"] = _overhead(model, given)
    return told


def _phase(told: dict[str, Any], name: str, run: Callable[[], Any]) -> Any:
    """Run a phase inside `strict()`; where it fails, see whether it fails without as well."""
    import unmeta

    try:
        with unmeta.strict():
            result = run()
    except unmeta.StrictError as alarm:
        told["alarms"].append([name, str(alarm)[:400]])
        return None
    except Exception as error:
        try:
            run()
        except Exception:
            told.setdefault("fails", []).append(name)
        else:
            told["broke"].append([name, f"{type(error).__name__}: {str(error)[:300]}"])
        return None
    told.setdefault("ran", []).append(name)
    return True if result is None else result


def _inputs(model: Any) -> dict[str, Any] | None:
    import torch

    for given in families.inputs(model):
        try:
            with torch.no_grad():
                model(**given)
            return given
        except Exception:
            continue
    return None


def _loss(output: Any) -> Any:
    import torch

    loss = getattr(output, "loss", None)
    if loss is not None:
        return loss
    tensors = [
        value for value in output.values() if isinstance(value, torch.Tensor) and value.is_floating_point()
    ]
    return sum(value.float().square().mean() for value in tensors)


def _train(model: Any, given: dict[str, Any]) -> None:
    import torch

    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    _loss(model(**given)).backward()
    optimizer.step()
    model.eval()


def _generate(model: Any, given: dict[str, Any]) -> None:
    inputs = {name: value for name, value in given.items() if name not in ("labels", "decoder_input_ids")}
    model.generate(**inputs, max_new_tokens=3, do_sample=False)


def _first(output: Any) -> Any:
    import torch

    return next(
        (value for value in output.values() if isinstance(value, torch.Tensor) and value.is_floating_point()),
        None,
    )


def _probes(model: Any, given: dict[str, Any]) -> list[list[Any]]:
    """Move one tensor at a time to meta: what happens without strict, and is it caught and named with it?"""
    import torch

    import unmeta

    with torch.no_grad():
        expected = _first(model(**given))
    if expected is None or expected.isnan().any():
        return []
    own = [name for name, value in model.named_parameters(remove_duplicate=True) if value.numel()]
    step = max(1, len(own) // PROBES)
    told = []
    for name in own[step // 2 :: step][:PROBES]:
        owner = model.get_submodule(name.rpartition(".")[0])
        leaf = name.rpartition(".")[2]
        if leaf not in owner._parameters:
            continue
        real = owner._parameters[leaf]
        owner._parameters[leaf] = torch.nn.Parameter(real.detach().to("meta"), requires_grad=False)
        try:
            plain = _plain(model, given, expected)
            try:
                with unmeta.strict(), torch.no_grad():
                    model(**given)
                caught = "silent"
            except unmeta.StrictError as alarm:
                caught = (
                    "named"
                    if name in str(alarm) or name in alarm.tensors
                    else f"not named: {str(alarm)[:200]}"
                )
            except Exception as error:
                caught = f"raised {type(error).__name__}"
        finally:
            owner._parameters[leaf] = real
        told.append([name, plain, caught])
    return told


def _plain(model: Any, given: dict[str, Any], expected: Any) -> str:
    import torch

    try:
        with torch.no_grad():
            got = _first(model(**given))
    except Exception:
        return "raises"
    if got is None or got.is_meta or got.shape != expected.shape:
        return "other"
    if got.isnan().any():
        return "nan"
    return "same" if torch.allclose(got, expected, atol=1e-5) else "different"


def _overhead(model: Any, given: dict[str, Any]) -> list[float]:
    """CPU seconds of a forward pass: plain, filled, strict; the least of some."""
    import contextlib

    import torch

    import unmeta

    best = [float("inf")] * 3
    with torch.no_grad():
        for _ in range(REPEATS):
            for at, context in enumerate((contextlib.nullcontext, unmeta.filled, unmeta.strict)):
                with context():
                    model(**given) if at == 2 else None  # the first pass of strict() looks at all parameters
                    started = time.process_time()
                    model(**given)
                    best[at] = min(best[at], time.process_time() - started)
    return best


def larger() -> dict[str, float]:
    """CPU time of a forward pass inside `strict()` by that outside, for models less tiny."""
    import torch
    import transformers

    torch.set_num_threads(1)
    text = {"input_ids": torch.arange(512).reshape(4, 128)}
    sizes = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
    kinds: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "Llama, 4 layers of 256, batch 4 × 128": (
            transformers.LlamaForCausalLM,
            transformers.LlamaConfig(vocab_size=1000, num_key_value_heads=4, **sizes),
            text,
        ),
        "BERT, the same": (transformers.BertModel, transformers.BertConfig(vocab_size=1000, **sizes), text),
        "GPT-2, the same": (
            transformers.GPT2LMHeadModel,
            transformers.GPT2Config(vocab_size=1000, n_embd=256, n_layer=4, n_head=4),
            text,
        ),
        "ViT, the same layers, 4 images of 224 pixels": (
            transformers.ViTModel,
            transformers.ViTConfig(**sizes),
            {"pixel_values": torch.rand(4, 3, 224, 224)},
        ),
        "Llama, the same, one token at a time": (
            transformers.LlamaForCausalLM,
            transformers.LlamaConfig(vocab_size=1000, num_key_value_heads=4, **sizes),
            {"input_ids": torch.arange(1)[None]},
        ),
    }
    found = {}
    for name, (model_class, config, given) in kinds.items():
        model = model_class(config).eval()
        plain, filled, watched = _overhead(model, given)
        found[name] = watched / plain
        found[f"fill {name}"] = filled / plain
    fills = [found.pop(f"fill {name}") for name in kinds]
    found["fill of memory alone, median"] = statistics.median(fills)
    return found


def table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of all types."""
    ran = [name for row in rows for name in row.get("ran", ())]
    probes = [probe for row in rows for probe in row.get("probes", ())]
    silent = [caught for _, plain, caught in probes if plain in ("different", "nan")]
    times = [row["overhead"] for row in rows if row.get("overhead")]
    return {
        "types": len(rows),
        "of": len(families.types()),
        "built": sum("load" in row.get("ran", ()) for row in rows),
        "ran": {name: ran.count(name) for name in ("load", "train", "generate")},
        "alarms": sum(len(row.get("alarms", ())) for row in rows),
        "broke": sum(len(row.get("broke", ())) for row in rows),
        "probes": len(probes),
        "caught": [sum(not caught.startswith(("silent", "raised")) for caught in silent), len(silent)],
        "named": [silent.count("named"), len(silent)],
        "overhead": statistics.median(watched / plain for plain, _, watched in times),
        "filled": statistics.median(filled / plain for plain, filled, _ in times),
    }


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only")
    parser.add_argument("--write", action="store_true", help="keep the figures in results.json")
    chosen = parser.parse_args()
    if chosen.write:
        from unmeta.verify.sandbox import installed

        rows = [json.loads(line) for line in chosen.rows.read_text().splitlines()]
        page.keep({"models": {**table(rows), "larger": larger()}}, installed())
        return
    until = time.monotonic() + 60 * chosen.minutes
    shard, shards = map(int, chosen.shard.split("/"))
    known = set()
    if chosen.rows.exists():
        known = {json.loads(line)["type"] for line in chosen.rows.read_text().splitlines()}
    forks.settle()
    kinds = [
        kind for at, kind in enumerate(families.types()) if at % shards == shard - 1 and kind not in known
    ]
    kinds = [kind for kind in kinds if not chosen.only or kind in chosen.only.split(",")]
    while kinds and time.monotonic() < until:
        batch, kinds = kinds[:16], kinds[16:]
        told = forks.run([forks.Case(kind, {}, (kind,)) for kind in batch], sweep, chosen.jobs, 90)
        with chosen.rows.open("a") as file:
            for kind in batch:
                file.write(json.dumps({"type": kind, **told[kind]}) + "\n")
    print(f"{len(kinds)} types left", file=sys.stderr)


if __name__ == "__main__":
    main()
