"""reembed: what it did, in words and as JSON."""

from memoranda.cli.codes import PART, STORE, USAGE
from tests.cli.running import Inside


def settings(cli: Inside, text: str) -> None:
    path = cli.home.folder / "settings.toml"
    path.write_text(text)
    cli.patch.setenv("MEMORANDA_CONFIG", str(path))


def test_all_of_them_and_then_none(cli: Inside) -> None:
    settings(cli, 'embedder = "hashing"')
    cli.remember("The user has a dog.")
    cli.remember("Asha likes tea.", "--subject", "user:asha")
    done = cli("reembed", "--json").json()
    assert done == {"model": "hashing-1", "texts": 2, "made": 2, "left_out": 0, "dropped": 0}
    done = cli("reembed", "--subject", "user:asha")
    assert done.out == "1 texts have a vector of hashing-1; 0 were made now\n"
    assert done.err == ""


def test_without_an_embedder_it_says_what_to_install(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(cli, 'embedder = "none"')
    done = cli("reembed")
    assert done.code == PART
    assert "memoranda[embed]" in done.err
    assert "the settings say so" in done.err


def test_a_folder_without_a_model_is_not_told_to_install(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(cli, f'embedder = "onnx:{cli.home.folder / "none"}"')
    done = cli("reembed")
    assert done.code == PART
    assert "has no model.onnx" in done.err
    assert "pip install" not in done.err


def test_an_embedder_that_fails_is_told(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(
        cli,
        'embedder = "openai"\nembedder_url = "http://127.0.0.1:9/v1"\nembedder_model = "m"\n'
        "embedder_dim = 3\nembedder_seconds = 0.1",
    )
    done = cli("reembed")
    assert done.code == PART
    assert "run this again" in done.err


def test_wrong_settings_are_named(cli: Inside) -> None:
    settings(cli, 'embedder = "maxilm"')
    assert cli("reembed").code == USAGE


def test_there_must_be_a_store(cli: Inside) -> None:
    assert cli("reembed").code == STORE
