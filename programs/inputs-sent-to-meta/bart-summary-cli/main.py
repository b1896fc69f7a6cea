import argparse
import sys

import torch
from text import Vocabulary
from transformers import AutoModelForCausalLM, CodeGenConfig, CodeGenForCausalLM

DEMO = "the plot of the film is thin but the actors are good"


def build(path):
    torch.manual_seed(67)
    config = CodeGenConfig(
        vocab_size=64,
        n_positions=64,
        n_ctx=64,
        n_embd=32,
        n_layer=2,
        n_head=4,
        rotary_dim=4,
        bos_token_id=0,
        eos_token_id=2,
    )
    model = CodeGenForCausalLM(config)
    model.save_pretrained(path)
    return model.eval()


def load(path):
    layout = {
        "transformer.wte": "disk",
        "transformer.h.0": "cpu",
        "transformer.h.1": "cpu",
        "transformer.ln_f": "cpu",
        "transformer.drop": "cpu",
        "lm_head": "cpu",
    }
    return AutoModelForCausalLM.from_pretrained(path, device_map=layout, offload_folder=path + "/disk").eval()


def complete(model, ids, device, tokens):
    ids = ids.to(device)
    kwargs = dict(max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False, pad_token_id=1)
    return model.generate(ids, attention_mask=torch.ones_like(ids), **kwargs)[0, ids.shape[1] :]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", default=DEMO)
    parser.add_argument("--tokens", type=int, default=5)
    args = parser.parse_args()
    plain = build("codegen")
    vocabulary = Vocabulary(64)
    ids = vocabulary.encode(args.text)
    model = load("codegen")
    out = complete(model, ids, model.device, args.tokens)
    print(vocabulary.decode(out.tolist()))
    return 0 if torch.equal(out, complete(plain, ids, "cpu", args.tokens)) else 1


if __name__ == "__main__":
    sys.exit(main())
