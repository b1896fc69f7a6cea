"""One place that opens a base model with an adapter."""

import logging

from peft import PeftConfig, PeftModel
from transformers import AutoModelForCausalLM

log = logging.getLogger(__name__)


class LoadError(RuntimeError):
    pass


def open_adapter(adapter, memory):
    config = PeftConfig.from_pretrained(adapter)
    log.info("base of %s is %s", adapter, config.base_model_name_or_path)
    try:
        base = AutoModelForCausalLM.from_pretrained(
            config.base_model_name_or_path,
            device_map="auto",
            max_memory={"cpu": memory},
            offload_folder="spill",
        )
        return PeftModel.from_pretrained(base, adapter).eval()
    except (NotImplementedError, ValueError, RuntimeError) as e:
        raise LoadError(f"{adapter}: {e}") from e
