"""Replay observations of a robot through a policy checkpoint."""

import argparse
import logging

import torch
from policy import DiffusionPolicy, PolicyConfig
from safetensors.torch import load_file

log = logging.getLogger("replay")


def load(path):
    policy = DiffusionPolicy(PolicyConfig.from_pretrained(path))
    policy.load_state_dict(load_file(f"{path}/model.safetensors"))
    return policy.eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--policy", default="policy")
    parser.add_argument("--frames", type=int, default=4)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(94)
    trained = DiffusionPolicy(PolicyConfig()).eval()
    trained.save_pretrained(args.policy)
    assert "betas" in load_file(f"{args.policy}/model.safetensors")
    observations = torch.randn(args.frames, 6)
    actions = load(args.policy)(observations)
    torch.testing.assert_close(actions, trained(observations))
    log.info("first action %s", actions[0].tolist())


if __name__ == "__main__":
    main()
