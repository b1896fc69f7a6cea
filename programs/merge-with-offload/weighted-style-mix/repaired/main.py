"""Mix style adapters: 70 % formal, 30 % brief."""

import argparse
import logging
from pathlib import Path

import torch
from peft import PeftModel
from styles import write_base, write_style
from transformers import AutoModelForCausalLM

log = logging.getLogger("mixer")


def open_base(path, offload):
    log.info("base stays in memory, %s is not used", offload)
    return AutoModelForCausalLM.from_pretrained(path)


def mix(base, styles, weights):
    names = list(styles)
    model = PeftModel.from_pretrained(base, styles[names[0]], adapter_name=names[0])
    for name in names[1:]:
        model.load_adapter(styles[name], adapter_name=name)
    log.info("mixing %s with %s", names, weights)
    model.add_weighted_adapter(names, weights, adapter_name="mix", combination_type="linear")
    model.set_adapter("mix")
    return model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="qwen-base")
    ap.add_argument("--offload", type=Path, default=Path("offload"))
    ap.add_argument("--weights", type=float, nargs=2, default=[0.7, 0.3])
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    write_base(args.base)
    styles = {n: write_style(args.base, n, seed) for n, seed in (("formal", 1), ("brief", 2))}
    model = mix(open_base(args.base, args.offload), styles, args.weights)
    with torch.no_grad():
        out = model(input_ids=torch.tensor([[4, 5, 6]])).logits
        with model.disable_adapter():
            plain = model(input_ids=torch.tensor([[4, 5, 6]])).logits
    assert out.isfinite().all()
    assert not torch.allclose(out, plain, atol=1e-5)
    model.save_pretrained("mixed", selected_adapters=["mix"])
    log.info("saved the mix, largest change %.4f", (out - plain).abs().max())


if __name__ == "__main__":
    main()
