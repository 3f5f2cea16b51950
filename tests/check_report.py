#!/usr/bin/env python3
"""The report as a file: what is in it is data, whatever the names are.

Runs --report and pith report on tasks with hostile names, on damaged lines and
on very many of them, and looks at the page byte by byte; web/test looks at it
in a browser.
"""
import argparse
import base64
import hashlib
import html.parser
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text())
VALIDATORS = {kind["$ref"].rsplit("/", 1)[1]: jsonschema.Draft202012Validator(
    kind | {"$defs": SCHEMA["$defs"]}) for kind in SCHEMA["oneOf"]}
PAGE = (ROOT / "web" / "dist" / "report.html").read_bytes()
HEAD, TAIL = PAGE.split(b"@EVENTS@")
NASTY = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "<!--", "]]>",
         "&lt;", "\u202egnp", "a\nb", "'", '"', "\\", "\u2028", "é", "日本", "\U0001f600", "\u0007",
         "x" * 3000, "1e999", "-0", "__proto__", "constructor"]


def validate(event):
    """By the schema of its kind alone: to try all kinds takes long."""
    VALIDATORS[event["event"]].validate(event)


class Scripts(html.parser.HTMLParser):
    """The scripts and styles of a page, and its other elements."""

    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.found, self.tags, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag in ("script", "style"):
            self.inside = [tag, dict(attrs), ""]

    def handle_data(self, data):
        if self.inside:
            self.inside[2] += data

    def handle_endtag(self, tag):
        if self.inside and self.inside[0] == tag:
            self.found.append(self.inside)
            self.inside = None


