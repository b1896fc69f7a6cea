"""Queue worker: one job is one adapter on a shared base."""

import logging
import queue
import traceback

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, MistralConfig, MistralForCausalLM

logging.basicConfig(level=logging.INFO, format="%(process)s %(levelname)s %(message)s")
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2}


def store_base():
    torch.manual_seed(1)
    MistralForCausalLM(MistralConfig(vocab_size=50, num_hidden_layers=2, **SIZES)).save_pretrained("base")


def fetch_base():
    places = dict.fromkeys(("model.embed_tokens", "model.layers", "model.norm", "model.rotary_emb"), "cpu")
    return AutoModelForCausalLM.from_pretrained(
        "base", device_map=places | {"lm_head": "disk"}, offload_folder="tmp"
    )


def attach(base, job):
    config = LoraConfig(r=job["rank"], target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    return get_peft_model(base, config)


def work(jobs):
    done, failed = [], []
    while not jobs.empty():
        job = jobs.get()
        try:
            model = attach(fetch_base(), job).eval()
            with torch.no_grad():
                done.append(model(input_ids=job["ids"]).logits.argmax(-1))
            logging.info("job %s done", job["id"])
        except Exception:
            failed.append(job["id"])
            logging.error("job %s failed\n%s", job["id"], traceback.format_exc())
    return done, failed


if __name__ == "__main__":
    store_base()
    jobs = queue.Queue()
    ids = torch.tensor([[4, 8, 15]])
    for rank in (2, 4):
        jobs.put({"id": f"rank-{rank}", "rank": rank, "device": "cpu", "ids": ids})
    done, failed = work(jobs)
    # a new adapter changes nothing yet
    want = MistralForCausalLM.from_pretrained("base").eval()(ids).logits.argmax(-1)
    raise SystemExit(bool(failed) or not all(torch.equal(d, want) for d in done))
