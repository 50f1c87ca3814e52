"""Trains weights/reading/relevance.onnx: whether a passage answers what a caller asks. See README.md beside this file.

Run by hand, never by the product, on a GPU: python3 scripts/relevance/train.py BEFORE.onnx ROWS.json.gz QUESTIONS.jsonl.gz OUT
Starts from ms-marco-MiniLM-L-12-v2, learns the public questions, then those of the writers, but for the businesses that stay held
out; with `--last-writer-apart` nothing of the last writer's, to say how well a stranger's are read. Writes OUT/relevance.onnx. `--few`
learns from some of all that, to see that it runs.
"""

import json
import random
import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tokenizers import BertWordPieceTokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reading"))
import bert
from learning import NUMBER, WEIGHTS, area, lines_of, log, predict, trained

LAST_WRITER = "D"
# Tokens of the longest pair, and pairs that are read at once.
SHAPES = ((80, 768), (144, 384), (256, 192)) if "--few" not in sys.argv else ((144, 16), (256, 12))
MOST, GROUPS = SHAPES[-1][0], 256
PASSAGES = 8
PUBLIC_EPOCHS, PUBLIC_RATE = 1, 6e-5
OWN_EPOCHS, OWN_RATE = 5, 5e-5
# A question as it is, or without marks and with some letters wrong.
SPOILT = 0.2
CLS, SEP = 101, 102


def spoilt(question, chance):
    """As a recogniser or a hasty hand leaves it."""
    if chance.random() < 0.6:
        return re.sub(r"[^\w\s'£$€%]", "", question)
    letters = list(question)
    for at in range(1, len(letters) - 1):
        if letters[at].isalpha() and chance.random() < 0.03:
            turn = chance.randrange(3)
            if turn == 0:
                letters[at - 1], letters[at] = letters[at], letters[at - 1]
            else:
                letters[at] = "" if turn == 1 else letters[at] * 2
    return "".join(letters)


