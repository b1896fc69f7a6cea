"""Session recommender with a projection block, dispatched over CPU and disk."""

import logging
import tempfile

import torch
from accelerate import load_checkpoint_and_dispatch
from recsys import Recommender, train_and_save

log = logging.getLogger("recsys")


def load(path, device_map):
    with torch.device("meta"):
        model = Recommender()
    model = load_checkpoint_and_dispatch(
        model,
        path,
        device_map=device_map,
        offload_folder=tempfile.mkdtemp(dir="."),
        preload_module_classes=["Scorer"],
    )
    log.info("loaded with %s", device_map)
    return model.eval()


def recommend(model, session, k=3):
    with torch.no_grad():
        return model(torch.tensor([session])).topk(k).indices[0].tolist()


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    trained = train_and_save("recsys.pt")
    device_map = {"items": "cpu", "mixer": "cpu", "scorer": "disk"}
    model = load("recsys.pt", device_map)
    for session in ([1, 2, 3], [4, 5]):
        got = recommend(model, session)
        log.info("%s -> %s", session, got)
        assert got == recommend(trained, session)


if __name__ == "__main__":
    main()
