import json
import os
import sys
import time
import traceback


def emit(kind, **fields):
    record = {"time": round(time.time(), 2), "rank": int(os.environ.get("RANK", 0)), "kind": kind, **fields}
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


class guard:
    """Log the error of a phase as one event and stop the process."""

    def __init__(self, phase):
        self.phase = phase

    def __enter__(self):
        emit("start", phase=self.phase)

    def __exit__(self, kind, error, tb):
        if error is None:
            emit("done", phase=self.phase)
            return False
        emit("error", phase=self.phase, error=f"{kind.__name__}: {error}", trace=traceback.format_exc())
        os._exit(1)
