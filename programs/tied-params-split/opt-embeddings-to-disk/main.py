"""Score continuations with a tied OPT model. Largest modules go to disk first."""

import sys
import traceback

import torch
from transformers import OPTConfig, OPTForCausalLM


def make(path):
    torch.manual_seed(13)
    OPTForCausalLM(
        OPTConfig(
            vocab_size=120,
            hidden_size=16,
            ffn_dim=24,
            num_hidden_layers=2,
            num_attention_heads=2,
            max_position_embeddings=24,
            word_embed_proj_dim=16,
            tie_word_embeddings=True,
        )
    ).save_pretrained(path)


def plan(disk):
    modules = ["embed_tokens", "embed_positions", "final_layer_norm", "layers.0", "layers.1"]
    places = {f"model.decoder.{name}": "disk" if name in disk else "cpu" for name in modules}
    return {**places, "lm_head": "cpu"}


def main():
    make("opt-tied")
    try:
        model = OPTForCausalLM.from_pretrained(
            "opt-tied", device_map=plan(disk=["embed_tokens"]), offload_folder="spill"
        ).eval()
        with torch.no_grad():
            ids = torch.arange(4, 14)[None]
            loss = model(input_ids=ids, labels=ids).loss.item()
    except Exception:
        traceback.print_exc()
        print("scoring failed", file=sys.stderr)
        return 1
    print(f"loss {loss:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
