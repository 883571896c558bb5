"""The six commands: the exact texts, the documented and the SDK's, and what each odd input is answered."""

from __future__ import annotations

import pytest

BODY = "alpha\nbeta\ngamma\n"
NUMBERED = "     1\talpha\n     2\tbeta\n     3\tgamma\n     4\t"
SEVERAL = (
    "No replacement was performed. Multiple occurrences of old_str `a\n` in lines: 1, 2, 3. "
    "Please ensure it is unique"
)


@pytest.fixture
def files(place):
    made = place.open()
    assert made.handle({"command": "create", "path": "/memories/a.txt", "file_text": BODY}) == (
        "File created successfully at: /memories/a.txt",
        False,
    )
    made.write("d/b.txt", "inner\n")
    return made


@pytest.fixture
def sdk(files, place):
    return place.open(sdk=True)


def do(files, command, **given):
    return files.handle({"command": command, **given})


DOCUMENTED = [
    (
        ("view", {"path": "/memories/no"}),
        "The path /memories/no does not exist. Please provide a valid path.",
    ),
    (
        ("create", {"path": "/memories/a.txt", "file_text": ""}),
        "Error: File /memories/a.txt already exists",
    ),
    (
        ("create", {"path": "/memories/d", "file_text": ""}),
        "Error: File /memories/d already exists",
    ),
    (("create", {"path": "/memories", "file_text": ""}), "Error: File /memories already exists"),
    (
        ("str_replace", {"path": "/memories/no", "old_str": "a", "new_str": "b"}),
        "Error: The path /memories/no does not exist. Please provide a valid path.",
    ),
    (
        ("str_replace", {"path": "/memories/d", "old_str": "a", "new_str": "b"}),
        "Error: The path /memories/d does not exist. Please provide a valid path.",
    ),
    (
        ("str_replace", {"path": "/memories/a.txt", "old_str": "zz", "new_str": "b"}),
        "No replacement was performed, old_str `zz` did not appear verbatim in /memories/a.txt.",
    ),
    (
        ("str_replace", {"path": "/memories/a.txt", "old_str": "a\n", "new_str": "b"}),
        SEVERAL,
    ),
    (
        ("insert", {"path": "/memories/no", "insert_line": 0, "insert_text": "x"}),
        "Error: The path /memories/no does not exist",
    ),
    (
        ("insert", {"path": "/memories/a.txt", "insert_line": 4, "insert_text": "x"}),
        "Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]",
    ),
    (("delete", {"path": "/memories/no"}), "Error: The path /memories/no does not exist"),
    (("delete", {"path": "/memories"}), "Error: Cannot delete the /memories directory itself"),
    (
        ("rename", {"old_path": "/memories/no", "new_path": "/memories/x"}),
        "Error: The path /memories/no does not exist",
    ),
    (
        ("rename", {"old_path": "/memories/a.txt", "new_path": "/memories/d"}),
        "Error: The destination /memories/d already exists",
    ),
    (
        ("rename", {"old_path": "/memories", "new_path": "/memories/x"}),
        "Error: Cannot rename the /memories directory itself",
    ),
]
SDK = {
    "view": ["The path /memories/no does not exist. Please provide a valid path."],
    "create": [
        "File /memories/a.txt already exists",
        "File /memories/d already exists",
        "File /memories already exists",
    ],
    "str_replace": [
        "The path /memories/no does not exist. Please provide a valid path.",
        "The path /memories/d is not a file.",
        "No replacement was performed, old_str `zz` did not appear verbatim in /memories/a.txt.",
        SEVERAL,
    ],
    "insert": [
        "The path /memories/no does not exist. Please provide a valid path.",
        "Invalid `insert_line` parameter: 4. It should be within the range [0, 3].",
    ],
    "delete": [
        "The path /memories/no does not exist",
        "Cannot delete the /memories directory itself",
    ],
    "rename": [
        "The path /memories/no does not exist",
        "The destination /memories/d already exists",
        "Cannot rename the /memories directory itself",
    ],
}


def test_failures_are_worded_as_documented(files):
    for (command, given), text in DOCUMENTED:
        assert do(files, command, **given) == (text, True)


def test_failures_are_worded_as_in_the_sdk(sdk):
    for command, texts in SDK.items():
        calls = [given for (name, given), _ in DOCUMENTED if name == command]
        assert [do(sdk, command, **given) for given in calls] == [(text, True) for text in texts]


