import json
import logging
import os
import sys
from pathlib import Path

import torch
from transformers import (
    AutoModelForImageClassification,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    ViTConfig,
    ViTForImageClassification,
)

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
log = logging.getLogger("defects")
PLAN = {"model": "vit-defects", "max_memory": {"cpu": "70KB"}, "lr": 0.01, "epochs": 2}


def prepare():
    torch.manual_seed(10)
    config = ViTConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        image_size=16,
        patch_size=8,
    )
    ViTForImageClassification(config).save_pretrained(PLAN["model"])
    Path("plan.json").write_text(json.dumps(PLAN))


class Watch(TrainerCallback):
    """Says at the end of each epoch what one fixed part scores."""

    def on_epoch_end(self, args, state, control, model=None, **kwargs):
        with torch.no_grad():
            score = model(torch.ones(1, 3, 16, 16)).logits.softmax(-1)[0, 1].item()
        log.info("epoch %d: P(defect | white part) %.4f", round(state.epoch), score)


def parts(count=8):
    rng = torch.Generator().manual_seed(2)
    return [{"pixel_values": torch.rand(3, 16, 16, generator=rng), "labels": i % 2} for i in range(count)]


def run(plan):
    model = AutoModelForImageClassification.from_pretrained(
        plan["model"], device_map="auto", max_memory=plan["max_memory"], offload_folder="offload"
    )
    frozen = [n for n, p in model.named_parameters() if not p.requires_grad]
    args = TrainingArguments(
        output_dir="runs",
        num_train_epochs=plan["epochs"],
        learning_rate=plan["lr"],
        use_cpu=True,
        report_to="none",
        save_strategy="no",
    )
    trainer = Trainer(model=model, args=args, train_dataset=parts(), callbacks=[Watch()])
    trainer.train()
    stepped = sum("exp_avg" in s for s in trainer.optimizer.state.values())
    expected = len(list(model.parameters())) - len(frozen)
    log.info("Adam has moments for %d of %d tensors", stepped, expected)
    return stepped == expected


if __name__ == "__main__":
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    prepare()
    sys.exit(not run(json.loads(Path("plan.json").read_text())))