def digest(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class Checks:
    def __init__(self, pith, folder):
        self.pith, self.folder, self.passed, self.failed = pith, folder, 0, 0

    def say(self, ok, what):
        self.passed += bool(ok)
        self.failed += not ok
        if not ok:
            print("FAIL", what)

    def run(self, *args, stdin=None):
        return subprocess.run([self.pith, *map(str, args)], input=stdin, cwd=ROOT,
                              capture_output=True, timeout=300)

    def data_of(self, page, what):
        """The events of a page, which must differ from the shipped one in them alone."""
        self.say(page.startswith(HEAD) and page.endswith(TAIL), f"{what}: the page around the data")
        data = page[len(HEAD):len(page) - len(TAIL)]
        self.say(not re.search(rb"[<>&]", data), f"{what}: markup in the data")
        return [json.loads(line) for line in data.decode().split("\n")[:-1]]

    def policy(self):
        text = PAGE.decode()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
        parts = dict(p.strip().split(" ", 1) for p in policy.split(";"))
        found = Scripts(text).found
        code = [s for t, a, s in found if t == "script" and "type" not in a]
        style = [s for t, _, s in found if t == "style"]
        self.say(parts["default-src"] == "'none'", "policy: nothing by default")
        self.say(parts["script-src"].split() == [digest(code[0])] and len(code) == 1,
                 "policy: the one script")
        self.say(parts["style-src"].split() == [digest(style[0])] and len(style) == 1,
                 "policy: the one style")
        self.say(not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), "no address in the page")

    def hostile_task(self):
        quoted = ["'%s'" % n.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
                  .replace("\u0007", "\\a") for n in NASTY]
        task = self.folder / "hostile.pl"
        facts = [f"'<b>'({q})." for q in quoted[::2]]
        examples = [f"pos('<i>hit</i>'({q}))." for q in quoted[::2]]
        examples += [f"neg('<i>hit</i>'({q}))." for q in quoted[1::2]]
        other = [f"'&amp;'({q})." for q in quoted[1::2]]
        task.write_text("\n".join(facts + other + examples) + "\n")
        pages = []
        for jobs in (1, 2):
            out = self.folder / f"hostile{jobs}.html"
            done = self.run("learn", "-q", "-j", jobs, task, "--report", out)
            self.say(done.returncode == 0, f"hostile names: {done.stderr.decode()}")
            pages.append(out.read_bytes())
        self.say(pages[0] == pages[1], "the same page for any number of threads")
        events = self.data_of(pages[0], "hostile names")
        for e in events:
            validate(e)
        shown = {str(e["args"][0]) for e in events if e["event"] == "coverage"}
        self.say(shown == set(NASTY), f"every name is there as it is: {shown ^ set(NASTY)}")
        self.say(Scripts(pages[0].decode()).tags == Scripts(PAGE.decode()).tags,
                 "names add no element")

    def kept(self):
        """What --report keeps as JSON lines gives the same page; every event is in the schema."""
        for task in ("data/ilp/even-odd", "data/ilp/grandparent"):
            kept, page = self.folder / "kept.jsonl", self.folder / "page.html"
            self.run("learn", "-q", task, "--report", kept)
            self.run("learn", "-q", task, "--report", page)
            again = self.run("report", kept)
            self.say(again.stdout == page.read_bytes(), f"{task}: report of what was kept")
            for line in kept.read_text().splitlines():
                validate(json.loads(line))
            kinds = {e["event"] for e in self.data_of(again.stdout, task)}
            self.say({"start", "slots", "epoch", "coverage", "proof", "rule", "result"} <= kinds,
                     f"{task}: events {kinds}")
        self.soft_values()
        self.went_through()

    def soft_values(self):
        """Where rules are read off, what they derive has a high value, and nothing else."""
        kept = self.folder / "soft.jsonl"
        self.run("learn", "-q", "data/ilp/even-odd", "--report", kept)
        events = [json.loads(line) for line in kept.read_text().splitlines()]
        slots = next(e for e in events if e["event"] == "slots")
        last = [e for e in events if e["event"] == "epoch"][-1]["values"]
        self.say(len(last) == slots["steps"] + 1 and all(len(row) == len(slots["atoms"]) for row in last),
                 "a value for each atom and step")
        derived = {e["text"] for e in events if e["event"] == "valuation"}
        high = {a for a, v in zip(slots["atoms"], last[-1]) if v > 50}
        self.say(high == derived and not any(last[0]), f"values of {high}, not of {derived}")

    def went_through(self):
        """Spaces and stages are the same for any number of threads, and end where they should."""
        kept = [self.folder / f"went{jobs}.jsonl" for jobs in (1, 2)]
        for jobs in (1, 2):
            self.run("learn", "-q", "-j", jobs, "--templates", "none", "data/ilp/uncle", "--report",
                     kept[jobs - 1])
        self.say(kept[0].read_bytes() == kept[1].read_bytes(), "spaces by one thread and two")
        spaces = [e for e in map(json.loads, kept[0].read_text().splitlines()) if e["event"] == "space"]
        tried = [e["tried"] for e in spaces]
        self.say(len(spaces) > 3 and tried == sorted(tried) and tried[-1] > 0
                 and [e["space"] is None for e in spaces] == [False] * (len(spaces) - 1) + [True],
                 f"spaces: {spaces}")
        theory = "data/theory/kinship"
        self.run("compress", "-q", "--method", "gradient", "--templates", f"{theory}/templates.txt",
                 f"{theory}/facts.pl", "--report", kept[0])
        events = [json.loads(line) for line in kept[0].read_text().splitlines()]
        for e in events:
            validate(e)
        kinds = [e["event"] for e in events]
        self.say(kinds.count("restart") == 16 and kinds.count("history") > 20,
                 f"the gradient: {kinds.count('restart')} restarts, {kinds.count('history')} points")

    def other_commands(self):
        """Every command that takes --report keeps events of the schema, and makes a page."""
        theory, model = "data/theory/taxonomy", self.folder / "model.pl"
        graph = "data/countries/S2.tsv"
        self.run("learn", "-q", graph, "-o", model)
        for args in (["compress", f"{theory}/facts.pl"], ["score", "data/ilp/even-odd/solution.pl", "data/ilp/even-odd"],
                     ["explain", "can(canary,grow)", f"{theory}/rules.pl", f"{theory}/core.pl"],
                     ["explain", "can(canary,swim)", f"{theory}/rules.pl", f"{theory}/core.pl"],
                     ["learn", graph], ["learn", "--target", "locatedIn", graph, "data/countries/valid.pl"],
                     ["infer", "--top", "3", "--query", "locatedIn(france,X)", model, graph],
                     ["explain", "locatedIn(france,europe)", model, graph],
                     ["explain", "neighborOf(france,norway)", model, graph]):
            what, kept = " ".join(map(str, args)), self.folder / "other.jsonl"
            plain = self.run(*args)
            done = self.run(*args, "--report", kept)
            self.say(done.stdout == plain.stdout and done.returncode == plain.returncode,
                     f"{what}: the result is the same with a report")
            events = [json.loads(line) for line in kept.read_text().splitlines()]
            for e in events:
                validate(e)
            self.say(events[0]["event"] == "start" and events[-1]["event"] == "result",
                     f"{what}: begins with start, ends with result")
            self.data_of(self.run("report", kept).stdout, what)
            kept.unlink()
        done = self.run("infer", f"{theory}/core.pl", "--report", self.folder / "no.html")
        self.say(done.returncode == 2, "infer --report needs --top")

    def equally_sure(self):
        """Of many rules that are equally sure, 500 are shown."""
        graph, kept = self.folder / "equal.tsv", self.folder / "equal.jsonl"
        graph.write_text("".join(f"e{i}\tr{r}\te{(i * 7) % 40}\n" for i in range(40) for r in range(24)))
        self.run("learn", "-q", "--all", graph, "--report", kept)
        events = [json.loads(line) for line in kept.read_text().splitlines()]
        rules = sum(e["event"] == "rule" for e in events)
        self.say(events[-1]["rules"] > 500 and rules == 500,
                 f"{rules} of {events[-1]['rules']} rules are shown")

    def damaged(self):
        for text, where in ((b'{"event":"x"', ":1:13:"), (b'\n{"event":"a"}\n{"event":1e}\n', ":3:12:"),
                            (b'{"event":"\xff"}', ":1:11:"), (b'["event"]', ":1:1:"),
                            (b'{"event":"\x01"}', ":1:11:"), (b"[" * 100000, ":1:65:"),
                            (b'{"event":"\xc0\xaf"}', ":1:11:"), (b'{"event":"\xed\xa0\x80"}', ":1:11:")):
            done = self.run("report", "-", stdin=text)
            self.say(done.returncode == 3 and f"-{where}".encode() in done.stderr,
                     f"{text[:30]}: {done.returncode} {done.stderr.decode()}")
            self.say(done.stdout == b"", f"{text[:30]}: nothing is printed")
        for path in ("nowhere.jsonl", ROOT):
            self.say(self.run("report", path).returncode == 3, f"{path}: cannot be read")

    def random_lines(self, count):
        """Any valid line comes out as it went in; no other line comes out at all."""
        rng = random.Random(1)

        def value(depth):
            kind = rng.randrange(7 if depth < 4 else 5)
            if kind == 0:
                return rng.choice(NASTY)
            if kind == 1:
                return rng.choice([0, -1, 1e300, 1e-300, 10 ** 400, 0.1, True, False, None])
            if kind < 5:
                return "".join(chr(rng.choice([rng.randrange(1, 0xd800), rng.randrange(0xe000, 0x110000),
                                               rng.choice(b"<>&\"'\\/")])) for _ in range(rng.randrange(9)))
            if kind == 5:
                return [value(depth + 1) for _ in range(rng.randrange(4))]
            return {rng.choice(NASTY): value(depth + 1) for _ in range(rng.randrange(4))}

        events = [{"event": rng.choice(["rule", "x", "proof"]), "v": value(0)} for _ in range(count)]
        lines = [json.dumps(e, ensure_ascii=rng.random() < 0.5) for e in events]
        done = self.run("report", "-", stdin="\n".join(lines).encode())
        self.say(done.returncode == 0, done.stderr.decode()[:300])
        self.say(self.data_of(done.stdout, "random events") == events, "random events come back")

    def many(self):
        """However many rules there are, the page stays small and says how many it leaves out."""
        rule = '{"event":"rule","text":"p(X) :- q(X,%d)."}'
        n = 300000
        lines = "\n".join(rule % i for i in range(n)) + '\n{"event":"result","solved":true}\n'
        done = self.run("report", "-", stdin=lines.encode())
        self.say(len(done.stdout) < 5e6, f"{n} rules take {len(done.stdout)} bytes")
        events = self.data_of(done.stdout, "many rules")
        left = [e for e in events if e["event"] == "left_out"]
        kept = sum(e["event"] == "rule" for e in events)
        self.say(left == [{"event": "left_out", "kind": "rule", "count": n - kept}], f"left out: {left}")
        self.say(any(e["event"] == "result" for e in events), "the result is there")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(args.pith.resolve(), pathlib.Path(folder))
        checks.policy()
        checks.hostile_task()
        checks.kept()
        checks.other_commands()
        checks.equally_sure()
        checks.damaged()
        checks.random_lines(1500)
        checks.many()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
