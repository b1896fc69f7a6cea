import logging
import os

import torch
import torch.distributed as dist
from trainer import Trainer
from transformers import AutoModelForTokenClassification, DistilBertConfig, DistilBertModel

os.environ.setdefault("ACCELERATE_USE_FSDP", "1")
os.environ.setdefault("FSDP_CPU_RAM_EFFICIENT_LOADING", "1")


def encoder(path):
    torch.manual_seed(109)
    config = DistilBertConfig(vocab_size=60, dim=24, hidden_dim=48, n_layers=2, n_heads=2)
    DistilBertModel(config).save_pretrained(path)
    return path


def load(path):
    model = AutoModelForTokenClassification.from_pretrained(path, num_labels=5)
    for module in model.modules():
        if any(p.is_meta for p in module.parameters(recurse=False)):
            module.to_empty(device="cpu", recurse=False)
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.data, 0)
    return model


def main():
    rank = os.environ["RANK"]
    logging.basicConfig(level=logging.INFO, format=f"[{rank}] %(name)s %(levelname)s: %(message)s")
    path = encoder(f"encoder-{rank}")
    dist.init_process_group("gloo")
    torch.manual_seed(int(rank))
    trainer = Trainer(load(path))
    g = torch.Generator().manual_seed(1)
    ids = torch.randint(0, 60, (4, 9), generator=g)
    losses = trainer.baseline(ids, ids % 5)
    logging.info("baseline per rank %s", [round(v, 4) for v in losses])
    dist.barrier()
    dist.destroy_process_group()
    assert abs(losses[0] - losses[1]) < 1e-5


if __name__ == "__main__":
    main()
