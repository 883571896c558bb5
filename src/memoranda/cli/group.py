"""A command with commands below it, made the same way wherever there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer


def group(
    name: str, about: str, commands: Mapping[str, Callable[..., None]], person: bool
) -> typer.Typer:
    """The `commands` under `memoranda NAME`; `person` is whether one reads the help at a terminal."""
    made = typer.Typer(
        name=name,
        help=about,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich" if person else None,
    )
    for command_name, command in commands.items():
        made.command(command_name)(command)
    return made
