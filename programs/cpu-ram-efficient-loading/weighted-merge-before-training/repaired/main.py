"""accelerate launch --use_fsdp main.py"""

import logging
import os
import sys

import soup
import torch
import torch.distributed as dist
from transformers import AutoModelForSequenceClassification, RobertaConfig, RobertaForSequenceClassification

os.environ.update(ACCELERATE_USE_FSDP="true", FSDP_CPU_RAM_EFFICIENT_LOADING="true")
RANK = int(os.environ["RANK"])
log = logging.getLogger("soup")


def ingredients():
    config = RobertaConfig(
        vocab_size=60,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=40,
        num_labels=2,
    )
    for seed in (1, 2):
        torch.manual_seed(seed)
        model = RobertaForSequenceClassification(config)
        model.save_pretrained(f"rank{RANK}/run-{seed}")
        yield model, f"rank{RANK}/run-{seed}"


def load(path):
    model = AutoModelForSequenceClassification.from_pretrained(path)
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.data, 0)
    return model


def main():
    logging.basicConfig(level=logging.INFO, format=f"%(levelname)s:rank{RANK}:%(message)s")
    originals, paths = zip(*ingredients())
    expected = soup.fingerprint(soup.average(originals))
    dist.init_process_group("gloo")
    model = soup.average([load(p) for p in paths])
    mark = soup.fingerprint(model)
    marks = [torch.zeros_like(mark) for _ in range(2)]
    dist.all_gather(marks, mark)
    log.info("fingerprint %.3f, all ranks %s", mark, [round(m.item(), 3) for m in marks])
    dist.barrier()
    dist.destroy_process_group()
    return 0 if abs(mark - expected) < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
