#!/usr/bin/env python3
"""Holds help, man page and completions to the one table of options.

    pages.py [--pith FILE]

Every option of app/options.h must be in the --help of each command that takes
it, in the man page and in all three completions, and in no other command's
help. The man page must be clean roff, the bash completions must load and
offer what they should; zsh and fish are asked where they are installed.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENTRY = re.compile(
    r'X\((?P<kind>[A-Z]+), \w+, "(?P<name>[-\w]+)", (?P<alias>NULL|"[-\w]+"), '
    r"(?P<letter>0|'\w'), (NULL|\"[A-Z]+\"), [^\"]*?, (NULL|\"[^\"]*\"), "
    r'"(?P<commands>[^"]*)", [A-Z]+, "')


class Checks:
    passed = failed = 0

    def hold(self, truth, what):
        if truth:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {what}")


def table():
    text = (ROOT / "app" / "options.h").read_text()
    readers = re.search(r'#define READERS ("[^"]*")', text).group(1)
    text = text[text.index("#define OPTION_LIST"):text.index("typedef enum")]
    text = text.replace(" READERS,", f" {readers},")
    text = text.replace(' READERS " ', f" {readers[:-1]} ")
    text = re.sub(r"\s*\\\n\s*", " ", text)
    entries = [e.strip() for e in text.split(" X(")[1:]]
    found = [ENTRY.match("X(" + entry) for entry in entries]
    assert all(found), "an entry of OPTION_LIST cannot be read"
    return [m.groupdict() for m in found]


def output(pith, *args):
    done = subprocess.run([pith, *args], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, args
    return done.stdout


def names_of(entry):
    alias = entry["alias"].strip('"')
    return [entry["name"]] + ([alias] if alias != "NULL" else [])


def commands_of(pith):
    text = output(pith, "--help").split("Commands\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in text.splitlines()]


def has_option(text, name):
    return re.search(rf"--{name}(?![-\w])", text) is not None


def check_help(checks, pith, entries):
    for command in [*commands_of(pith), "pith"]:
        args = [] if command == "pith" else [command]
        text = output(pith, *args, "--help")
        listed = "\n".join(line for line in text.splitlines()
                           if re.match(r"\s+(-\w, )?--\w", line))
        for entry in entries:
            words = entry["commands"].split()
            taken = command in words or ("*" in words and command != "pith")
            for name in names_of(entry):
                checks.hold(has_option(listed, name) == taken,
                            f"pith {command} --help and --{name}")
        checks.hold(all(len(line) <= 80 for line in text.splitlines()),
                    f"pith {command} --help is at most 80 wide")


def check_pages(checks, pith, entries):
    pages = {shell: output(pith, "--completions", shell)
             for shell in ("bash", "zsh", "fish")}
    pages["fish"] = re.sub(r"-l (?=[a-z])", "--", pages["fish"])
    pages["man"] = output(pith, "--man").replace(r"\-", "-")
    for kind, text in pages.items():
        for entry in entries:
            for name in names_of(entry):
                checks.hold(has_option(text, name), f"{kind} has --{name}")


def check_roff(checks, pith):
    if shutil.which("groff") is None:
        return
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"],
                          input=output(pith, "--man"), text=True,
                          stderr=subprocess.PIPE)
    checks.hold(done.returncode == 0 and not done.stderr,
                f"the man page is clean: {done.stderr}")


def bash_offers(pith, *words):
    script = output(pith, "--completions", "bash") + f"""
COMP_WORDS=({' '.join(f"'{w}'" for w in words)})
COMP_CWORD={len(words) - 1}
_pith
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-u"], input=script, text=True, cwd=ROOT,
                          stdout=subprocess.PIPE)
    return done.stdout.split()


def check_shells(checks, pith):
    if shutil.which("bash"):
        checks.hold(bash_offers(pith, "pith", "inf") == ["infer"],
                    "bash completes a command")
        checks.hold(bash_offers(pith, "pith", "infer", "--st") == ["--steps"],
                    "bash completes an option")
        checks.hold("dot" in bash_offers(pith, "pith", "explain", "-f", ""),
                    "bash completes a value")
        checks.hold("app" in bash_offers(pith, "pith", "check", "ap"),
                    "bash completes a file")
    for shell in ("zsh", "fish"):
        if shutil.which(shell):
            done = subprocess.run([shell, "-n"], text=True,
                                  input=output(pith, "--completions", shell))
            checks.hold(done.returncode == 0, f"{shell} reads its completions")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    checks, entries = Checks(), table()
    check_help(checks, pith, entries)
    check_pages(checks, pith, entries)
    check_roff(checks, pith)
    check_shells(checks, pith)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed or not checks.passed else 0


if __name__ == "__main__":
    sys.exit(main())
