import io
import tarfile

import torch
from accelerate import cpu_offload
from transformers import T5Config, T5ForConditionalGeneration

CONFIG = dict(
    vocab_size=64, d_model=24, d_kv=12, d_ff=48, num_layers=1, num_heads=2, decoder_start_token_id=0
)


def finished_model():
    torch.manual_seed(61)
    model = T5ForConditionalGeneration(T5Config(**CONFIG)).eval()
    return cpu_offload(model, execution_device=torch.device("cpu"))


def archive(model, path, note):
    """One tar with the weights and a note, the format of our artefact store."""
    buffer = io.BytesIO()
    torch.save({k: v.detach() for k, v in model.state_dict().items()}, buffer)
    with tarfile.open(path, "w") as tar:
        for name, data in (("weights.pt", buffer.getvalue()), ("NOTE", note.encode())):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
