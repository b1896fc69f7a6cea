"""Images with their metadata, in the manner of medical imaging libraries."""

import torch


class Volume(torch.Tensor):
    @staticmethod
    def of(data, **meta):
        volume = data.as_subclass(Volume)
        volume.meta = dict(meta)
        return volume


def spacing(volume):
    return volume.meta["spacing"]
