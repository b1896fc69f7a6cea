"""Fine-tune a sentence classifier; started by the cluster's launcher on every rank."""

import logging
import os

import torch
import torch.distributed as dist
from transformers import BertConfig, BertForSequenceClassification, BertModel

# what our accelerate config exports
os.environ.setdefault("ACCELERATE_USE_FSDP", "true")
os.environ.setdefault("FSDP_CPU_RAM_EFFICIENT_LOADING", "true")

log = logging.getLogger("finetune")
RANK = int(os.environ["RANK"])
CKPT = f"bert-{RANK}"


def pretrain():
    torch.manual_seed(77)
    config = BertConfig(
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    BertModel(config).save_pretrained(CKPT)


def evaluate(model, ids, labels):
    model.eval()
    with torch.no_grad():
        loss = model(input_ids=ids, labels=labels).loss
    dist.all_reduce(loss)
    return loss.item() / dist.get_world_size()


def main():
    logging.basicConfig(level=logging.INFO, format=f"[rank{RANK}] %(levelname)s %(message)s")
    pretrain()
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = BertForSequenceClassification.from_pretrained(CKPT, num_labels=3)
    device = torch.device("cpu")
    model.to(device)
    ids, labels = torch.randint(0, 100, (8, 12)), torch.randint(0, 3, (8,))
    loss = evaluate(model, ids, labels)
    log.info("zero-shot loss %.4f", loss)
    assert 0.5 < loss < 2.5
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
