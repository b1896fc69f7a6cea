"""Call a meta skeleton whose head is tied with the parameters of the model."""

import copy

import torch
from torch import nn
from torch.func import functional_call, stack_module_state


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 4)
        self.head = nn.Linear(4, 8, bias=False)
        self.tie()

    def tie(self):
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        return self.head(self.embedding(ids))


model, ids = Tied(), torch.arange(3)
expected = model(ids)
skeleton = copy.deepcopy(model).to("meta")
assert skeleton.head.weight is not skeleton.embedding.weight

parameters = dict(model.named_parameters())
assert set(parameters) == {"embedding.weight"}
assert not torch.allclose(functional_call(skeleton, parameters, (ids,)), expected)
every_name = dict(model.named_parameters(remove_duplicate=False))
assert torch.equal(functional_call(skeleton, every_name, (ids,)), expected)

skeleton.tie()
assert torch.equal(functional_call(skeleton, parameters, (ids,)), expected)
stacked, _ = stack_module_state([model])
assert torch.equal(
    functional_call(skeleton, {"embedding.weight": stacked["embedding.weight"][0]}, (ids,)), expected
)