class Texts:
    """Tokens of questions and passages, each read once; pairs are cut as the product cuts them."""

    def __init__(self):
        self.tokenizer = BertWordPieceTokenizer(str(WEIGHTS / "vocab.txt"), lowercase=True)
        self.places, self.all = {}, []

    def add(self, texts):
        new = list(dict.fromkeys(text for text in texts if text not in self.places))
        self.places |= {text: len(self.all) + at for at, text in enumerate(new)}
        self.all += [np.array(each.ids, np.int32) for each in self.tokenizer.encode_batch(new, add_special_tokens=False)]

    def length(self, question, passage):
        first = min(len(self.all[self.places[question]]), MOST // 2)
        return min(first + len(self.all[self.places[passage]]) + 3, MOST)

    def arrays(self, pairs, length, count):
        ids, types, mask = (np.zeros((count, length), np.int32) for _ in range(3))
        for row, (question, passage) in enumerate(pairs):
            first = self.all[self.places[question]][: MOST // 2]
            second = self.all[self.places[passage]][: length - 3 - len(first)]
            size = len(first) + len(second) + 3
            ids[row, 0], ids[row, 1 : len(first) + 1], ids[row, len(first) + 1] = CLS, first, SEP
            ids[row, len(first) + 2 : size - 1], ids[row, size - 1] = second, SEP
            types[row, len(first) + 2 : size], mask[row, :size] = 1, 1
        return ids, types, mask


def loss(weights, ids, types, mask, answers, counts, group, key):
    """Whether each passage answers, and which of a question's passages does."""
    found = bert.logits(weights, ids, types, mask, key, NUMBER)
    each = optax.sigmoid_binary_cross_entropy(found, answers)
    most = jax.ops.segment_max(found, group, GROUPS)[group]
    share = jnp.exp(found - jax.lax.stop_gradient(jnp.where(jnp.isfinite(most), most, 0))) * (counts > 0)
    whole = jax.ops.segment_sum(share, group, GROUPS)
    right = jax.ops.segment_sum(share * answers, group, GROUPS)
    is_answered = jax.ops.segment_sum(answers * (counts > 0), group, GROUPS) > 0
    listed = jnp.where(is_answered, jnp.log(whole + 1e-9) - jnp.log(right + 1e-9), 0)
    asked = jnp.maximum((jax.ops.segment_sum(counts, group, GROUPS) > 0).sum(), 1)
    return ((each * counts).sum() + 0.5 * listed.sum()) / asked


class Groups:
    """Questions with passages, drawn anew for every epoch, in batches of pairs of like length."""

    def __init__(self, texts, draw):
        self.texts, self.draw = texts, draw

    def batches(self, numbers):
        chance = random.Random(int(numbers.integers(1 << 30)))
        by_shape = [[] for _ in SHAPES]
        for question, right, wrong in self.draw(chance):
            longest = max(self.texts.length(question, text) for text in (*right, *wrong))
            shape = next(at for at, (length, _) in enumerate(SHAPES) if longest <= length)
            by_shape[shape].append((question, right, wrong))
        found = []
        for (length, count), groups in zip(SHAPES, by_shape):
            chance.shuffle(groups)
            some, pairs = [], 0
            for group in groups:
                size = len(group[1]) + len(group[2])
                if pairs + size > count or len(some) == GROUPS - 1:
                    found.append((some, length, count))
                    some, pairs = [], 0
                some.append(group)
                pairs += size
            if some:
                found.append((some, length, count))
        chance.shuffle(found)
        return found

    def batch(self, groups, length, count):
        answers, counts = np.zeros(count, np.float32), np.zeros(count, np.float32)
        group = np.full(count, GROUPS - 1, np.int32)
        pairs = []
        for number, (question, right, wrong) in enumerate(groups):
            at = len(pairs)
            pairs += [(question, text) for text in (*right, *wrong)]
            answers[at : at + len(right)] = 1
            # Both sides count alike, however many passages do not answer.
            counts[at : at + len(right)] = 0.5 / max(1, len(right))
            counts[at + len(right) : len(pairs)] = (0.5 if right else 1) / max(1, len(wrong))
            group[at : len(pairs)] = number
        return (*self.texts.arrays(pairs, length, count), answers, counts, group)


def learnt(weights, groups, epochs, rate, seed):
    return trained(weights, groups.batches, groups.batch, loss, epochs, rate, seed)


def asked_in_public(questions, spoil):
    def draw(chance):
        for row in questions:
            right = row["passages"][: row["answers"]]
            wrong = row["passages"][row["answers"] :]
            right = chance.sample(right, min(len(right), 1))
            wrong = chance.sample(wrong, min(len(wrong), PASSAGES - 2))
            yield spoil(row["question"], chance), right, wrong

    return draw


def asked_of(businesses, spoil):
    """The passages that the search brings, and those of another business; and the statements of the passage that answers."""
    elsewhere = [text for business in businesses for text in business["texts"]]

    def draw(chance):
        for business in businesses:
            texts = business["texts"]
            for asked in business["questions"]:
                question = spoil(asked["question"], chance)
                near = [texts[at] for at in asked["passages"] if at not in asked["holds"]]
                if asked["isTwo"]:
                    near = []
                wrong = near[: PASSAGES // 2]
                rest = near[PASSAGES // 2 :]
                wrong += chance.sample(rest, min(len(rest), PASSAGES - 3 - len(wrong)))
                wrong += chance.sample(elsewhere, 2)
                if asked["kind"] == "near":
                    yield question, [], wrong
                elif asked["read"]:
                    yield question, [texts[chance.choice(asked["read"])]], wrong
                others = [texts[at] for at in asked["statements"] if at not in asked["told"]]
                if asked["told"] and others and not asked["isTwo"]:
                    wrong = chance.sample(others, min(len(others), PASSAGES - 1))
                    yield question, [texts[chance.choice(asked["told"])]], wrong

    return draw


def read_by(weights, texts, pairs, size=SHAPES[0][1]):
    """Logits of pairs."""
    order = sorted(range(len(pairs)), key=lambda at: texts.length(*pairs[at]))
    found = np.zeros(len(pairs), np.float32)
    for at in range(0, len(order), size):
        some = order[at : at + size]
        longest = texts.length(*pairs[some[-1]])
        length = next(length for length, _ in SHAPES if longest <= length)
        arrays = texts.arrays([pairs[place] for place in some], length, size)
        found[some] = np.asarray(predict(weights, *arrays))[: len(some)]
    return found


def tell(weights, texts, businesses, name):
    """How often the right passage is first of those that the search brings, and whether an answer is told from a near miss."""
    pairs, spans = [], []
    for business in businesses:
        for asked in business["questions"]:
            if asked["passages"] and (asked["kind"] == "near" or asked["isPlaced"]):
                spans.append((asked, len(pairs)))
                pairs += [(asked["question"], business["texts"][at]) for at in asked["passages"]]
    if not pairs:
        return
    found = read_by(weights, texts, pairs)
    first, best, is_answer = {}, [], []
    for asked, at in spans:
        logits = found[at : at + len(asked["passages"])]
        best.append(logits.max())
        is_answer.append(asked["kind"] != "near")
        if asked["kind"] != "near":
            first.setdefault(asked["kind"], []).append(asked["passages"][int(logits.argmax())] in asked["holds"])
    every = [each for kind in first.values() for each in kind]
    told = ", ".join(f"{kind} {100 * np.mean(right):.1f}" for kind, right in first.items())
    log(f"{name}: first {100 * np.mean(every):.1f} % of {len(every)} ({told})")
    best, is_answer = np.array(best), np.array(is_answer)
    if is_answer.any() and not is_answer.all():
        spread = np.percentile(best[is_answer], (10, 50, 90)), np.percentile(best[~is_answer], (10, 50, 90))
        log(f"    answers against near misses {area(is_answer, best):.3f}; logits {spread[0].round(1)} and {spread[1].round(1)}")


def main():
    is_few = "--few" in sys.argv
    before, rows, questions, out = [each for each in sys.argv[1:] if not each.startswith("--")]
    rows, questions, out = lines_of(rows), lines_of(questions), Path(out)
    chance = random.Random(0)
    if is_few:
        rows, questions = rows[:1] + [row for row in rows if row["isHeldOut"]][:1], chance.sample(questions, 20)
        for row in rows:
            row["questions"] = row["questions"][::12]
    model, weights, quantised = bert.load(before)

    texts = Texts()
    wrong = {}
    for row in (*questions, *(asked for business in rows for asked in business["questions"])):
        wrong[row["question"]] = spoilt(row["question"], chance)
    texts.add([*wrong, *wrong.values()])
    texts.add(text for row in questions for text in row["passages"])
    texts.add(text for business in rows for text in business["texts"])
    spoil = lambda question, chance: wrong[question] if chance.random() < SPOILT else question
    log(len(rows), "businesses,", len(questions), "public questions,", len(texts.all), "texts read")

    is_apart = "--last-writer-apart" in sys.argv
    unseen = [row for row in rows if row["isHeldOut"] or (is_apart and row["writer"] == LAST_WRITER)]
    seen = [row for row in rows if row not in unseen]
    tell(weights, texts, unseen, "before")
    weights = learnt(weights, Groups(texts, asked_in_public(questions, spoil)), PUBLIC_EPOCHS, PUBLIC_RATE, 1)
    tell(weights, texts, unseen, "after the public questions")
    weights = learnt(weights, Groups(texts, asked_of(seen, spoil)), OWN_EPOCHS, OWN_RATE, 2)
    tell(weights, texts, seen[:10], "after all, of what it learnt")
    tell(weights, texts, unseen, "after all")
    bert.save(model, weights, quantised, str(out / "relevance.onnx"))
    log("saved")


if __name__ == "__main__":
    main()
