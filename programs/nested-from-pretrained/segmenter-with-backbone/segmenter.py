import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel, ViTConfig, ViTModel


class SegmenterConfig(PretrainedConfig):
    model_type = "mini_segmenter"

    def __init__(self, backbone="backbone-vit", classes=4, **kw):
        self.backbone, self.classes = backbone, classes
        super().__init__(**kw)


class Segmenter(PreTrainedModel):
    config_class = SegmenterConfig

    def __init__(self, config):
        super().__init__(config)
        self.backbone = ViTModel.from_pretrained(config.backbone, add_pooling_layer=False)
        self.classes = nn.Linear(self.backbone.config.hidden_size, config.classes)
        self.post_init()

    def forward(self, tile):
        return self.classes(self.backbone(tile).last_hidden_state[:, 1:])


def release(folder, backbone):
    torch.manual_seed(65)
    vit = ViTConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        image_size=16,
        patch_size=8,
    )
    ViTModel(vit, add_pooling_layer=False).save_pretrained(backbone)
    model = Segmenter(SegmenterConfig(backbone=backbone)).eval()
    nn.init.normal_(model.classes.weight)
    model.save_pretrained(folder)
    return model
