"""Load the base checkpoints of four families into their task classes."""

import torch
import transformers as hf

torch.use_deterministic_algorithms(True)  # torch.empty() is filled with NaN, so untouched memory shows

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
image = {**sizes, "image_size": 8, "patch_size": 4}
text = {**sizes, "vocab_size": 64, "encoder_hidden_size": 32, "bos_token_id": 1, "sep_token_id": 2}
perceiver = hf.PerceiverConfig(d_latents=32, d_model=32, num_self_attends_per_block=1, vocab_size=64)
blip = hf.BlipConfig(text_config=text, vision_config=image, projection_dim=16, image_text_hidden_size=16)
video = hf.VideoMAEConfig(**image, num_frames=2, decoder_hidden_size=32, decoder_num_attention_heads=4)
speech = hf.SpeechT5Config(hidden_size=32, encoder_attention_heads=4, decoder_attention_heads=4)
weight = "speecht5.encoder.prenet.pos_conv_embed.conv.parametrizations.weight.original1"

for base, head, config, name in (
    (hf.PerceiverModel, hf.PerceiverForMaskedLM, perceiver, "embedding_decoder.bias"),
    (hf.BlipModel, hf.BlipForConditionalGeneration, blip, "text_decoder.cls.predictions.bias"),
    (hf.VideoMAEModel, hf.VideoMAEForPreTraining, video, "mask_token"),
    (hf.SpeechT5Model, hf.SpeechT5ForSpeechToText, speech, weight),
):
    base(config).save_pretrained("base")
    assert head.from_pretrained("base").get_parameter(name).isnan().all(), head
    assert not head(config).get_parameter(name).isnan().any(), head
