import argparse
import sys

import torch
from modeling_posenc import PosEncConfig, PosEncTower


class Predictor:
    """What `cog predict` runs: setup once, predict many times."""

    def setup(self, weights):
        self.model = PosEncTower.from_pretrained(weights).eval()

    @torch.inference_mode()
    def predict(self, image, top_k):
        patches = image.unfold(0, 2, 2).unfold(1, 2, 2).reshape(16, 3 * 4)
        scores, labels = self.model(patches[None])[0].topk(top_k)
        return [{"label": int(i), "score": round(float(s), 4)} for s, i in zip(scores, labels)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="weights")
    parser.add_argument("--top-k", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(90)
    trained = PosEncTower(PosEncConfig()).eval()
    trained.save_pretrained(args.weights)
    image = torch.rand(8, 8, 3)
    predictor = Predictor()
    predictor.setup(args.weights)
    result = predictor.predict(image, args.top_k)
    predictor.model = trained
    print(result)
    sys.exit(result != predictor.predict(image, args.top_k))
