"""lite completion: scripts by which bash and zsh complete `lite` and `paddle_lite_opt`.

They are made from the parsers, and need no Python when a key is pressed.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Iterator

from .report import Parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "shell",
        choices=("bash", "zsh"),
        help="in ~/.bashrc or ~/.zshrc: source <(lite completion bash)",
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    print({"bash": bash, "zsh": zsh}[flags.shell](), end="")
    return 0


def bash() -> str:
    """The script for bash: files where nothing else is known."""
    commands, opt = _parsers()
    cases = [_bash_case(name, parser) for name, (parser, _) in commands.items()]
    return "\n".join(
        (
            '_lite_words() { COMPREPLY=($(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}")); }',
            "_lite() {",
            "  local command=${COMP_WORDS[1]} last=${COMP_WORDS[COMP_CWORD-1]}",
            "  local word=${COMP_WORDS[COMP_CWORD]}",
            "  COMPREPLY=()",
            "  if ((COMP_CWORD == 1)); then",
            f"    _lite_words '{' '.join((*commands, *_TOP))}'",
            "    return",
            "  fi",
            "  case $command in",
            *cases,
            "  esac",
            "}",
            "_paddle_lite_opt() {",
            "  local command=opt last=${COMP_WORDS[COMP_CWORD-1]} word=${COMP_WORDS[COMP_CWORD]}",
            "  COMPREPLY=()",
            "  case $command in",
            _bash_case("opt", opt),
            "  esac",
            "}",
            "complete -o default -F _lite lite",
            "complete -o default -F _paddle_lite_opt paddle_lite_opt",
            "",
        )
    )


def zsh() -> str:
    """The script for zsh, with what each option is for."""
    commands, opt = _parsers()
    lines = ["#compdef lite paddle_lite_opt", "_lite_commands() {", "  local -a commands=("]
    lines += [f"    {_quoted(_escaped(name) + ':' + text)}" for name, (_, text) in commands.items()]
    lines += ["  )", "  _describe command commands", "}", "_lite() {"]
    lines += ["  if [[ $service == paddle_lite_opt ]]; then _lite_options opt; return; fi"]
    lines += ["  if ((CURRENT == 2)); then"]
    lines += ["    if [[ $PREFIX == -* ]]; then", f"      compadd -- {' '.join(_TOP)}", "    else"]
    lines += ["      _lite_commands", "    fi", "    return", "  fi"]
    lines += ["  local command=$words[2]", "  shift words", "  ((CURRENT--))"]
    lines += ["  _lite_options $command", "}", "_lite_options() {", "  case $1 in"]
    for name, (parser, _) in {**commands, "opt": (opt, "")}.items():
        specs = " \\\n        ".join(_zsh_specs(parser))
        lines += [f"    {name})", f"      _arguments \\\n        {specs}", "      ;;"]
    lines += ["    *) _files ;;", "  esac", "}"]
    lines += ["if [[ $zsh_eval_context[-1] == loadautofunc ]]; then", '  _lite "$@"', "else"]
    lines += ["  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }"]
    lines += ["  compdef _lite lite paddle_lite_opt", "fi", ""]
    return "\n".join(lines)


_TOP = ("--help", "--version")


def _parsers() -> tuple[dict[str, tuple[argparse.ArgumentParser, str]], Parser]:
    """Those of lite's commands with their texts, and paddle_lite_opt's."""
    from .cli import make_parser
    from .opt.flags import make_parser as make_opt_parser

    opt = make_opt_parser()
    found: dict[str, tuple[argparse.ArgumentParser, str]] = {}
    for action in make_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {item.dest: item.help or "" for item in action._choices_actions}
            found = {name: (parser, texts[name]) for name, parser in action.choices.items()}
    found["opt"] = (opt, found["opt"][1])
    return found, opt


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    return (action for action in parser._actions if action.option_strings)


def _choices(action: argparse.Action) -> list[str]:
    return [str(choice) for choice in action.choices or ()]


def _bash_case(name: str, parser: argparse.ArgumentParser) -> str:
    """One command: after an option with choices these, after a dash the options, else files."""
    lines = [f"    {name})"]
    for action in _options(parser):
        if _choices(action):
            options = " | ".join(action.option_strings)
            words = " ".join(_choices(action))
            lines.append(f"      case $last in {options}) _lite_words '{words}'; return ;; esac")
    words = " ".join(word for action in _options(parser) for word in action.option_strings)
    lines.append(f"      if [[ $word == -* ]]; then _lite_words '{words}'; return; fi")
    for action in parser._actions:
        if not action.option_strings and _choices(action):
            lines.append(f"      _lite_words '{' '.join(_choices(action))}'")
    return "\n".join([*lines, "      ;;"])


def _zsh_specs(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Arguments as `_arguments` reads them."""
    for action in _options(parser):
        text = _escaped(_help(parser, action), "[]")
        names = action.option_strings
        takes = "" if action.nargs == 0 else f":{_escaped(_metavar(action))}:{_zsh_values(action)}"
        if action.nargs == "?":
            takes = f":{takes}"
        others = "*" if isinstance(action, argparse._AppendAction) else f"({' '.join(names)})"
        for name in names:
            yield _quoted(f"{others}{name}[{text}]{takes}")
    for action in parser._actions:
        if not action.option_strings:
            many = "*" if action.nargs in ("+", "*") else ""
            yield _quoted(f"{many}:{_escaped(_metavar(action))}:{_zsh_values(action)}")


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    if not action.help:
        return ""
    return " ".join((action.help % {**vars(action), "prog": parser.prog}).split())


def _metavar(action: argparse.Action) -> str:
    return action.metavar if isinstance(action.metavar, str) else action.dest


def _zsh_values(action: argparse.Action) -> str:
    choices = _choices(action)
    return f"({' '.join(choices)})" if choices else "_files"


def _escaped(text: str, also: Iterable[str] = "") -> str:
    return re.sub("[:\\\\" + re.escape("".join(also)) + "]", r"\\\g<0>", text)


def _quoted(text: str) -> str:
    return shlex.quote(text)
