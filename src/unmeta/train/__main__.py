"""`python -m unmeta.train`: fit `kb/weights.json` anew. `nox -s fit` runs it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from unmeta.train.build import causes_of, rows_of
from unmeta.train.fit import to_weights
from unmeta.train.measure import fitted

GUESS = 12  # per cent from which on the first cause of a text without a known message is a guess


def main() -> int:
    """Fit the weights of this checkout and write them."""
    parser = argparse.ArgumentParser(prog="python -m unmeta.train", description=__doc__)
    parser.add_argument("--printed", type=Path, help="folder with <cause>--<name>.txt of unrecorded programs")
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[3]
    whole = fitted(rows_of(root, printed=options.printed), causes_of(root))
    weights = to_weights(whole.model, whole.known, whole.heat, whole.sure, GUESS)
    path = root / "kb" / "weights.json"
    path.write_text(to_text(weights), encoding="utf-8", newline="\n")
    print(f"{path.relative_to(root)}: {len(weights['learnt'])} features, one cause from {whole.sure} % on")
    return 0


def to_text(weights: dict[str, Any]) -> str:
    """The weights as JSON with a feature a line, so that a review sees what changed."""
    lines = []
    for key, value in weights.items():
        if key == "learnt":
            rows = [f"  {json.dumps(name)}: {json.dumps(by, sort_keys=True)}" for name, by in value.items()]
            lines.append(f' "{key}": {{\n' + ",\n".join(rows) + "\n }")
        else:
            lines.append(f' "{key}": {json.dumps(value, sort_keys=True)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