def test_successes_are_worded_as_documented(files):
    assert do(files, "view", path="/memories/a.txt") == (
        f"Here's the content of /memories/a.txt with line numbers:\n{NUMBERED}",
        False,
    )
    assert do(files, "str_replace", path="/memories/a.txt", old_str="beta", new_str="BETA") == (
        "The memory file has been edited.\n     1\talpha\n     2\tBETA\n     3\tgamma\n     4\t",
        False,
    )
    assert do(files, "insert", path="/memories/a.txt", insert_line=0, insert_text="first\n") == (
        "The file /memories/a.txt has been edited.",
        False,
    )
    assert files.read("a.txt").text == "first\nalpha\nBETA\ngamma\n"
    assert do(files, "rename", old_path="/memories/a.txt", new_path="/memories/n/e/w.txt") == (
        "Successfully renamed /memories/a.txt to /memories/n/e/w.txt",
        False,
    )
    assert do(files, "delete", path="/memories/n") == ("Successfully deleted /memories/n", False)
    assert files.paths() == ["/memories/d/b.txt"]


def test_a_folder_is_listed_two_levels_deep_with_sizes(files, place):
    files.write("d/e/f.txt", "x")
    text, error = do(files, "view", path="/memories")
    head, *lines = text.split("\n")
    assert not error
    assert head == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:"
    )
    assert [line.split("\t")[1] for line in lines] == [
        "/memories",
        "/memories/a.txt",
        "/memories/d",
        "/memories/d/b.txt",
        "/memories/d/e",
    ]
    assert dict(reversed(line.split("\t")) for line in lines)["/memories/a.txt"] == "17B"
    assert do(files, "view", path="/memories/d/")[0].split("\n")[1].endswith("\t/memories/d")


def test_the_sdk_lists_folders_with_a_slash(sdk):
    text, _ = do(sdk, "view", path="/memories")
    assert text.split("\n")[0].endswith("in /memories, excluding hidden items:")
    assert [line.split("\t")[1] for line in text.split("\n")[1:]] == [
        "/memories",
        "/memories/a.txt",
        "/memories/d/",
        "/memories/d/b.txt",
    ]


@pytest.mark.parametrize(
    ("view_range", "lines"),
    [([1, 2], [1, 2]), ([2, -1], [2, 3, 4]), ([4, 4], [4]), ([1, 10**9], [1, 2, 3, 4])],
)
def test_a_range_of_lines_is_shown(files, view_range, lines):
    text, error = do(files, "view", path="/memories/a.txt", view_range=view_range)
    assert not error
    assert [int(line.split("\t")[0]) for line in text.split("\n")[1:]] == lines


@pytest.mark.parametrize(
    "view_range",
    [[], [1], [1, 2, 3], [0, 1], [5, -1], [3, 1], [-5, -1], ["1", "2"], [1.0, 2.0], [True, True],
     [None, None], [10**400, -1], [1, -(10**5000)], "1,2", 5, {"a": 1}],
    ids=[f"range {n}" for n in range(16)],
)  # fmt: skip
def test_a_range_that_is_none_is_an_error_with_the_range_there_is(files, view_range):
    text, error = do(files, "view", path="/memories/a.txt", view_range=view_range)
    assert error
    assert len(text) < 300


def test_an_empty_file_shows_one_empty_line(files):
    do(files, "create", path="/memories/empty", file_text="")
    assert do(files, "view", path="/memories/empty")[0].endswith("numbers:\n     1\t")


def test_new_str_may_be_left_out(files):
    for given in ({}, {"new_str": None}):
        files.write("x", "one two")
        assert not do(files, "str_replace", path="/memories/x", old_str=" two", **given)[1]
        assert files.read("x").text == "one"


def test_an_empty_old_str_is_refused(files):
    assert do(files, "str_replace", path="/memories/a.txt", old_str="", new_str="x") == (
        "Error: `old_str` must not be empty",
        True,
    )


def test_trailing_blank_lines_of_an_insert_are_kept_but_for_one_newline(files):
    do(files, "insert", path="/memories/a.txt", insert_line=1, insert_text="x\n\n\n")
    assert files.read("a.txt").text == "alpha\nx\n\n\nbeta\ngamma\n"


def test_carriage_returns_are_kept(files):
    text = "a\r\nb\r\n"
    do(files, "create", path="/memories/crlf", file_text=text)
    assert files.read("crlf").text == text
    do(files, "insert", path="/memories/crlf", insert_line=1, insert_text="x")
    assert files.read("crlf").text == "a\r\nx\nb\r\n"


@pytest.mark.parametrize("text", ["half \ud800", "NUL \0"])
def test_half_characters_and_nul_are_refused_before_anything_is_touched(files, text):
    assert do(files, "create", path="/memories/new", file_text=text)[1]
    assert do(files, "insert", path="/memories/a.txt", insert_line=0, insert_text=text)[1]
    assert do(files, "str_replace", path="/memories/a.txt", old_str="beta", new_str=text)[1]
    assert files.paths() == ["/memories/a.txt", "/memories/d/b.txt"]
    assert files.read("a.txt").text == BODY


def test_a_failed_rename_leaves_no_folders(files, place):
    assert do(files, "rename", old_path="/memories/none", new_path="/memories/p/q/r")[1]
    assert "/memories/p" not in do(files, "view", path="/memories")[0]
    assert do(files, "rename", old_path="/memories/d", new_path="/memories/d/x/y")[1]


