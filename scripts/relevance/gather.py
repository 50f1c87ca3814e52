"""Gathers questions with passages of which people said whether they answer them, for train.py.

Run by hand, never by the product: python3 scripts/relevance/gather.py CHECKOUTS QUESTIONS.jsonl
CHECKOUTS holds the repositories that README.md beside this file names, each in the folder named there.
Writes a line a question: {"set", "question", "passages", "answers"}: the passages that answer first, then others of the same
document, those that share most words with the question first; "answers" says how many answer, which may be none.
"""

import csv
import io
import json
import math
import random
import re
import sys
import zipfile
from collections import Counter, defaultdict
from pathlib import Path
from xml.etree import ElementTree

csv.field_size_limit(10**9)
OTHERS = 5
MOST_CHARACTERS = 800
# Of large sets that are far from customers' questions, so many.
MOST_QUESTIONS = {"squad": 8000, "squad-shifts": 4000, "boolq": 3000, "medquad": 2500, "selqa": 2000}
words = lambda text: re.findall(r"[a-z0-9]+", text.lower())
sentences_of = lambda text: [each for each in re.split(r"(?<=[.!?])\s+(?=[A-Z“\"'(])", text) if each.strip()]
read = lambda path: json.loads(path.read_text("utf-8"))


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


class Nearest:
    """Of some texts those that share the rarest words with a question."""

    def __init__(self, texts):
        self.texts = list(dict.fromkeys(texts))
        self.terms = [set(words(text)) for text in self.texts]
        spread = Counter(term for terms in self.terms for term in terms)
        self.weight = {term: math.log(1 + len(self.texts) / count) for term, count in spread.items()}
        self.having = defaultdict(set)
        for at, terms in enumerate(self.terms):
            for term in terms:
                self.having[term].add(at)

    def to(self, question, but, count=OTHERS):
        shared = defaultdict(float)
        for term in set(words(question)):
            if len(self.having[term]) > len(self.texts) / 3 and len(self.texts) > 50:
                continue
            for at in self.having[term]:
                shared[at] += self.weight[term] / math.sqrt(1 + len(self.terms[at]))
        first = sorted(shared, key=lambda at: -shared[at])
        rest = [at for at in range(min(len(self.texts), 4 * count)) if at not in shared]
        found = [self.texts[at] for at in [*first, *rest] if self.texts[at] not in but]
        return found[:count]


as_list = lambda value: value if isinstance(value, list) else [value]


def titled(title, text):
    return f"{title.replace('_', ' ')}\n{text}" if title else text


def squad(articles, disfluent, chance):
    """Paragraphs and single sentences in turn; of what a paragraph does not answer it is the nearest that there is."""
    for article in articles:
        title, paragraphs = article.get("title", ""), article["paragraphs"]
        all_paragraphs = Nearest(titled(title, each["context"]) for each in paragraphs)
        all_sentences = Nearest(titled(title, s) for each in paragraphs for s in sentences_of(each["context"]))
        for paragraph in paragraphs:
            context = paragraph["context"]
            for asked in paragraph["qas"]:
                own = titled(title, context)
                starts = {answer["answer_start"] for answer in asked["answers"]}
                plain = asked["question"].strip()
                texts = [plain, *([disfluent[plain]] if plain in disfluent else [])]
                for text in texts:
                    if asked.get("is_impossible") or not starts:
                        yield text, [], [own, *all_paragraphs.to(text, {own}, 3)]
                    elif chance.random() < 0.5:
                        yield text, [own], all_paragraphs.to(text, {own}, 5)
                    else:
                        at, right = 0, set()
                        for sentence in sentences_of(context):
                            at = context.find(sentence, at)
                            if any(at <= start < at + len(sentence) for start in starts):
                                right.add(titled(title, sentence))
                            at += len(sentence)
                        if right:
                            yield text, sorted(right), all_sentences.to(text, right)


def conditional(path):
    """Stories of people, and the pages of an office: what answers one question of a page is no answer to another."""
    bare = lambda html: re.sub(r"<[^>]+>", " ", html).strip()
    rows, pages = read(path), defaultdict(list)
    for row in rows:
        title = row["url"].rsplit("/", 1)[-1].replace("-", " ")
        pages[row["url"]].append((row, titled(title, "\n".join(bare(each) for each in row["evidences"]))))
    for of_page in pages.values():
        for row, own in of_page:
            used = set(row["evidences"])
            others = [text for other, text in of_page if other["evidences"] and not used & set(other["evidences"])]
            question = f"{row['scenario']} {row['question']}"
            if others or row["evidences"]:
                yield question, [own] if row["evidences"] else [], Nearest(others).to(question, {own})
                if row["evidences"]:
                    yield row["question"], [own], Nearest(others).to(row["question"], {own})


def sharc(rows, snippets):
    """Rules of offices; what is irrelevant to a rule is not answered by it."""
    nearest, seen = Nearest(snippets), set()
    for row in rows:
        for question in (f"{row['scenario']} {row['question']}".strip(), row["question"]):
            if (question, row["snippet"]) in seen:
                continue
            seen.add((question, row["snippet"]))
            others = nearest.to(question, {row["snippet"]})
            if row["answer"] == "Irrelevant":
                yield question, [], [row["snippet"], *others[:3]]
            else:
                # A rule that is left to be found among others fits only the question that names its subject.
                yield question, [row["snippet"]], others if row["isWhole"] else []


