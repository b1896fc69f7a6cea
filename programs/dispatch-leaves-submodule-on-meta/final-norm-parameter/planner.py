"""Greedy placement: walk over the tensors, fill memory, put the rest on disk."""


def plan(shapes, budget):
    placement, used = {}, 0
    for name, size in shapes.items():
        used += size
        placement[name] = "cpu" if used <= budget else "disk"
    return placement


def merged(placement, prefixes):
    """Whole blocks stay together: a block goes where its first tensor goes."""
    result = {}
    for name, device in placement.items():
        for prefix in prefixes:
            if name.startswith(prefix + "."):
                result.setdefault(prefix, device)
                break
        else:
            result[name] = device
    return result
