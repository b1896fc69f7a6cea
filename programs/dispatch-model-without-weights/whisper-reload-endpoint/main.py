"""Hot reload of a speech encoder without a second copy of the weights in memory."""

import asyncio
import logging
import traceback

import torch
from accelerate import dispatch_model, init_empty_weights
from safetensors.torch import load_file
from transformers import WhisperConfig, WhisperModel

log = logging.getLogger("reload")
CONFIG = WhisperConfig(
    vocab_size=40,
    d_model=16,
    encoder_layers=2,
    decoder_layers=1,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    num_mel_bins=4,
    max_source_positions=10,
    max_target_positions=8,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=1,
)
PLACEMENT = {"encoder": "cpu", "decoder": "cpu"}


class Service:
    def __init__(self):
        self.model, self.version = None, 0

    def _swap(self, path):
        with init_empty_weights():
            fresh = WhisperModel(CONFIG)
        fresh = dispatch_model(fresh, PLACEMENT, force_hooks=False)
        fresh.load_state_dict(load_file(path), strict=False, assign=True)
        self.model, self.version = fresh.eval(), self.version + 1

    async def reload(self, path):
        try:
            await asyncio.get_running_loop().run_in_executor(None, self._swap, path)
        except Exception as e:
            log.error("%s: keeping version %d\n%s", path, self.version, traceback.format_exc())
            return {"ok": False, "error": str(e)}
        return {"ok": True, "version": self.version}

    def encode(self, features):
        with torch.no_grad():
            return self.model.encoder(features).last_hidden_state


async def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(66)
    source = WhisperModel(CONFIG).eval()
    source.save_pretrained("v1")
    service = Service()
    reply = await service.reload("v1/model.safetensors")
    print(reply)
    assert reply["ok"], reply["error"]
    features = torch.randn(1, 4, 20)
    torch.testing.assert_close(service.encode(features), source.encoder(features)[0].detach())


asyncio.run(main())
