"""translate.py --ids 5 6 7 --precision bf16"""

import argparse

import torch
from transformers import AutoModelForCausalLM, GPTNeoXConfig, GPTNeoXForCausalLM

PRECISION = {"fp32": torch.float32, "bf16": torch.bfloat16}
LAYERS = 4


def prepare(folder):
    torch.manual_seed(33)
    config = GPTNeoXConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    GPTNeoXForCausalLM(config).save_pretrained(folder)


def device_map(resident):
    parts = {f"gpt_neox.layers.{i}": "cpu" if i < resident else "disk" for i in range(LAYERS)}
    for name in ("embed_in", "emb_dropout", "final_layer_norm", "rotary_emb"):
        parts[f"gpt_neox.{name}"] = "cpu"
    return parts | {"embed_out": "cpu", "lm_head": "cpu"}


def load(folder, resident, dtype):
    model = AutoModelForCausalLM.from_pretrained(
        folder, device_map=device_map(resident), offload_folder="offload"
    )
    return model.to(dtype).eval()


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ids", type=int, nargs="+", default=[5, 6, 7])
    parser.add_argument("--precision", choices=PRECISION, default="bf16")
    parser.add_argument("--resident", type=int, default=2)
    args = parser.parse_args(argv)
    prepare("neox")
    dtype = PRECISION[args.precision]
    model = load("neox", args.resident, dtype)
    with torch.inference_mode():
        logits = model(torch.tensor([args.ids])).logits
    assert logits.dtype == dtype and logits.isfinite().all()
    print("next token:", logits[0, -1].argmax().item())


if __name__ == "__main__":
    main()
