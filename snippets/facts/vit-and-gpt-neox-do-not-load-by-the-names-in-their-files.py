"""Load the files of a ViT and a GPT-NeoX into empty models by accelerate."""

from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import load_file
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, ViTConfig, ViTForImageClassification


def loaded(model, folder):
    """Save the model; say whether the file has the module's names, and whether an empty model takes it."""
    model.save_pretrained(folder)
    same = set(load_file(f"{folder}/model.safetensors")) == set(model.state_dict())
    with init_empty_weights():
        empty = type(model)(model.config)
    try:
        load_checkpoint_and_dispatch(empty, folder, device_map={"": "cpu"})
    except NotImplementedError:
        return same, False
    return same, True


sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
vit = ViTForImageClassification(ViTConfig(image_size=8, patch_size=4, **sizes))
neox = GPTNeoXForCausalLM(GPTNeoXConfig(vocab_size=64, **sizes))
assert loaded(vit, "vit") == (False, False)
assert loaded(neox, "neox") == (False, False)
vit.save_pretrained("modules", save_original_format=False)
assert set(load_file("modules/model.safetensors")) == set(vit.state_dict())
