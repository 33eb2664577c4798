"""Tests that `tenure init` sets up an installation on PostgreSQL once."""


def test_a_server_refuses_to_start_before_init(unborn_pair):
    refused = unborn_pair.installation.run("serve", "--listen", "127.0.0.1:0")
    assert refused.code == 1 and "tenure init" in refused.err
    assert not unborn_pair.installation.master_key.exists()


def test_repeating_init_changes_neither_the_master_key_nor_the_settings(unborn_pair):
    unborn_pair.installation.do("init")
    key = unborn_pair.installation.master_key.read_text()
    settings = unborn_pair.installation.sql("SELECT * FROM settings ORDER BY name")
    unborn_pair.installation.do("init")
    assert unborn_pair.installation.master_key.read_text() == key
    assert unborn_pair.installation.sql("SELECT * FROM settings ORDER BY name") == settings
    assert len(settings) == 5, "the key's check value, the ids of the store and of its history, and the store's two secrets"


def test_a_server_and_commands_refuse_a_master_key_other_than_that_of_the_store(unborn_pair):
    unborn_pair.installation.do("init")
    unborn_pair.installation.master_key.write_text("ab" * 32 + "\n")
    for words in (["serve", "--listen", "127.0.0.1:0"], ["init"], ["license", "list"]):
        refused = unborn_pair.installation.run(*words)
        assert refused.code == 1 and "not the master key" in refused.err, words


def test_a_database_password_is_accepted_only_from_a_file(unborn_pair):
    installation = unborn_pair.installation
    url = installation.url.replace("tenure@", "tenure:hidden@")
    words = [word if word != installation.url else url for word in installation.words("init")]
    refused = installation.run_words(words)
    assert refused.code == 1 and "--store-file" in refused.err and "hidden" not in refused.err

    file = installation.home / "store"
    file.write_text(url + "\n")
    place = words.index("--store")
    accepted = installation.run_words(words[:place] + ["--store-file", str(file)] + words[place + 2:])
    assert accepted.code == 0, accepted
