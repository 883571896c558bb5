"""Every embedder passes one suite."""

import shutil

import pytest

from memoranda.embedders import minilm
from memoranda.embedders.cached import CachedEmbedder
from memoranda.embedders.hashing import HashingEmbedder
from memoranda.embedders.minilm import MiniLM
from memoranda.embedders.onnx_folder import OnnxFolder
from memoranda.embedders.openai_compatible import OpenAICompatibleEmbedder
from memoranda.embedders.threads import ThreadedEmbedder
from memoranda.testing import EmbedderSuite


class TestHashing(EmbedderSuite):
    @pytest.fixture
    def make(self):
        return HashingEmbedder


class TestCached(EmbedderSuite):
    @pytest.fixture
    def make(self):
        return lambda: CachedEmbedder(HashingEmbedder())


class TestThreaded(EmbedderSuite):
    colour = "loop"

    @pytest.fixture
    def make(self):
        return lambda: CachedEmbedder(ThreadedEmbedder(HashingEmbedder()))


class TestEndpoint(EmbedderSuite):
    @pytest.fixture
    def make(self, service):
        return lambda: OpenAICompatibleEmbedder("hashing", service.url, dim=64)


@pytest.fixture(scope="module")
def own_minilm():
    pytest.importorskip("onnxruntime")
    return MiniLM()


class TestMiniLM(EmbedderSuite):
    @pytest.fixture
    def make(self, own_minilm):
        return lambda: own_minilm


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as a user would make it, with MiniLM's own file."""
    pytest.importorskip("onnxruntime")
    folder = tmp_path_factory.mktemp("model")
    shutil.copy(minilm.installed(), folder / "model.onnx")
    data = minilm.__file__.replace("minilm.py", "data/bert_base_uncased_vocab.txt")
    shutil.copy(data, folder / "vocab.txt")
    return OnnxFolder(folder)


class TestOnnxFolder(EmbedderSuite):
    @pytest.fixture
    def make(self, folder):
        return lambda: folder

    def test_it_is_the_same_model(self, folder, own_minilm):
        texts = ["The user prefers tea."]
        assert self.embed(folder, texts) == self.embed(own_minilm, texts)
        assert folder.space.weights == own_minilm.space.weights
        assert folder.space.model != own_minilm.space.model
