"""Gathers pairs of texts of which people said whether the second follows from the first, for train.py.

Run by hand, never by the product: python3 scripts/entailment/gather.py CHECKOUTS PAIRS.jsonl
CHECKOUTS holds the repositories that README.md beside this file names, each in the folder named there.
Writes a line a pair: {"set", "isDev", "premise", "hypothesis", "follows"}.
"""

import csv
import json
import re
import sys
from pathlib import Path

csv.field_size_limit(10**9)
FOLLOWS = {"entailment", "entailed", "e", "True", "supported", "fully attributable", "strengthener"}


def table(path, delimiter="\t", encoding="utf-8-sig"):
    """The rows of a table with names in its first line."""
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    with open(path, encoding=encoding, errors="replace", newline="") as lines:
        yield from csv.DictReader(lines, delimiter=delimiter, quoting=quoting)


def lines_of(path):
    """The objects of a file with one a line."""
    with open(path, encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def columns(rows, premise, hypothesis, label):
    """Three columns of a table."""
    return ((row.get(premise), row.get(hypothesis), row.get(label)) for row in rows)


def sentences(rows):
    return columns(rows, "sentence1", "sentence2", "gold_label")


def new_protocols(root, part):
    kinds = ("base", "contrast", "edit_other", "edit_premise", *(("paragraph",) if part == "val" else ()))
    for kind in kinds:
        yield from sentences(table(root / f"data/{kind}/{part}.tsv"))


def mnli_sample(path):
    for row in json.loads(path.read_text("utf-8")):
        found = re.match(r"sentence 1: (.*?)\nsentence 2: (.*)$", row["sentence"], re.S)
        if found:
            yield *found.groups(), row["label"]


def scone(folder):
    for path in sorted(folder.glob("*.csv")):
        for row in table(path, ","):
            yield tuple(row.get(f"{k}_edited") or row.get(k) for k in ("sentence1", "sentence2", "gold_label"))


def three_fields(path):
    with open(path, encoding="utf-8") as lines:
        for fields in (line.rstrip("\n").split("\t") for line in lines):
            if len(fields) == 3:
                yield fields[1], fields[2], fields[0]


def folio(path):
    return ((" ".join(row["premises"]), row["conclusion"], row["label"]) for row in lines_of(path))


def defeasible(folder, part):
    for source in ("atomic", "snli"):
        for row in lines_of(folder / f"defeasible-{source}/{part}.jsonl"):
            if row.get("Update"):
                yield f"{row.get('Premise') or ''}. {row['Update']}", row["Hypothesis"], row["UpdateType"]


def begin(path):
    for row in table(path):
        yield row["knowledge"], row["response"], row["begin_label"].strip().lower()


def summedits(folder):
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text("utf-8")):
            yield row["doc"], row["summary"], "entailment" if row["label"] == 1 else "no"


def defacto(path):
    return ((row["article"], row["candidate"], "no" if row["has_error"] else "entailment") for row in lines_of(path))


def wice(path):
    return ((" ".join(row["evidence"]), row["claim"], row["label"]) for row in lines_of(path))


def contracts(path):
    """A clause that is not mentioned is put beside the three passages that share most words with it."""
    words = lambda text: set(re.findall(r"[a-z]{4,}", text.lower()))
    read = json.loads(path.read_text("utf-8"))
    for document in read["documents"]:
        spans = [document["text"][a:b] for a, b in document["spans"]]
        for name, annotation in document["annotation_sets"][0]["annotations"].items():
            clause = read["labels"][name]["hypothesis"]
            near = annotation["spans"]
            if annotation["choice"] == "NotMentioned":
                likeness = lambda at: -len(words(clause) & words(spans[at]))
                near = sorted(sorted(range(len(spans)), key=likeness)[:3])
            if near:
                yield " ".join(spans[at] for at in near), clause, annotation["choice"].lower()


def sets(root):
    """Name, whether it is for looking only, pairs."""
    yield "new-protocols", False, new_protocols(root / "new-protocols", "train")
    yield "new-protocols", True, new_protocols(root / "new-protocols", "val")
    csvs = root / "nlids/nli_datasets"
    for name in ("mnli", "snli"):
        yield name, False, columns(table(csvs / name / "dev.csv", ","), "premise", "hypothesis", "label")
    yield "mnli", False, mnli_sample(root / "olora/CL_Benchmark/NLI/MNLI/train.json")
    for file, is_dev in (("adversarial_train_15k", False), ("conj_dev", True)):
        rows = table(root / f"conjnli/data/NLI/{file}.tsv")
        yield "conjnli", is_dev, columns(rows, "Premise", "Hypothesis", "Label")
    for file, is_dev in (("train", False), ("dev", True)):
        yield "counterfactual", is_dev, sentences(table(root / f"cad/NLI/all_combined/{file}.tsv"))
    for file in ("MNLI", "RTE", "SNLI"):
        rows = table(root / f"negnli/data/new_benchmarks/clean_data/{file}.txt", encoding="cp1252")
        yield "negation", False, columns(rows, "Text", "Hypothesis", "gold_label")
    for part, is_dev in (("train", False), ("test", True)):
        yield "scone", is_dev, scone(root / "scone/scone_nli" / part)
    for path in sorted((root / "help/output_en").glob("*.tsv")):
        yield "help", False, columns(table(path), "ori_sentence", "new_sentence", "gold_label")
    yield "med", False, sentences(table(root / "med/MED.tsv"))
    for part, is_dev in (("train", False), ("validation", True)):
        yield "folio", is_dev, folio(root / f"folio/data/v0.0/folio-{part}.jsonl")
    for part, is_dev in (("test", False), ("dev", True)):
        yield "defeasible", is_dev, defeasible(root / "defeasible/data/defeasible-nli", part)
        yield "fever", is_dev, three_fields(root / f"docnli/Data/binary-FEVER-NLI/{part}.txt")
        yield "wice", is_dev, wice(
            root / f"wice/code_and_resources/entailment_inputs/oracle_chunks/claim/{part}.jsonl"
        )
    yield "summedits", False, summedits(root / "summedits/data/summedits")
    yield "begin", False, begin(root / "begin/wow/begin_test_wow.tsv")
    yield "begin", False, begin(root / "begin/cmu-dog/begin_dev_cmu.tsv")
    yield "begin", True, begin(root / "begin/wow/begin_dev_wow.tsv")
    for part, is_dev in (("train", False), ("test", True)):
        yield "defacto", is_dev, defacto(root / f"defacto/data/{part}.jsonl")
    for part, is_dev in (("test", False), ("train_truncated", False), ("dev", True)):
        yield "contracts", is_dev, contracts(root / f"contract-nli/data/contract-nli/{part}.json")


def main():
    root, out = Path(sys.argv[1]), sys.argv[2]
    seen, counts = set(), {}
    with open(out, "w", encoding="utf-8") as written:
        for name, is_dev, pairs in sets(root):
            for premise, hypothesis, label in pairs:
                premise, hypothesis = (" ".join((text or "").split()) for text in (premise, hypothesis))
                if not premise or not hypothesis or not label or label == "-" or (premise, hypothesis) in seen:
                    continue
                seen.add((premise, hypothesis))
                counts[name, is_dev] = counts.get((name, is_dev), 0) + 1
                pair = {
                    "set": name,
                    "isDev": is_dev,
                    "premise": premise,
                    "hypothesis": hypothesis,
                    "follows": label in FOLLOWS,
                }
                written.write(json.dumps(pair, ensure_ascii=False) + "\n")
    for (name, is_dev), count in counts.items():
        print(name, "dev" if is_dev else "train", count)


if __name__ == "__main__":
    main()
