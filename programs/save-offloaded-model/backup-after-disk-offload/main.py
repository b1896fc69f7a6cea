"""An inference server that writes a backup of its model on shutdown."""

import logging
import signal
import sys

import torch
from accelerate import cpu_offload
from transformers import T5Config, T5ForConditionalGeneration

log = logging.getLogger("server")


def weights(path):
    torch.manual_seed(5)
    config = T5Config(
        vocab_size=48, d_model=16, d_kv=8, d_ff=24, num_layers=1, num_heads=2, decoder_start_token_id=0
    )
    T5ForConditionalGeneration(config).save_pretrained(path)


class Server:
    def __init__(self, path, device):
        self.model = T5ForConditionalGeneration.from_pretrained(path).eval()
        cpu_offload(self.model, execution_device=device)
        self.served = 0

    @torch.no_grad()
    def handle(self, ids):
        self.served += 1
        return self.model(input_ids=ids, decoder_input_ids=ids[:, :2]).logits.argmax(-1).tolist()

    def backup(self, path):
        log.info("writing backup after %d requests", self.served)
        self.model.save_pretrained(path)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(name)s: %(message)s", stream=sys.stderr)
    weights("t5-live")
    server = Server("t5-live", torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    signal.signal(signal.SIGTERM, lambda *_: server.backup("t5-backup"))
    answer = server.handle(torch.arange(2, 9)[None])
    server.backup("t5-backup")
    restored = T5ForConditionalGeneration.from_pretrained("t5-backup").eval()
    with torch.no_grad():
        ids = torch.arange(2, 9)[None]
        again = restored(input_ids=ids, decoder_input_ids=ids[:, :2]).logits.argmax(-1).tolist()
    log.info("backup answers the same: %s", again == answer)
    return 0 if again == answer else 1


if __name__ == "__main__":
    sys.exit(main())
