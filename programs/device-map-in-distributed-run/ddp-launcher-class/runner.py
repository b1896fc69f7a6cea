"""Base class of our experiments: load, prepare, run, report."""

import os
from dataclasses import dataclass, field

from accelerate import Accelerator
from transformers import AutoModelForSequenceClassification


class ExperimentFailed(Exception):
    pass


@dataclass
class Settings:
    checkpoint: str
    load: dict = field(default_factory=dict)


class Experiment:
    def __init__(self, settings):
        self.settings = settings
        self.rank = int(os.environ.get("RANK", 0))
        self.accelerator = Accelerator(cpu=True)

    def device_map(self):
        return {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu", "classifier": "cpu"}

    def load(self):
        return AutoModelForSequenceClassification.from_pretrained(
            self.settings.checkpoint,
            device_map=self.device_map(),
            offload_folder=f"offload-{self.rank}",
            **self.settings.load,
        )

    def launch(self):
        try:
            self.model = self.accelerator.prepare(self.load())
            result = self.run()
            self.accelerator.wait_for_everyone()
            return result
        except Exception as cause:
            raise ExperimentFailed(f"rank {self.rank}: {type(self).__name__} did not start") from cause
        finally:
            self.accelerator.end_training()