def test_nothing_is_made_below_a_file(files):
    text, error = do(files, "create", path="/memories/a.txt/x", file_text="")
    assert error
    assert text == "Error: part of the path /memories/a.txt/x is a file, not a directory"
    assert do(files, "rename", old_path="/memories/d", new_path="/memories/a.txt/x")[1]


def test_names_that_differ_only_in_case_are_one_name_elsewhere(files):
    assert do(files, "create", path="/memories/A.TXT", file_text="")[1]
    assert do(files, "create", path="/memories/D/new", file_text="")[1]
    assert not do(files, "rename", old_path="/memories/a.txt", new_path="/memories/A.txt")[1]


def test_a_folder_is_not_moved_deeper_than_paths_go(files):
    files.write("1/2/3/4/5/6/x", "")
    assert do(files, "rename", old_path="/memories/1", new_path="/memories/d/e/1")[1]
    assert not do(files, "rename", old_path="/memories/1", new_path="/memories/d/1")[1]


INSERT = {"command": "insert", "path": "/memories/a.txt", "insert_text": ""}
ODD_CALLS = [
    *(None, [], "view", 7, {}, {"command": None}, {"command": ["view"]}, {"command": "__class__"}),
    {"command": "VIEW", "path": "/memories"},
    {"command": "view"},
    {"command": "view", "path": 7},
    {"command": "view", "path": True},
    {"command": "view", "path": "/memories", "extra": 1},
    {"path": "/memories"},
    {"command": "create", "path": "/memories/x"},
    {"command": "create", "path": "/memories/x", "file_text": None},
    {**INSERT, "insert_line": True},
    {**INSERT, "insert_line": "1"},
    {"command": "rename", "old_path": "/memories/a.txt"},
    {1: 2, "command": "view", "path": "/memories"},
]


@pytest.mark.parametrize("command", ODD_CALLS, ids=[f"call {n}" for n in range(len(ODD_CALLS))])
def test_an_odd_call_is_answered_with_words(files, command):
    text, error = files.handle(command)
    assert error
    assert text.startswith("Error: ")
    assert "internal" not in text


def test_what_repeats_a_call_is_not_without_end(files):
    huge = "x" * 1_000_000
    assert len(do(files, "str_replace", path="/memories/a.txt", old_str=huge, new_str="")[0]) < 2000
    assert len(do(files, "view", path="/memories/" + huge)[0]) < 1000
    assert (
        len(do(files, "insert", path="/memories/a.txt", insert_line=10**5000, insert_text="")[0])
        < 300
    )


def test_a_long_file_comes_in_pages(place):
    files = place.open(place.memory(file_view_characters=200))
    files.write("long", "".join(f"line {n}\n" for n in range(1, 101)))
    seen, first = [], 1
    while True:
        text, error = do(files, "view", path="/memories/long", view_range=[first, -1])
        assert not error
        *lines, last = text.split("\n")[1:]
        assert len("\n".join(lines)) <= 200
        seen += [line.split("\t")[1] for line in lines if "\t" in line]
        if not last.startswith("["):
            seen.append(last.split("\t")[1])
            break
        first = int(last.partition("view_range [")[2].partition(",")[0])
    assert seen == [*(f"line {n}" for n in range(1, 101)), ""]


def test_a_line_longer_than_a_page_is_cut_and_the_rest_can_be_seen(place):
    files = place.open(place.memory(file_view_characters=100))
    files.write("wide", "x" * 5000 + "\nnext\n")
    text, _ = do(files, "view", path="/memories/wide")
    assert "line 1 is cut at 100 characters" in text
    assert "view_range [2, -1]" in text
    assert "next" in do(files, "view", path="/memories/wide", view_range=[2, -1])[0]


def test_a_long_listing_is_capped(place):
    files = place.open(place.memory(file_view_characters=300))
    for n in range(30):
        files.write(f"file-{n:02}", "")
    text, _ = do(files, "view", path="/memories")
    assert "more entries are not shown" in text
    assert len(text) < 600


def test_create_may_replace_where_that_is_allowed(files, place):
    free = place.open(overwrite=True)
    assert not do(free, "create", path="/memories/a.txt", file_text="new")[1]
    assert files.read("a.txt").text == "new"
    assert do(free, "create", path="/memories/d", file_text="new")[1]


def test_a_mistake_of_ours_comes_back_as_words(files, place, monkeypatch, caplog):
    from memoranda.files import commands

    async def broken(*_args):
        raise ZeroDivisionError(f"at {place.box}")

    monkeypatch.setitem(commands.COMMANDS, "view", (broken, commands.COMMANDS["view"][1]))
    text, error = do(files, "view", path="/memories")
    assert error
    assert "internal error" in text
    assert str(place.box) not in text + caplog.text
    assert "ZeroDivisionError" in caplog.text
