"""What the trainings of scripts/entailment/ and scripts/relevance/ have in common."""

import functools
import gzip
import json
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

import bert

WEIGHTS = Path(__file__).resolve().parents[2] / "weights" / "reading"
NUMBER = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
BEGAN = time.time()

predict = jax.jit(functools.partial(bert.logits, number=NUMBER))


def log(*words):
    print(f"[{time.time() - BEGAN:6.1f}]", *words, flush=True)


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@functools.cache
def step_by(loss):
    """One step of AdamW by a loss. The rate is given to it, so that it is compiled once for all that is learnt one after another."""
    matrices = lambda weights: {name: values.ndim > 1 for name, values in weights.items()}
    optimiser = optax.chain(
        optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(0.01, mask=matrices)
    )

    @jax.jit
    def step(weights, state, rate, key, *arrays):
        value, slope = jax.value_and_grad(loss)(weights, *arrays, key)
        change, state = optimiser.update(slope, state, weights)
        return value, {name: values - rate * change[name] for name, values in weights.items()}, state

    return optimiser.init, step


def trained(weights, batches, batch, loss, epochs, rate, seed=0):
    """Learns by AdamW, warmed up and down again.

    batches(chance) says what each batch of an epoch is made of, batch(*one) makes its arrays, and loss(weights, *arrays, key)
    is what gets less.
    """
    chance = np.random.default_rng(seed)
    # Chance is drawn for every dropped number: by this kind of key in a fraction of the time.
    key = jax.random.key(seed, impl="rbg")
    steps = len(batches(np.random.default_rng(seed))) * epochs
    schedule = optax.warmup_cosine_decay_schedule(0, rate, steps // 10, steps, rate / 50)
    weights = {name: jnp.asarray(values) for name, values in weights.items()}
    init, step = step_by(loss)
    state, done = init(weights), 0
    for epoch in range(epochs):
        losses = []
        for one in batches(chance):
            key, now = jax.random.split(key)
            value, weights, state = step(weights, state, jnp.float32(schedule(done)), now, *batch(*one))
            losses.append(value)
            done += 1
        log(f"epoch {epoch + 1} of {epochs}: loss {np.mean([float(value) for value in losses]):.3f}")
    return {name: np.asarray(values) for name, values in weights.items()}


def area(follows, found):
    """Under the curve: how often of two pairs the one that follows has the higher logit."""
    ranks = np.empty(len(found))
    ranks[np.argsort(found, kind="stable")] = np.arange(1, len(found) + 1)
    count = follows.sum()
    return (ranks[follows].sum() - count * (count + 1) / 2) / (count * (len(found) - count))
