"""Whether a tensor looks like memory that nobody wrote. Needs torch; no value is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unmeta.live.places import Held

SAMPLE = 1 << 20
"""Elements of a tensor that are looked at, spread evenly."""
HUGE, TINY = 1e10, 1e-30
"""No initialiser and no trained weight known to us leaves these bounds; old memory often does."""
SHARE = 0.9


def looks_uninitialised(item: Held) -> str | None:
    """What is odd about a tensor, in words; None where nothing is, or where it cannot be looked at.

    Non-finite, huge or denormal numbers, and memory of one repeated byte. Uninitialised memory that holds
    likely numbers is not found: `unmeta.uninitialised()` finds it. Buffers may hold infinities: masks do.
    """
    import torch

    tensor = item.tensor
    local: Any = getattr(tensor, "_local_tensor", tensor)
    usable = type(local) in (torch.Tensor, torch.nn.Parameter) and local.layout is torch.strided
    if not usable or local.is_meta or not local.is_floating_point() or local.numel() == 0:
        return None
    with torch.no_grad():
        flat = local.detach().reshape(-1)
        flat = flat[:: max(1, flat.numel() // SAMPLE)]
        numbers = flat.float() if flat.dtype.itemsize < 4 else flat
        if bool(torch.isnan(numbers).any()):
            return f"NaN in {_share(torch.isnan(numbers))}"
        size = numbers.abs()
        if item.kind == "parameter" and bool(torch.isinf(size).any()):
            return f"infinite in {_share(torch.isinf(size))}"
        finite = size[torch.isfinite(size)]
        odd = (
            (finite > HUGE) & (finite < torch.finfo(flat.dtype).max / 4)
            if item.kind != "parameter"
            else finite > HUGE
        )
        if flat.dtype != torch.float16 and bool(odd.any()):
            return f"larger than {HUGE:g} in {_share(odd)}"
        tiny = (finite < TINY) & (finite > 0)
        if flat.dtype != torch.float16 and bool(tiny.any()) and float(tiny.float().mean()) > 0.01:
            return f"denormal or near it in {_share(tiny)}"
        octets = flat.contiguous().view(torch.uint8)
        first = octets[octets.numel() // 2]
        if int(first) != 0 and float((octets == first).float().mean()) > SHARE:
            return "one byte repeated"
    return None


def _share(mask: Any) -> str:
    count, total = int(mask.sum()), mask.numel()
    return f"{count:,} of {total:,} numbers"


def differs(file: str, tensors: dict[str, Any]) -> dict[str, bool]:
    """Whether tensors differ from those of the same name and shape in a safetensors file, by name.

    Those that the file lacks, or that cannot be compared, are left out; so are all where it cannot be read.
    """
    import sys

    import torch

    safetensors = sys.modules.get("safetensors")
    if safetensors is None:
        return {}
    found = {}
    try:
        with safetensors.safe_open(file, framework="pt") as stored, torch.no_grad():
            known = set(stored.keys())
            for name, tensor in tensors.items():
                if name not in known or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
                    continue
                rows = min(len(tensor), max(1, SAMPLE // max(1, tensor[0].numel())))
                part = stored.get_slice(name)
                if tuple(part.get_shape()) != tuple(tensor.shape):
                    continue
                ours = tensor.detach()[:rows]
                theirs = part[:rows].to(ours.device, ours.dtype)
                found[name] = not bool(torch.allclose(ours.float(), theirs.float(), rtol=1e-2, atol=1e-4))
    except Exception:  # a file that is gone or no safetensors file; a dtype that has no comparison
        return {}
    return found
