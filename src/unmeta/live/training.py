"""Looks at a model in training: after loading, before training and before each save.

Nothing of the run changes: findings are logged, unless `raises=True` asks for an exception. What fails in
the look itself is logged and passed over.
"""

from __future__ import annotations

import logging
from typing import Any

from unmeta.live.report import MetaTensorError, Report

logger = logging.getLogger("unmeta")


def trainer_callback(raises: bool = False) -> Any:
    """A callback for `transformers.Trainer(callbacks=[...])`.

    It looks at the model when the trainer has it, with the optimizer when training begins, and at the steps
    after which the trainer will save. With `raises`, a problem is a MetaTensorError there. Raises ImportError
    without transformers.
    """
    from transformers import TrainerCallback

    class DoctorCallback(TrainerCallback):  # type: ignore[misc]
        def on_init_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            del args, state, control
            look(more.get("model"), "the trainer has it", raises=raises)

        def on_train_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            del args, state, control
            look(more.get("model"), "training begins", optimizer=more.get("optimizer"), raises=raises)

        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            # The trainer saves before it calls on_save(); what will be saved is known here.
            del args, state
            if control.should_save:
                look(more.get("model"), "it is saved", raises=raises)

        def on_epoch_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            self.on_step_end(args, state, control, **more)

    return DoctorCallback()


def before_saving(accelerator: Any, raises: bool = False) -> Any:
    """Look at every model before `accelerator.save_state()`; what it returns has `.remove()`."""

    def hook(models: Any, weights: Any, output_dir: Any) -> None:
        del weights, output_dir
        for model in models:
            look(accelerator.unwrap_model(model), "it is saved", raises=raises)

    return accelerator.register_save_state_pre_hook(hook)


def look(model: Any, when: str, *, optimizer: Any = None, raises: bool = False) -> Report | None:
    """What doctor says of a model, logged where it is a problem. Raises MetaTensorError with `raises`."""
    from unmeta.live.doctor import examine

    try:
        # A trainer hands on accelerate's wrapper of the optimizer.
        report = examine(model, "model", optimizer=getattr(optimizer, "optimizer", optimizer))
    except Exception as ours:
        logger.warning("could not look at the model before %s (%s)", when, type(ours).__name__)
        return None
    if not report.ok:
        if raises:
            raise MetaTensorError(report)
        logger.warning("before %s: %s", when, report)
    return report
