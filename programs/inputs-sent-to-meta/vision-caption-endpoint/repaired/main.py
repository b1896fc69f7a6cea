"""Image classification endpoint in the style of a serverless handler."""

import base64
import json
import logging
import os

import torch
from transformers import AutoModelForImageClassification, ViTConfig, ViTForImageClassification

logging.basicConfig(level=os.environ.get("LOG_LEVEL", "INFO"), format="%(levelname)s RequestId: %(message)s")
log = logging.getLogger("handler")
MODEL = None


def cold_start():
    global MODEL
    if MODEL is None:
        children = [n for n, _ in ViTForImageClassification(config()).vit.named_children()]
        device_map = {f"vit.{n}": "disk" if n == "embeddings" else "cpu" for n in children}
        MODEL = AutoModelForImageClassification.from_pretrained(
            "vit", device_map=device_map | {"classifier": "cpu"}, offload_folder="off"
        ).eval()
    return MODEL


def config():
    return ViTConfig(
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        image_size=8,
        patch_size=4,
        num_labels=5,
    )


def device_of(model):
    placed = [d for d in model.hf_device_map.values() if d not in ("cpu", "disk")]
    return torch.device(placed[0] if placed else "cpu")


def handler(event, _context=None):
    model = cold_start()
    raw = base64.b64decode(event["body"])
    pixels = torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(1, 3, 8, 8).float() / 255
    try:
        with torch.inference_mode():
            scores = model(pixel_values=pixels.to(device_of(model))).logits.softmax(-1)[0]
        return {"statusCode": 200, "body": json.dumps({"label": int(scores.argmax())})}
    except Exception as e:
        log.exception("%s while handling a request of %d bytes", type(e).__name__, len(raw))
        return {"statusCode": 500, "body": json.dumps({"message": str(e)})}


if __name__ == "__main__":
    torch.manual_seed(7)
    original = ViTForImageClassification(config()).eval()
    original.save_pretrained("vit")
    image = bytes(range(192))
    response = handler({"body": base64.b64encode(image)})
    log.info("%s", response)
    assert response["statusCode"] == 200
    pixels = torch.frombuffer(bytearray(image), dtype=torch.uint8).view(1, 3, 8, 8).float() / 255
    expected = int(original(pixel_values=pixels).logits.argmax())
    assert json.loads(response["body"])["label"] == expected
