"""DQN skeleton with a periodically synchronised target network."""

import json
import sys
import traceback

import torch
from torch import nn

CONF = {"obs": 8, "hidden": 32, "actions": 4, "sync_every": 2, "episodes": 6, "gamma": 0.95}


class QNet(nn.Module):
    def __init__(self, obs, hidden, actions, device=None):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden, device=device), nn.ReLU())
        self.value = nn.Linear(hidden, 1, device=device)
        self.advantage = nn.Linear(hidden, actions, device=device)

    def forward(self, x):
        h = self.body(x)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


class Agent:
    def __init__(self, conf, policy_device):
        size = (conf["obs"], conf["hidden"], conf["actions"])
        self.conf = conf
        self.policy = QNet(*size, device=policy_device)
        self.target = QNet(*size)

    def restore(self, path):
        self.policy.load_state_dict(torch.load(path, weights_only=True), assign=True)

    def sync(self):
        try:
            self.target.load_state_dict(self.policy.state_dict())
        except RuntimeError as e:
            raise RuntimeError("target sync failed") from e

    def episode(self, n):
        if n % self.conf["sync_every"] == 0:
            self.sync()
        obs = torch.randn(16, self.conf["obs"], generator=torch.Generator().manual_seed(n))
        return self.target(obs).max(-1).values.mean().item()


def run():
    torch.manual_seed(4)
    torch.save(QNet(CONF["obs"], CONF["hidden"], CONF["actions"]).state_dict(), "policy.pt")
    agent = Agent(CONF, policy_device="meta")
    for n in range(CONF["episodes"]):
        print(json.dumps({"episode": n, "q": round(agent.episode(n), 4)}))
    for t, p in zip(agent.target.parameters(), agent.policy.parameters()):
        assert torch.equal(t, p)


if __name__ == "__main__":
    try:
        run()
    except RuntimeError as e:
        print(json.dumps({"level": "error", "msg": str(e), "trace": traceback.format_exc()}), file=sys.stderr)
        sys.exit(1)
