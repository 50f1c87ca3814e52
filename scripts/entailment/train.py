"""Trains weights/reading/entailment.onnx: whether a sentence follows from a text. See README.md beside this file.

Run by hand, never by the product, on a GPU: python3 scripts/entailment/train.py BEFORE.onnx ROWS.json.gz PAIRS.jsonl.gz OUT
Starts from ms-marco-MiniLM-L-12-v2, learns the pairs, then the rows. Writes OUT/entailment.onnx, the logits of those
rows that `npm run fit:support` fits with, each by a model that saw nothing of its business, and prints how well they tell.
"""

import json
import sys
from pathlib import Path

import numpy as np
import optax
from tokenizers import BertWordPieceTokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reading"))
import bert
from learning import NUMBER, WEIGHTS, area, lines_of, log, predict, trained

PAIR_TOKENS, PAIR_EPOCHS, PAIR_RATE, PAIR_BATCH = (64, 256), 2, 1e-4, 128
ROW_TOKENS, ROW_EPOCHS, ROW_RATE, ROW_BATCH = (192,), 8, 5e-5, 64
FOLDS = 4


class Pairs:
    """Tokens of pairs, the sentence first."""

    def __init__(self, pairs, most):
        tokenizer = BertWordPieceTokenizer(str(WEIGHTS / "vocab.txt"), lowercase=True)
        tokenizer.enable_truncation(most, strategy="only_second")
        read = tokenizer.encode_batch(pairs)
        self.ids = [np.array(each.ids, np.int32) for each in read]
        self.first = [each.type_ids.index(1) for each in read]
        self.lengths = np.array([len(ids) for ids in self.ids])

    def batch(self, places, length):
        ids, types, mask = (np.zeros((len(places), length), np.int32) for _ in range(3))
        for row, at in enumerate(places):
            size = min(len(self.ids[at]), length)
            ids[row, :size], mask[row, :size], types[row, self.first[at] : size] = self.ids[at][:size], 1, 1
        return ids, types, mask

    def batches(self, places, size, lengths, chance):
        """Batches of pairs of like length, in any order; short pairs twice as many at once."""
        found = []
        for shorter, length in zip((0, *lengths), lengths):
            fits = (self.lengths[places] > shorter) & (self.lengths[places] <= length)
            some = chance.permutation(places[fits])
            count = size if length == lengths[-1] else 2 * size
            found += [(some[at : at + count], length) for at in range(0, len(some) - count + 1, count)]
        return [found[at] for at in chance.permutation(len(found))]


def loss(weights, ids, types, mask, follows, key):
    found = bert.logits(weights, ids, types, mask, key, NUMBER)
    return optax.sigmoid_binary_cross_entropy(found, follows).mean()


def learnt(weights, pairs, follows, places, lengths, epochs, rate, size):
    """The weights after they learnt the pairs at `places`."""
    batches = lambda chance: pairs.batches(places, size, lengths, chance)
    batch = lambda some, length: (*pairs.batch(some, length), follows[some].astype(np.float32))
    return trained(weights, batches, batch, loss, epochs, rate)


def read_by(weights, pairs, places, length, size=256):
    """Logits of the pairs at `places`."""
    found = np.zeros(len(places), np.float32)
    for at in range(0, len(places), size):
        some = places[at : at + size]
        whole = np.concatenate([some, np.repeat(some[:1], size - len(some))])
        found[at : at + size] = np.asarray(predict(weights, *pairs.batch(whole, length)))[: len(some)]
    return found


def main():
    before, rows, others, out = sys.argv[1:]
    rows, others, out = lines_of(rows), lines_of(others), Path(out)
    model, weights, quantised = bert.load(before)
    log(len(rows), "rows,", len(others), "pairs")

    pairs = Pairs([(pair["hypothesis"], pair["premise"]) for pair in others], PAIR_TOKENS[-1])
    follows = np.array([pair["follows"] for pair in others])
    is_dev = np.array([pair["isDev"] for pair in others])
    fitted = np.flatnonzero(~is_dev)
    weights = learnt(weights, pairs, follows, fitted, PAIR_TOKENS, PAIR_EPOCHS, PAIR_RATE, PAIR_BATCH)
    for name in sorted({pair["set"] for pair in others}):
        at = np.flatnonzero(is_dev & [pair["set"] == name for pair in others])[:1500]
        if len(at):
            log(f"{name}: {area(follows[at], read_by(weights, pairs, at, PAIR_TOKENS[-1])):.3f} of {len(at)}")

    pairs = Pairs([(row["sentence"], row["evidence"]) for row in rows], ROW_TOKENS[-1])
    follows = np.array([row["isTrue"] for row in rows])
    attempts = np.array([row["isAttempt"] for row in rows])
    held_out = np.array([row["isHeldOut"] for row in rows])
    learn = lambda places: learnt(weights, pairs, follows, places, ROW_TOKENS, ROW_EPOCHS, ROW_RATE, ROW_BATCH)
    whole = learn(np.flatnonzero(~held_out))
    bert.save(model, whole, quantised, out / "entailment.onnx")
    log("saved")

    # Of attempts that it is fitted with, each business is read by a model that saw nothing of it.
    companies = sorted({row["company"] for row in rows})
    fold = np.array([companies.index(row["company"]) % FOLDS for row in rows])
    found = np.zeros(len(rows), np.float32)
    for n in range(FOLDS):
        at = np.flatnonzero(attempts & ~held_out & (fold == n))
        found[at] = read_by(learn(np.flatnonzero(~held_out & ~(attempts & (fold == n)))), pairs, at, ROW_TOKENS[-1])
        log(f"part {n + 1} of the attempts: {area(follows[at], found[at]):.3f} of {len(at)}")
        seen = np.flatnonzero(attempts & ~held_out & (fold <= n))
        logits = [{"id": rows[at]["id"], "logit": round(float(found[at]), 4)} for at in seen]
        (out / "logits.json").write_text(json.dumps(logits))
    log("done")


if __name__ == "__main__":
    main()
