"""Build a vector index of documents, batch by batch, with progress and a resume file."""

import json
import logging
from pathlib import Path

import torch
from transformers import AutoModel, BertConfig, BertModel

log = logging.getLogger("index")
LAYOUT = {"embeddings": "cpu", "encoder.layer.0": "disk", "encoder.layer.1": "disk", "pooler": "cpu"}


class Embedder:
    def __init__(self, path, batch_size=4):
        encoder = AutoModel.from_pretrained(path, device_map=LAYOUT, offload_folder=f"{path}/spill")
        self.encoder = encoder.eval()
        self.batch_size = batch_size

    def _collate(self, documents):
        width = max(map(len, documents))
        ids = torch.zeros(len(documents), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, document in enumerate(documents):
            ids[row, : len(document)] = torch.tensor(document)
            mask[row, : len(document)] = 1
        device = self.encoder.device
        return ids.to(device), mask.to(device)

    @torch.no_grad()
    def __call__(self, documents):
        for start in range(0, len(documents), self.batch_size):
            ids, mask = self._collate(documents[start : start + self.batch_size])
            hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
            yield from ((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)).tolist()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-8s %(message)s")
    torch.manual_seed(53)
    config = BertConfig(
        vocab_size=80, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    BertModel(config).save_pretrained("encoder")
    documents = [torch.randint(1, 80, (n,)).tolist() for n in (5, 3, 9, 4, 7)]
    index = Path("index.jsonl")
    done = len(index.read_text().splitlines()) if index.exists() else 0
    log.info("%d of %d documents are indexed", done, len(documents))
    with index.open("a") as f:
        for number, vector in enumerate(Embedder("encoder")(documents[done:]), done):
            f.write(json.dumps({"id": number, "vector": vector}) + "\n")
    vectors = [json.loads(line)["vector"] for line in index.read_text().splitlines()]
    assert len(vectors) == 5
    plain = BertModel.from_pretrained("encoder").eval()
    mean = plain(torch.tensor([documents[1]])).last_hidden_state.mean(1)[0]
    torch.testing.assert_close(torch.tensor(vectors[1]), mean, atol=1e-5, rtol=1e-4)
    log.info("done")


if __name__ == "__main__":
    main()
