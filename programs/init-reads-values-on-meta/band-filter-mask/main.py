"""Tag a folder of spectra; one JSON file per run."""

import json
import logging
from pathlib import Path

import torch
import vendor_tagger
from transformers import AutoModel

log = logging.getLogger("tagger")


class ModelUnavailable(Exception):
    pass


def load(folder):
    try:
        return AutoModel.from_pretrained(folder).eval()
    except Exception as e:
        log.error("loading %s failed", folder, exc_info=e)
        raise ModelUnavailable(folder) from e


def tag(model, spectra):
    with torch.no_grad():
        return {name: model(s[None]).sigmoid()[0].gt(0.5).nonzero().flatten().tolist() for name, s in spectra}


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(38)
    source = vendor_tagger.BandTagger(vendor_tagger.TaggerConfig()).eval()
    source.save_pretrained("tagger")
    spectra = [(f"clip{i}.npy", torch.rand(24)) for i in range(3)]
    tags = tag(load(Path("tagger")), spectra)
    Path("tags.json").write_text(json.dumps(tags))
    log.info("tags %s", tags)
    assert tags == tag(source, spectra)


if __name__ == "__main__":
    main()
