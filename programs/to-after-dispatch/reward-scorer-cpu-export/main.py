import json
import logging
from pathlib import Path

import torch
from accelerate.hooks import remove_hook_from_module
from transformers import AutoModelForSequenceClassification, RobertaConfig, RobertaForSequenceClassification

logging.basicConfig(format="[%(levelname)s] %(message)s", level=logging.INFO)
SOURCE, TARGET = Path("reward"), Path("reward-scorer.pt")


def make_checkpoint():
    torch.manual_seed(21)
    config = RobertaConfig(
        vocab_size=60,
        hidden_size=24,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        max_position_embeddings=40,
        num_labels=1,
    )
    RobertaForSequenceClassification(config).save_pretrained(SOURCE)


def load_for_scoring():
    layers = {f"roberta.encoder.layer.{i}": "cpu" if i == 0 else "disk" for i in range(3)}
    device_map = {"roberta.embeddings": "cpu", **layers, "classifier": "cpu"}
    return AutoModelForSequenceClassification.from_pretrained(
        SOURCE, device_map=device_map, offload_folder="scratch"
    ).eval()


@torch.no_grad()
def score(model, ids):
    return model(ids).logits.squeeze(-1)


def publish(model):
    """Workers load the module as one object and know nothing of this machine's devices."""
    model.cpu()
    remove_hook_from_module(model, recurse=True)
    torch.save({"weights": model.state_dict(), "config": model.config.to_dict()}, TARGET)


def worker():
    message = torch.load(TARGET, weights_only=False)
    model = RobertaForSequenceClassification(RobertaConfig(**message["config"]))
    model.load_state_dict(message["weights"])
    return model.eval()


if __name__ == "__main__":
    make_checkpoint()
    ids = torch.randint(3, 60, (2, 9), generator=torch.Generator().manual_seed(0))
    model = load_for_scoring()
    scores = score(model, ids)
    logging.info("scores before export %s", json.dumps([round(s, 4) for s in scores.tolist()]))
    publish(model)
    torch.testing.assert_close(score(worker(), ids), scores)
