"""The job's settings file."""

import json
from pathlib import Path

STAGE = 2


def write(path="job.json"):
    Path(path).write_text(
        json.dumps(
            {
                "checkpoint": "opt-mini",
                "model": {"device_map": "cpu", "dtype": "float32"},
                "deepspeed": {
                    "train_micro_batch_size_per_gpu": 1,
                    "zero_optimization": {"stage": STAGE, "overlap_comm": True},
                },
            }
        ),
        encoding="utf-8",
    )
    return path


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))
