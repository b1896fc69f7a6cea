"""Embed documents with an encoder and the adapter of a customer."""

import logging
import tempfile

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModel, RobertaConfig, RobertaForMaskedLM, RobertaModel

log = logging.getLogger("embed")
BASE, ADAPTER = "roberta-base-tiny", "customer-7"


def files():
    torch.manual_seed(15)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "max_position_embeddings": 30}
    RobertaForMaskedLM(
        RobertaConfig(vocab_size=50, num_hidden_layers=2, num_attention_heads=4, **sizes)
    ).save_pretrained(BASE)
    lora = LoraConfig(r=2, target_modules=["query", "value"], init_lora_weights=False)
    tuned = get_peft_model(RobertaModel.from_pretrained(BASE), lora)
    tuned.save_pretrained(ADAPTER)
    return tuned.eval()


class Embedder:
    def __init__(self, base, adapter):
        places = {"embeddings": "cpu", "encoder.layer.0": "cpu", "encoder.layer.1": "disk", "pooler": "cpu"}
        self.folder = tempfile.TemporaryDirectory()
        encoder = AutoModel.from_pretrained(base, device_map=places, offload_folder=self.folder.name)
        self.model = PeftModel.from_pretrained(encoder, adapter, offload_folder=self.folder.name).eval()
        log.info("adapter %s attached", adapter)

    @torch.no_grad()
    def __call__(self, ids):
        return torch.nn.functional.normalize(self.model(input_ids=ids)[0].mean(1), dim=-1)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
    tuned = files()
    ids = torch.randint(3, 50, (2, 6), generator=torch.Generator().manual_seed(0))
    vectors = Embedder(BASE, ADAPTER)(ids)
    with torch.no_grad():
        want = torch.nn.functional.normalize(tuned(input_ids=ids)[0].mean(1), dim=-1)
    torch.testing.assert_close(vectors, want)
    log.info("similarity %.3f", (vectors[0] @ vectors[1]).item())
