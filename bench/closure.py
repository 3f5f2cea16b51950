#!/usr/bin/env python3
"""Times exact inference against SWI-Prolog (tabling) and clingo, in one run.

    bench/closure.py [--sizes 1000,5000,20000] [--limit 120] [--output FILE]

Each engine is a fresh process that reads the same facts and the same rules,
derives everything and counts it. The time is the whole of that, from start to
exit, in seconds of the processor (each engine uses one core), so that what
else the machine does matters little; short runs are repeated and the best
counts. clingo is asked for nothing but the grounding (-q, #show.), which is its
fastest way. The counts must agree. Peak memory is what the kernel reports; it
counts a process from its fork on, so nothing below this driver's own size
(some 15 MB) can be told, and the facts are made in a process of their own.
Engines that pass the limit are "over"; those that ask for more memory than
--memory are "memory". The table is written with what it was made on.
"""
import argparse
import os
import pathlib
import platform
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPEAT_SECONDS = 5  # what takes longer is not run again

# ---- tasks: name -> (what, rules, derived predicates, facts(rng, n)) ---------


def digraph(rng, n):
    return {("edge", rng.randrange(n), rng.randrange(n)) for _ in range(2 * n)}


def tree(_, n):
    return {("edge", (i - 1) // 2, i) for i in range(1, n)}


def chain(_, n):
    return {("edge", i, i + 1) for i in range(n - 1)}


def family(rng, n):
    return {("edge", rng.randrange(i), i) for i in range(1, n)}


def three(rng, n):
    return {(name, rng.randrange(n), rng.randrange(n))
            for name in ("one", "two", "three") for _ in range(8 * n)}


CLOSURE = ["reach(X,Y) :- edge(X,Y).", "reach(X,Y) :- reach(X,Z), edge(Z,Y)."]
GENERATION = ["same(X,Y) :- edge(P,X), edge(P,Y).",
              "same(X,Y) :- edge(P,X), same(P,Q), edge(Q,Y)."]
JOIN = ["triangle(X,Y,Z) :- one(X,Y), two(Y,Z), three(Z,X)."]

TASKS = {
    "digraph": ("closure of a random digraph, two edges a node", CLOSURE,
                ["reach/2"], digraph),
    "tree": ("closure of a binary tree", CLOSURE, ["reach/2"], tree),
    "chain": ("closure of a chain", CLOSURE, ["reach/2"], chain),
    "generation": ("same generation in a random tree", GENERATION, ["same/2"],
                   family),
    "join": ("three-way join, eight facts a constant", JOIN, ["triangle/3"],
             three),
    "load": ("a million facts, no rules", [], [], None),
}


def task_facts(task, n):
    rng = random.Random(f"{task}:{n}")
    if task == "load":
        return sorted({("edge", rng.randrange(n), rng.randrange(n))
                       for _ in range(1000000)})
    return sorted(TASKS[task][3](rng, n))


# ---- engines: (command, lines before the facts, lines after) -----------------


def for_pith(pith, rules, _):
    command = [pith, "infer", "--count", "--quiet", "--format", "json"]
    return command, [], rules


def for_swipl(_, rules, derived):
    goals = ", ".join(
        "aggregate_all(count, {}({}), N{})".format(
            name.split("/")[0], ",".join("_" * int(name.split("/")[1])), i)
        for i, name in enumerate(derived)) or "N0 = 0"
    count = f":- initialization(({goals}, print(derived(N0)), nl, halt))."
    command = ["swipl", "-q", "-g", "halt", "--stack-limit=12g",
               "--table-space=12g"]
    return command, [f":- table {name}." for name in derived], rules + [count]


def for_clingo(_, rules, __):
    return ["clingo", "-q", "--stats", "-Wnone"], [], rules + ["#show."]


ENGINES = {"pith": for_pith, "SWI-Prolog": for_swipl, "clingo": for_clingo}


def derived_of(engine, output, given):
    """How many facts an engine says it derived."""
    if engine == "pith":
        return int(re.search(r'"event":\s*"result".*?"derived":\s*(\d+)',
                             output)[1])
    if engine == "SWI-Prolog":
        return int(re.search(r"derived\((\d+)\)", output)[1])
    return int(re.search(r"Atoms\s*:\s*(\d+)", output)[1]) - given


# ---- running ------------------------------------------------------------------


def set_limits(seconds, memory):
    """For this process, so that what it starts inherits them: a process that
    runs Python between fork and exec would start with milliseconds spent."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def timed(command, limit):
    """(seconds, peak megabytes, output), or a word that says why not."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL,
                                 stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        output = out.read()
    seconds = usage.ru_utime + usage.ru_stime
    if seconds >= limit:
        return "over"
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 30):  # 30: clingo, all of it searched
        return "memory"
    return seconds, usage.ru_maxrss / 1024, output


def write_program(path, task, n, before, after):
    """In a process of its own: this one must stay small (see above)."""
    child = os.fork()
    if child == 0:
        with open(path, "w") as file:
            file.writelines(line + "\n" for line in before)
            file.writelines(f"{p}({a},{b}).\n"
                            for p, a, b in task_facts(task, n))
            file.writelines(line + "\n" for line in after)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{task} {n}: the facts could not be written")
    with open(path) as file:
        return sum(1 for _ in file) - len(before) - len(after)


def run_engine(options, engine, task, n):
    """(seconds, megabytes, derived), or a word"""
    _, rules, derived, _ = TASKS[task]
    command, before, after = ENGINES[engine](options.pith, rules, derived)
    best = None
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        given = write_program(file.name, task, n, before, after)
        spent, runs = 0, 0
        while runs == 0 or (runs < options.repeat and spent < REPEAT_SECONDS):
            got = timed([*command, file.name], options.limit)
            if isinstance(got, str):
                return got
            if best is None or got[0] < best[0]:
                best = got
            spent, runs = spent + got[0], runs + 1
    return best[0], best[1], derived_of(engine, best[2], given)


def run_task(options, task, n, engines):
    """{engine: (seconds, megabytes, derived) or a word}"""
    results = {}
    for engine in engines:
        results[engine] = run_engine(options, engine, task, n)
        print(f"{task} {n} {engine}: {results[engine]}", file=sys.stderr)
    counts = {r[2] for r in results.values() if not isinstance(r, str)}
    if len(counts) > 1:
        sys.exit(f"{task} {n}: the engines disagree: {results}")
    return results


# ---- tables -------------------------------------------------------------------


def number(x):
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:,.0f}"


