"""Federated averaging: the server holds the global model and averages what clients send."""

import torch


class Server:
    def __init__(self, factory):
        # the server never runs the model, so it needs no initial weights
        with torch.device("meta"):
            self.model = factory()

    @torch.no_grad()
    def aggregate(self, updates):
        total = sum(n for n, _ in updates)
        averaged = {name: sum(n / total * state[name] for n, state in updates) for name in updates[0][1]}
        self.model.load_state_dict(averaged, assign=True)
        return averaged

    def broadcast(self):
        return {name: p.detach().clone() for name, p in self.model.named_parameters()}
