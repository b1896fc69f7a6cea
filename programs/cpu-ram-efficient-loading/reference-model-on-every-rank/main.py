"""Log-probabilities of a frozen reference model, the first half of a DPO step."""

import launch_env
import torch
import torch.distributed as dist
from transformers import AutoModelForCausalLM, OPTConfig, OPTForCausalLM

PAIR = torch.tensor([[2, 9, 14, 7, 30], [2, 9, 14, 22, 31]])


def save_reference(rank):
    torch.manual_seed(4)
    config = OPTConfig(
        vocab_size=60,
        hidden_size=32,
        ffn_dim=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=32,
        word_embed_proj_dim=32,
    )
    OPTForCausalLM(config).save_pretrained(f"ref-{rank}")
    return f"ref-{rank}"


@torch.no_grad()
def logps(model, ids):
    logits = model(ids).logits[:, :-1].log_softmax(-1)
    return logits.gather(-1, ids[:, 1:, None]).sum((1, 2))


def main():
    rank, world = launch_env.apply()
    path = save_reference(rank)
    dist.init_process_group("gloo")
    reference = AutoModelForCausalLM.from_pretrained(path).eval()
    mine = logps(reference, PAIR)
    everyone = [torch.zeros_like(mine) for _ in range(world)]
    dist.all_gather(everyone, mine)
    if rank == 0:
        for r, values in enumerate(everyone):
            print(f"rank {r}: reference logps {[round(v, 3) for v in values.tolist()]}", flush=True)
    spread = (torch.stack(everyone) - everyone[0]).abs().max().item()
    dist.barrier()
    dist.destroy_process_group()
    if not spread < 1e-4:
        raise FloatingPointError(f"the reference model differs between ranks by {spread}")


main()
