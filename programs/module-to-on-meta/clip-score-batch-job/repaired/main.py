"""Score image-text pairs; results go to stdout as TSV, diagnostics to stderr."""

import sys

import torch
from transformers import CLIPConfig, CLIPModel


def config():
    text = {
        "vocab_size": 48,
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": 12,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    vision = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "image_size": 16,
        "patch_size": 8,
    }
    return CLIPConfig(text_config=text, vision_config=vision, projection_dim=8)


def create(weights):
    try:
        model = CLIPModel(config())
        model.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
        model = model.float().cpu()
    except NotImplementedError as e:
        print(f"ERROR could not place the model: {e}", file=sys.stderr)
        raise
    return model.eval()


@torch.inference_mode()
def score(model, ids, pixels):
    out = model(input_ids=ids, pixel_values=pixels)
    return out.logits_per_image.diagonal()


def main(weights="clip.pt"):
    torch.manual_seed(90)
    reference = CLIPModel(config()).eval()
    torch.save(reference.state_dict(), weights)
    model = create(weights)
    ids = torch.tensor([[1, 5, 6, 2], [1, 7, 8, 2]])
    pixels = torch.randn(2, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    scores = score(model, ids, pixels)
    for n, s in enumerate(scores.tolist()):
        print(f"pair-{n}\t{s:.4f}")
    assert torch.allclose(scores, score(reference, ids, pixels), atol=1e-4)


if __name__ == "__main__":
    main(*sys.argv[1:])
