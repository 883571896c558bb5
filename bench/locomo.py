"""Turn LoCoMo chats into files that `memoranda ingest` reads: one for each speaker of each chat.

    python bench/locomo.py LOCOMO.json FOLDER

In a speaker's file that speaker is the user and the other one the assistant; each session is a line, each turn has
the session's time. Ingest each with its own `--subject`, which is the file's name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any


def sessions(chat: Mapping[str, Any], speaker: str) -> Iterator[dict[str, Any]]:
    """The conversations of a chat as `speaker` had them, in order."""
    number = 1
    while f"session_{number}_date_time" in chat:
        when = chat[f"session_{number}_date_time"]
        start = datetime.strptime(f"{when} +0000", "%I:%M %p on %d %B, %Y %z")
        turns = enumerate(chat.get(f"session_{number}", []))
        messages = [
            {
                "role": "user" if turn["speaker"] == speaker else "assistant",
                "content": turn["text"],
                "time": (start + timedelta(seconds=n)).isoformat(),
            }
            for n, turn in turns
        ]
        if messages:
            yield {"messages": messages}
        number += 1


def main(source: str, folder: str) -> None:
    for sample in json.loads(Path(source).read_text(encoding="utf-8")):
        chat = sample["conversation"]
        for speaker in (chat["speaker_a"], chat["speaker_b"]):
            target = Path(folder) / f"{sample['sample_id']}-{speaker.lower()}.jsonl"
            lines = (json.dumps(session, ensure_ascii=False) for session in sessions(chat, speaker))
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(target)


if __name__ == "__main__":
    main(*sys.argv[1:3])
