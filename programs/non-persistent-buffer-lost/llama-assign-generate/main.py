"""Stream tokens from a model that is loaded without ever holding it twice."""

import argparse
import glob
import logging
import os

import torch
from safetensors.torch import load_file
from transformers import AutoConfig, LlamaConfig, LlamaForCausalLM

log = logging.getLogger("stream")


def download(folder):
    torch.manual_seed(71)
    config = LlamaConfig(
        vocab_size=80,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        eos_token_id=None,
        tie_word_embeddings=False,
    )
    model = LlamaForCausalLM(config).eval()
    model.save_pretrained(folder)
    return model


def load(folder, device):
    config = AutoConfig.from_pretrained(folder)
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    state = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
        state.update(load_file(path, device=device))
    model.load_state_dict(state, strict=True, assign=True)
    log.info("loaded %d tensors, no key missing", len(state))
    return model.eval()


@torch.inference_mode()
def stream(model, ids, n):
    for _ in range(n):
        nxt = model(input_ids=ids, use_cache=False).logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
        yield int(nxt)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="llama")
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--tokens", type=int, default=5)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    original = download(args.folder)
    model = load(args.folder, args.device)
    prompt = torch.tensor([[1, 17, 42]])
    out = list(stream(model, prompt, args.tokens))
    print(*out)
    assert out == list(stream(original, prompt, args.tokens))


if __name__ == "__main__":
    main()
