from torch import nn

PARTS = {}


def part(cls):
    PARTS[cls.__name__] = cls
    return cls


def build(cfg, **extra):
    cfg = {**extra, **cfg}
    return PARTS[cfg.pop("type")](**cfg)


@part
class ConvStack(nn.Sequential):
    def __init__(self, channels, device=None):
        layers = []
        for a, b in zip(channels, channels[1:]):
            layers += [nn.Conv2d(a, b, 3, 2, 1, device=device), nn.BatchNorm2d(b, device=device), nn.ReLU()]
        super().__init__(*layers)


@part
class DenseHead(nn.Module):
    def __init__(self, channels, classes, device=None):
        super().__init__()
        self.tower = nn.Conv2d(channels, channels, 3, 1, 1, device=device)
        self.cls = nn.Conv2d(channels, classes, 1, device=device)

    def forward(self, x):
        return self.cls(self.tower(x).relu())


@part
class SingleStage(nn.Module):
    def __init__(self, backbone, head, device=None):
        super().__init__()
        self.backbone = build(backbone, device=device)
        self.head = build(head, device=device)

    def forward(self, x):
        return self.head(self.backbone(x))