def clapnq(path, isAnswerable):
    for row in lines_of(path):
        for passage in row["passages"]:
            title, parts = passage["title"], passage["sentences"]
            own = titled(title, passage["text"])
            if not isAnswerable:
                yield row["input"], [], [own, *(titled(title, each) for each in parts[:3])]
                continue
            told = {each for output in row["output"] for each in output.get("selected_sentences", [])}
            right = [titled(title, each) for each in parts if each in told]
            yield row["input"], [own], []
            if right:
                yield row["input"], right, [titled(title, each) for each in parts if each not in told][:OTHERS]


def qed(path):
    for row in lines_of(path):
        found = (row.get("annotation") or {}).get("selected_sentence")
        if not found:
            continue
        title, text = row["title_text"], row["paragraph_text"]
        starts = [*row["sentence_starts"], len(text)]
        parts = [titled(title, text[a:b].strip()) for a, b in zip(starts, starts[1:])]
        own = titled(title, text[found["start"] : found["end"]].strip())
        yield row["question_text"], [own], [each for each in parts if each != own][:OTHERS]


def boolq(rows):
    nearest = Nearest(titled(row["title"], row["passage"]) for row in rows)
    for row in rows:
        own = titled(row["title"], row["passage"])
        yield row["question"] + "?", [own], nearest.to(row["question"], {own}, 4)


def selqa(rows):
    for row in rows:
        texts = [titled(f"{row['article']} – {row['section']}", each) for each in row["candidates"]]
        right = {texts[at] for at in row["answers"] if at < len(texts)}
        others = Nearest(texts).to(row["question"], right)
        if right:
            yield row["question"], sorted(right), others


def asked_again(threads):
    for thread in threads:
        thread["answer"] = [each for each in as_list(thread["answer"]) if each]
    nearest = Nearest(answer for thread in threads for answer in thread["answer"])
    for thread in threads:
        right = set(thread["answer"])
        for question in [thread["question"], *as_list(thread["rephr"])]:
            if question and len(question) > 5:
                yield question, thread["answer"][:2], nearest.to(question, right, 5)


def medquad(root, folders):
    """The questions of one subject are the near misses of one another."""
    for folder in folders:
        for path in sorted((root / folder).glob("*.xml")):
            pairs = [
                (pair.findtext("Question", "").strip(), " ".join(pair.findtext("Answer", "").split())[:MOST_CHARACTERS])
                for pair in ElementTree.parse(path).iter("QAPair")
            ]
            pairs = [(question, answer) for question, answer in pairs if len(answer) > 30]
            for question, answer in pairs:
                others = [other for _, other in pairs if other != answer]
                if others:
                    yield question, [answer], Nearest(others).to(question, {answer}, 5)


def consumers(archive, questions):
    """Consumers' stories of their health, and answers that were judged: 1 wrong, 2 related, 3 incomplete, 4 excellent."""
    with zipfile.ZipFile(archive) as files:
        open_ = lambda part: io.TextIOWrapper(
            files.open(next(n for n in files.namelist() if part in n and "__MACOSX" not in n)), "utf-8", errors="replace"
        )
        judged = [line.split() for line in open_("qrels_LiveQA") if line.strip()]
        answers = {row["AnswerID"]: row["Answer"] for row in csv.DictReader(open_(".csv"))}
    asked = {
        each.get("qid").removeprefix("TQ"): each for each in ElementTree.parse(questions).iter("NLM-QUESTION")
    }
    of_question = defaultdict(list)
    for number, judgement, answer in judged:
        text = answers.get(answer)
        if text:
            bare = re.sub(r"^.*?Answer\s*:", "", text, flags=re.S)
            of_question[number].append((judgement[0], " ".join(bare.split())[:MOST_CHARACTERS]))
    for number, found in of_question.items():
        each = asked.get(number)
        if each is None:
            continue
        right = [text for grade, text in found if grade == "4"][:3]
        wrong = [text for grade, text in found if grade in "12"][:12]
        story = " ".join((each.findtext("Original-Question/MESSAGE") or "").split())
        for question in {story, each.findtext("NLM-Summary") or story}:
            yield question, right, wrong


def by_source(rows):
    """Pages of questions and answers, each page for itself."""
    pages = defaultdict(list)
    for page, question, answer in rows:
        if 15 < len(answer) and len(question) < 400:
            pages[page].append((question.strip(), answer.strip()[:MOST_CHARACTERS]))
    for pairs in pages.values():
        nearest = Nearest(answer for _, answer in pairs)
        for question, answer in pairs:
            yield question, [answer], nearest.to(question, {answer}, 5)


def entities(knowledge, documents, fields):
    for domain, of_domain in knowledge.items():
        for key, entity in of_domain.items():
            for each in (entity.get(documents) or {}).values():
                yield (domain, key), each[fields[0]], each[fields[1]]


