"""LAC v1 (lac 0.1.0 of PyPI): words and tags of sentences, through gru and crf_decoding."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import lite

pytestmark = pytest.mark.models

SENTENCES = {
    "LAC是个优秀的分词工具": "LAC/nz 是/v 个/q 优秀/a 的/u 分词/n 工具/n",
    "百度是一家高科技公司": "百度/ORG 是/v 一家/m 高科技/n 公司/n",
}
FIRST_IDS = [43, 32, 34, 3270, 610, 764, 5160, 4853, 1090, 6671, 2400, 1007]
FIRST_TAGS = [24, 25, 25, 38, 28, 0, 1, 36, 14, 15, 14, 15]


class Lac:
    """The model with its dictionaries: sentences in, tagged words out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.predictor = lite.load(folder / "model")
        self.ids = {word: int(number) for number, word in self._pairs("word.dic")}
        self.tags = {int(number): tag for number, tag in self._pairs("tag.dic")}
        self.narrow = dict(self._pairs("q2b.dic"))

    def _pairs(self, name: str) -> Iterator[tuple[str, str]]:
        for line in (self.folder / "conf" / name).read_text(encoding="utf-8").split("\n"):
            left, tab, right = line.partition("\t")
            if tab and "\t" not in right:
                yield left, right

    def word_ids(self, sentence: str) -> list[int]:
        narrow = [self.narrow.get(c, c) for c in sentence]
        return [self.ids.get(c, self.ids["OOV"]) for c in narrow]

    def tag_ids(self, sentences: list[str]) -> list[list[int]]:
        """All sentences in one run, divided by LoD."""
        ids = [self.word_ids(s) for s in sentences]
        offsets = [0, *np.cumsum([len(i) for i in ids]).tolist()]
        words = np.array([*itertools.chain(*ids)], "int64").reshape(-1, 1)
        (tags,) = self.predictor.run({"words": (words, [offsets])}).values()
        assert tags.shape == words.shape and tags.dtype == np.int64
        assert self.predictor.lod(self.predictor.outputs[0].name) == [offsets]
        return [tags[a:b, 0].tolist() for a, b in itertools.pairwise(offsets)]

    def tagged(self, sentence: str, tag_ids: list[int]) -> str:
        words: list[tuple[str, str]] = []
        for character, number in zip(sentence, tag_ids, strict=True):
            tag, _, place = self.tags[number].partition("-")
            if place == "I" and words:
                words[-1] = (words[-1][0] + character, words[-1][1])
            else:
                words.append((character, tag))
        return " ".join(f"{word}/{tag}" for word, tag in words)


@pytest.fixture(scope="module")
def lac() -> Lac:
    folder = os.environ.get("LITE_TEST_MODELS")
    if not folder:
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    found = sorted(Path(folder).rglob("lac_model/model/__model__"))
    if not found:
        pytest.skip(f"{folder} has no LAC v1 (the unpacked sdist of lac==0.1.0)")
    return Lac(found[0].parent.parent)


def test_tag_ids_of_the_first_sentence(lac: Lac) -> None:
    sentence = next(iter(SENTENCES))
    assert lac.word_ids(sentence) == FIRST_IDS
    assert lac.tag_ids([sentence]) == [FIRST_TAGS]


def test_sentences_one_by_one_and_together(lac: Lac) -> None:
    sentences = list(SENTENCES)
    alone = [lac.tag_ids([s])[0] for s in sentences]
    assert [lac.tagged(s, t) for s, t in zip(sentences, alone, strict=True)] == list(
        SENTENCES.values()
    )
    for batch in (sentences, sentences[::-1], sentences * 5, sentences[:1]):
        together = lac.tag_ids(batch)
        assert together == [alone[sentences.index(s)] for s in batch]


@pytest.mark.parametrize("offsets", [[0, 11], [0, 13], [0, 7, 3, 12], [1, 12], [0], []], ids=repr)
def test_a_lod_that_does_not_fit(lac: Lac, offsets: list[int]) -> None:
    words = np.array(FIRST_IDS, "int64").reshape(-1, 1)
    with pytest.raises((lite.LiteError, ValueError)):
        lac.predictor.run({"words": (words, [offsets])})
    assert lac.tag_ids([next(iter(SENTENCES))]) == [FIRST_TAGS]


def test_words_without_a_lod(lac: Lac) -> None:
    with pytest.raises(lite.ShapeError):
        lac.predictor.run({"words": np.array(FIRST_IDS, "int64").reshape(-1, 1)})


def test_word_numbers_out_of_the_dictionary(lac: Lac) -> None:
    for number in (-1, 10**6, 2**62):
        with pytest.raises(lite.LiteError):
            lac.predictor.run({"words": (np.full((3, 1), number, "int64"), [[0, 3]])})