def cell(result):
    if isinstance(result, str):
        return result, ""
    return number(result[0]), f"{result[1]:,.0f}"


def ratio(results, engine, limit):
    """How many times longer; a lower bound where the engine was stopped."""
    ours, theirs = results["pith"], results[engine]
    if isinstance(ours, str):
        return ""
    if theirs == "over":
        return f"> {limit / ours[0]:,.0f}"
    if isinstance(theirs, str):
        return ""
    times = theirs[0] / ours[0]
    return f"{times:,.0f}" if times >= 10 else f"{times:.1f}"


def comparison(options):
    lines = ["| task | constants | derived | pith s | MB | SWI-Prolog s | MB |"
             " ratio | clingo s | MB | ratio |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for task in options.tasks:
        for n in [100000] if task == "load" else options.sizes:
            results = run_task(options, task, n, list(ENGINES))
            count = next((r[2] for r in results.values()
                          if not isinstance(r, str)), None)
            row = [task, f"{n:,}", "" if count is None else f"{count:,}",
                   *cell(results["pith"])]
            for engine in ("SWI-Prolog", "clingo"):
                row += [*cell(results[engine]),
                        ratio(results, engine, options.limit)]
            lines.append("| " + " | ".join(row) + " |")
    return lines


def growth(options):
    """Time against derivations, for pith alone."""
    lines = ["| task | constants | derived | seconds | ns a derived fact | MB |",
             "|---|--:|--:|--:|--:|--:|"]
    for task, most in (("tree", 64), ("digraph", 2), ("chain", 2)):
        n = options.sizes[0]
        while n <= most * options.sizes[-1]:
            got = run_task(options, task, n, ["pith"])["pith"]
            if not isinstance(got, str):
                each = 1e9 * got[0] / max(got[2], 1)
                lines.append(f"| {task} | {n:,} | {got[2]:,} | "
                             f"{number(got[0])} | {each:,.1f} | {got[1]:,.0f} |")
            n *= 2
    return lines


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        return "not here"
    return (done.stdout.splitlines() or ["unknown"])[0]


def machine():
    cpu = "unknown"
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            cpu = line.split(":")[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return f"{cpu}, {os.cpu_count()} cores, {memory} GB, {platform.system()}"


def heading(options):
    dirty = first_line("git", "status", "--porcelain", "src", "app", "include")
    revision = first_line("git", "describe", "--always")
    lines = ["# Exact inference: time and memory", "",
             f"- machine: {machine()}",
             f"- compiler: {first_line('gcc', '--version')}, -O3",
             f"- revision: {revision}" +
             (" with changes" if dirty != "unknown" else ""),
             f"- beside: {first_line('swipl', '--version')}; "
             f"{first_line('clingo', '--version')}",
             f"- command: `{' '.join(['./dev bench', *sys.argv[1:]])}`",
             f"- limit: {options.limit} s and {options.memory:,} MB a run; "
             '"over" and "memory" say which was passed',
             "- seconds are those of the processor, from start to exit; the best "
             f"of {options.repeat} runs where they are short",
             ""]
    lines += [f"- {task}: {TASKS[task][0]}" for task in options.tasks]
    return lines + [""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1000,5000,20000")
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--memory", type=int, default=12288, help="megabytes")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--pith", default=str(ROOT / "build" / "pith"))
    parser.add_argument("--output",
                        default=str(ROOT / "bench/results/closure.md"))
    options = parser.parse_args()
    options.sizes = sorted(int(n) for n in options.sizes.split(","))
    options.tasks = options.tasks.split(",")
    set_limits(options.limit, options.memory << 20)
    lines = heading(options) + comparison(options)
    lines += ["", "## How the cost grows", ""] + growth(options)
    pathlib.Path(options.output).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(options.output).write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
