"""Consumer side: open the artefact and translate a test sentence."""

import io
import logging
import tarfile

import publish
import torch
from transformers import T5Config, T5ForConditionalGeneration

log = logging.getLogger("artefact")


class BrokenArtefact(Exception):
    pass


def open_artefact(path):
    with tarfile.open(path) as tar:
        log.info("note: %s", tar.extractfile("NOTE").read().decode())
        weights = torch.load(io.BytesIO(tar.extractfile("weights.pt").read()), weights_only=True)
    model = T5ForConditionalGeneration(T5Config(**publish.CONFIG))
    try:
        model.load_state_dict(weights)
    except Exception as e:
        log.error("weights of %s do not load: %s", path, e)
        raise BrokenArtefact(path) from e
    return model.eval()


def logits(model):
    with torch.no_grad():
        return model(input_ids=torch.tensor([[7, 3, 1]]), decoder_input_ids=torch.tensor([[0, 9]])).logits


def main():
    logging.basicConfig(level=logging.INFO)
    trained = publish.finished_model()
    want = logits(trained)
    publish.archive(trained, "t5.tar", "bleu 31.2")
    torch.testing.assert_close(logits(open_artefact("t5.tar")), want)
    log.info("artefact verified")


if __name__ == "__main__":
    main()