def sought(folder):
    """What visitors ask about a hotel or a restaurant, with its own answers and with what its guests say."""
    knowledge = read(folder / "knowledge.json")
    for log, label in zip(read(folder / "val/logs.json"), read(folder / "val/labels.json")):
        if not label.get("target"):
            continue
        question, right, others = log[-1]["text"], [], []
        for one in label["knowledge"]:
            entity = knowledge[one["domain"]][str(one["entity_id"])]
            if one["doc_type"] == "faq":
                faq = entity["faqs"][str(one["doc_id"])]
                right.append(f"{faq['question']}\n{faq['answer']}")
            else:
                right.append(entity["reviews"][str(one["doc_id"])]["sentences"][str(one["sent_id"])])
            others += [f"{each['question']}\n{each['answer']}" for each in (entity.get("faqs") or {}).values()]
        if right:
            yield question, right[:3], Nearest(others).to(question, set(right), 5)


def tables(path, delimiter):
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as lines:
        for row in csv.DictReader(lines, delimiter=delimiter):
            if (row.get("lang") or "en") == "en" and row.get("answer") and row.get("question"):
                yield row.get("source"), row["question"], row["answer"]


def sets(root, chance):
    disfluent = {
        each["original"].strip(): each["disfluent"]
        for part in ("train", "dev", "test")
        for each in read(root / f"disfl-qa/{part}.json").values()
        if len(each["disfluent"]) > 10
    }
    yield "squad", squad(read(root / "squad/data/dev-v2.0.json")["data"], disfluent, chance)
    yield "squad-shifts", squad(read(root / "squadshifts/datasets/new_wiki_v1.0.json")["data"], {}, chance)
    for part in ("train", "dev"):
        yield "conditional", conditional(root / f"conditionalqa/v1_0/{part}.json")
    snippets = read(root / "or-sharc/data/id2snippet.json")
    rows = [
        {**row, "snippet": snippets[row["gold_snippet_id"]], "isWhole": True}
        for part in ("dev", "test")
        for row in lines_or_list(root / f"or-sharc/data/open_retrieval_sharc_{part}.json")
    ]
    rows += [{**row, "isWhole": False} for row in read(root / "sharc/data/sharc1_dev.json")]
    yield "sharc", sharc(rows, snippets.values())
    for kind in ("answerable", "unanswerable"):
        yield "clapnq", clapnq(root / f"clapnq/annotated_data/dev/clapnq_dev_{kind}.jsonl", kind == "answerable")
    yield "qed", qed(root / "qed/qed-dev.jsonlines")
    yield "boolq", boolq([*read(root / "boolq/data/v6_dev.json"), *read(root / "boolq/data/v6_test.json")])
    for part in ("dev", "test"):
        yield "selqa", selqa(read(root / f"selqa/ass/selqa-ass-{part}.json"))
    yield "stack", asked_again(read(root / "bert-faq/data/StackFAQ/stackExchange-FAQ.json")["root"]["qapair"])
    yield "medquad", medquad(root / "medquad", ("1_CancerGov_QA", "5_NIDDK_QA", "6_NINDS_QA", "7_SeniorHealth_QA", "9_CDC_QA"))
    archive = root / "medquad/QA-TestSet-LiveQA-Med-Qrels-2479-Answers.zip"
    stories = root / "liveqa/TestDataset/TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
    yield "consumers", consumers(archive, stories)
    faqs = root / "covid-qa/data/faqs"
    yield "covid", by_source([*tables(faqs / "faq_covidbert.csv", ","), *tables(faqs / "faq_200327.tsv", "\t")])
    asked = [each for each in read(root / "bert-faq/data/CovidFAQ/query_answer_pairs.json") if each["label"] == 1]
    yield "covid", by_source(("covid", each["question"], each["answer"]) for each in asked)
    visits = read(root / "dstc9/data/knowledge.json")
    yield "visits", by_source(entities(visits, "docs", ("title", "body")))
    yield "visits", sought(root / "dstc11/data")


def lines_or_list(path):
    text = path.read_text("utf-8").strip()
    return json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def main():
    root, out, found = Path(sys.argv[1]), sys.argv[2], {}
    chance = random.Random(0)
    for name, rows in sets(root, chance):
        for question, right, others in rows:
            question = " ".join(question.split())[:600]
            right = [text[:MOST_CHARACTERS] for text in right if text.strip()]
            passages = [*right, *(text[:MOST_CHARACTERS] for text in others[:OTHERS] if text.strip())]
            if question and passages:
                row = {"set": name, "question": question, "passages": passages, "answers": len(right)}
                found.setdefault(name, []).append(row)
    with open(out, "w", encoding="utf-8") as lines:
        for name, rows in found.items():
            chance.shuffle(rows)
            # Like beside like packs smaller.
            kept = sorted(rows[: MOST_QUESTIONS.get(name)], key=lambda row: row["passages"][0])
            lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
            answered = sum(row["answers"] > 0 for row in kept)
            print(f"{name}: {len(kept)} questions, {answered} with an answer, {sum(len(row['passages']) for row in kept)} pairs")


if __name__ == "__main__":
    main()
