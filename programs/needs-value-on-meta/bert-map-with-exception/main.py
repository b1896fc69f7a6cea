"""Sentence classifier behind a tiny WSGI app; one layer lives on disk."""

import json
import logging
import sys
from wsgiref.util import setup_testing_defaults

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from transformers import BertConfig, BertForSequenceClassification

logging.basicConfig(level=logging.INFO, format="%(levelname)s in %(module)s: %(message)s")
PLACES = {
    "bert.embeddings": "cpu",
    "bert.encoder": "cpu",
    "bert.encoder.layer.1": "disk",
    "bert.pooler": "cpu",
    "dropout": "cpu",
    "classifier": "cpu",
}


def config():
    size = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    return BertConfig(vocab_size=40, max_position_embeddings=16, **size)


def plain():
    torch.manual_seed(66)
    model = BertForSequenceClassification(config()).eval()
    save_file(model.state_dict(), "classifier.safetensors", metadata={"format": "pt"})
    return model


def placed():
    with init_empty_weights():
        model = BertForSequenceClassification(config())
    return load_checkpoint_and_dispatch(
        model, "classifier.safetensors", device_map=PLACES, offload_folder="classifier-disk"
    ).eval()


class App:
    def __init__(self):
        self._model = None

    def model(self):
        if self._model is None:
            self._model = placed()
        return self._model

    def __call__(self, environ, start_response):
        ids = json.loads(environ["QUERY_STRING"])
        try:
            with torch.no_grad():
                body = {"probs": self.model()(torch.tensor([ids])).logits.softmax(-1)[0].tolist()}
            start_response("200 OK", [("Content-Type", "application/json")])
        except ValueError as e:
            logging.exception("Exception on /classify [GET]")
            body = {"error": str(e)}
            start_response("500 Internal Server Error", [("Content-Type", "application/json")])
        return [json.dumps(body).encode()]


def main():
    reference = plain()
    environ = {"QUERY_STRING": "[1, 7, 9, 2]"}
    setup_testing_defaults(environ)
    seen = []
    body = json.loads(App()(environ, lambda status, headers: seen.append(status))[0])
    print(seen[0], body)
    if seen[0] != "200 OK":
        return 1
    want = reference(torch.tensor([[1, 7, 9, 2]])).logits.softmax(-1)[0]
    assert torch.allclose(torch.tensor(body["probs"]), want, atol=1e-5)
    return 0


if __name__ == "__main__":
    sys.exit(main())
