import datetime
import logging
import os
import sys

import torch
from accelerate.utils.modeling import get_state_dict_offloaded_model
from transformers import AutoModel, DistilBertConfig, DistilBertModel

log = logging.getLogger("snapshot")
CONFIG = DistilBertConfig(
    vocab_size=64, dim=32, hidden_dim=64, n_layers=3, n_heads=4, max_position_embeddings=24
)


class Snapshotter:
    """Keeps the last `keep` snapshots in a folder."""

    def __init__(self, folder, keep=2):
        self.folder, self.keep = folder, keep
        os.makedirs(folder, exist_ok=True)

    def write(self, model, stamp):
        path = os.path.join(self.folder, f"{stamp:%Y%m%d}.pt")
        torch.save({"state": get_state_dict_offloaded_model(model), "stamp": stamp.isoformat()}, path)
        for old in sorted(os.listdir(self.folder))[: -self.keep]:
            os.remove(os.path.join(self.folder, old))
        log.info("%s: %d KB", path, os.path.getsize(path) // 1024)
        return path


def serve():
    places = {f"transformer.layer.{i}": "disk" for i in range(3)} | {"embeddings": "cpu"}
    return AutoModel.from_pretrained("encoder", device_map=places, offload_folder="offload").eval()


def restore(path):
    model = DistilBertModel(CONFIG)
    saved = torch.load(path, map_location="cpu")
    model.load_state_dict(saved["state"])
    log.info("restored the snapshot of %s", saved["stamp"])
    return model.eval()


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s", stream=sys.stdout)
    torch.manual_seed(77)
    DistilBertModel(CONFIG).save_pretrained("encoder")
    ids = torch.tensor([[5, 6, 7, 8]])
    live = serve()
    with torch.no_grad():
        want = live(ids)[0]
    path = Snapshotter("snapshots").write(live, datetime.date(2024, 5, 1))
    with torch.no_grad():
        got = restore(path)(ids)[0]
    torch.testing.assert_close(got, want)


if __name__ == "__main__":
    main()
