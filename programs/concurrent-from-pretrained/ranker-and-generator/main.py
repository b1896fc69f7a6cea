import logging
import sys

import torch
from agent import Agent, AgentError
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel


def write():
    torch.manual_seed(108)
    bert = BertConfig(
        vocab_size=150, hidden_size=48, num_hidden_layers=5, num_attention_heads=4, intermediate_size=96
    )
    BertForMaskedLM(bert).save_pretrained("retriever")
    gpt2 = GPT2Config(vocab_size=150, n_positions=32, n_embd=48, n_layer=7, n_head=4)
    GPT2LMHeadModel(gpt2).save_pretrained("generator")


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    write()
    answers = []
    agent = Agent()
    for restart in range(12):
        try:
            agent.start()
        except AgentError:
            logging.exception("restart %d", restart)
            return 1
        answers.append(agent.ask([3, 5, 8]))
    logging.info("answers %s", answers)
    return 0 if len(set(answers)) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
