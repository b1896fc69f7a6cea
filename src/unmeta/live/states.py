"""In which state of the model each cause is met: what a look at the live model rules out.

*empty*: nothing was loaded, no hooks. *partly*: some tensors are real, others on meta, no hook brings them
in. *offloaded*: hooks bring every meta tensor in. *split*: shards of a distributed model. *real*: nothing
is on meta. A test keeps this table complete.
"""

from __future__ import annotations

EMPTY, PARTLY, OFFLOADED, SPLIT, REAL = "empty", "partly", "offloaded", "split", "real"

STATES: dict[str, frozenset[str]] = {
    cause: frozenset(states.split())
    for cause, states in {
        "activation-checkpointing-on-meta": "empty partly real",
        "adapter-left-on-meta": "partly offloaded",
        "autocast-on-meta": "empty partly offloaded",
        "checkpoint-contains-meta-tensors": "empty partly offloaded real",
        "checkpoint-is-a-hub-name": "empty partly real",
        "concurrent-from-pretrained": "empty partly real",
        "cpu-ram-efficient-loading": "empty partly",
        "converted-checkpoint-names": "partly empty real",
        "data-dependent-op-on-meta": "empty partly real",
        "deepspeed-inference-on-meta": "empty partly real",
        "default-device-leak": "empty partly real",
        "device-map-in-distributed-run": "offloaded partly empty",
        "diffusers-offload": "offloaded",
        "diffusers-single-file-config": "partly empty",
        "dispatch-leaves-submodule-on-meta": "partly offloaded",
        "dispatch-model-without-weights": "empty partly",
        "empty-init-never-loaded": "empty partly",
        "fake-tensor-mode-mix": "empty partly real",
        "fsdp-meta-init": "empty partly split",
        "fsdp2-meta-init": "empty partly split",
        "functional-copy-on-meta": "empty partly real",
        "hooks-removed-or-copied": "partly offloaded",
        "in-place-write-on-meta-no-op": "empty partly",
        "init-reads-values-on-meta": "empty partly",
        "inputs-sent-to-meta": "offloaded",
        "library-pins-mismatch": "empty partly offloaded real",
        "loaded-weights-initialised-again": "real partly",
        "load-state-dict-no-op": "empty partly",
        "merge-with-offload": "offloaded",
        "meta-state-dict-into-real-module": "real empty",
        "mismatched-or-new-head": "partly real offloaded",
        "missing-keys-left-on-meta": "partly empty",
        "mixed-meta-and-real-op": "empty partly real",
        "mixed-op-returns-garbage": "empty partly real offloaded",
        "module-to-on-meta": "empty",
        "moved-to-meta-to-free": "empty partly",
        "needs-value-on-meta": "empty partly offloaded",
        "nested-from-pretrained": "empty partly",
        "no-meta-kernel": "empty partly real",
        "non-persistent-buffer-lost": "partly real",
        "offload-folder-missing": "empty partly offloaded real",
        "offload-folder-reused": "offloaded partly",
        "offload-warning-benign": "offloaded",
        "offloaded-weight-changed": "offloaded",
        "offloaded-weight-read-directly": "offloaded",
        "optimizer-before-materialise": "real empty",
        "overlapping-empty-init": "empty partly",
        "peft-offload-key-mismatch": "offloaded partly",
        "peft-overwrites-base-checkpoint": "offloaded partly",
        "pipeline-device-conflict": "offloaded real",
        "quantise-offloaded-model": "offloaded",
        "quantised-state-on-meta": "offloaded partly",
        "save-meta-tensors": "empty partly",
        "save-offloaded-model": "offloaded",
        "sentence-transformers-device": "empty partly offloaded",
        "silent-offload-does-not-fit": "offloaded",
        "tensor-parallel-meta": "split empty partly",
        "tensor-read-on-meta": "empty partly",
        "tied-params-split": "offloaded partly",
        "tied-weights-broken": "partly real",
        "to-after-dispatch": "offloaded",
        "to-empty-uninitialised": "real",
        "torch-load-to-meta": "empty partly real",
        "torch-too-old-for-meta": "empty partly real",
        "trainer-moves-dispatched": "offloaded",
        "wrapper-bypasses-dispatch-guard": "offloaded",
        "zero3-conflict": "empty partly real",
    }.items()
}

LOOKED_FOR = frozenset(
    {
        "adapter-left-on-meta",
        "dispatch-leaves-submodule-on-meta",
        "hooks-removed-or-copied",
        "non-persistent-buffer-lost",
        "overlapping-empty-init",
        "quantised-state-on-meta",
        "tied-weights-broken",
    }
)
"""Causes that a look at the model and the process finds; where it does not, they come last."""

GENERIC = frozenset(
    {
        "empty-init-never-loaded",
        "missing-keys-left-on-meta",
        "moved-to-meta-to-free",
        "offload-warning-benign",
    }
)
"""Causes that a look at the model names where it knows nothing narrower; the traceback may know more."""

HOME: dict[str, frozenset[str]] = {
    cause: frozenset(states.split())
    for cause, states in {
        "checkpoint-contains-meta-tensors": OFFLOADED,
        "cpu-ram-efficient-loading": PARTLY,
        "diffusers-single-file-config": PARTLY,
        "dispatch-model-without-weights": EMPTY,
        "empty-init-never-loaded": EMPTY,
        "fsdp-meta-init": f"{EMPTY} {SPLIT}",
        "fsdp2-meta-init": f"{EMPTY} {SPLIT}",
        "missing-keys-left-on-meta": PARTLY,
        "moved-to-meta-to-free": EMPTY,
        "offload-folder-reused": OFFLOADED,
        "tied-weights-broken": PARTLY,
    }.items()
}
"""The state in which a cause is met most, of those that can be; where none is named, all alike."""

PACKAGES = {
    "adapter-left-on-meta": "peft",
    "diffusers-offload": "diffusers",
    "diffusers-single-file-config": "diffusers",
    "peft-offload-key-mismatch": "peft",
    "peft-overwrites-base-checkpoint": "peft",
    "sentence-transformers-device": "sentence_transformers",
}
"""The package of which some class of the model must be."""

SPLIT_RUNS = frozenset(
    {
        "cpu-ram-efficient-loading",
        "device-map-in-distributed-run",
        "fsdp-meta-init",
        "fsdp2-meta-init",
        "tensor-parallel-meta",
        "zero3-conflict",
    }
)
"""Causes that are met in a distributed run only."""

TOLD = frozenset({"library-pins-mismatch"})
"""Causes that a person's words tell (it worked before), and no exception by itself does."""

UNLIKE_BUILT = frozenset({"in-place-write-on-meta-no-op", "load-state-dict-no-op", "moved-to-meta-to-free"})
"""Causes that change a layer's tensors, or write into them, after it was built on meta."""

HINTED = frozenset({"in-place-write-on-meta-no-op", "moved-to-meta-to-free"})
"""Causes of `unmeta.live.written`: a hint between causes that the text knows, and no answer beside them."""
