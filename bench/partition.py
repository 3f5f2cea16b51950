#!/usr/bin/env python3
"""Messages of a graph that is parted over several machines, counted.

    bench/partition.py [--facts N] [--hosts N,N,...] [--walks N] [--hubs SHARE]

Makes a graph as bench/graphs.py does and parts its entities by a hash: a host
keeps the edges of its entities, both ways. Then it walks as the miners do, from
sampled entities over all bodies of two and three atoms that begin with a random
edge, all walks of a host at once, step by step: entities that were reached go
to the hosts that own them, one message for each pair of hosts and step. Counts
messages, entities sent and bytes (8 for each: entity and walk). Hubs, the given
share of the entities with the most edges, may be kept by every host: then
nothing is sent for them.
"""
import argparse
import os
import random
import sys
import tempfile

from graphs import make_graph


def read_graph(facts):
    """Neighbours of each entity by way; ways are relations gone either way."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.tsv")
        make_graph(path, facts)
        edges = {}
        for line in open(path):
            x, r, y = line.rstrip("\n").split("\t")
            edges.setdefault(int(x[1:]), {}).setdefault((r, 0), []).append(int(y[1:]))
            edges.setdefault(int(y[1:]), {}).setdefault((r, 1), []).append(int(x[1:]))
    return edges


def find_hubs(edges, share):
    by_degree = sorted(edges, key=lambda x: -sum(map(len, edges[x].values())))
    return set(by_degree[:int(len(by_degree) * share)])


def walk(edges, starts, length, hosts, hubs, most):
    """Walks together, a step at a time; what is sent between hosts."""
    dice = random.Random(2)
    messages = sent = touched = 0
    # frontier: (walk, entity, host where it is)
    frontier = [(x, x, x % hosts) for x in starts]
    for _ in range(length):
        going = {}
        reached = []
        for start, x, host in frontier:
            ways = list(edges[x].values())
            for y in ways[dice.randrange(len(ways))][:most]:
                touched += 1
                owner = host if y in hubs else y % hosts
                if owner != host:
                    going[host, owner] = going.get((host, owner), 0) + 1
                reached.append((start, y, owner))
        messages += len(going)
        sent += sum(going.values())
        frontier = list(dict.fromkeys(reached))
    return messages, sent, touched


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--facts", type=int, default=100000)
    parser.add_argument("--hosts", default="2,4,16,64")
    parser.add_argument("--walks", type=int, default=2000)
    parser.add_argument("--hubs", default="0,0.01")
    parser.add_argument("--most", type=int, default=200,
                        help="edges followed from one entity")
    args = parser.parse_args()
    edges = read_graph(args.facts)
    starts = random.Random(1).sample(sorted(edges), args.walks)
    print(f"{args.facts:,} facts, {len(edges):,} entities, {args.walks} walks\n"
          "| hosts | hubs kept by all | atoms | edges touched a walk | entities "
          "sent a walk | of the edges | bytes a walk | messages in all |\n"
          "|--:|--:|--:|--:|--:|--:|--:|--:|")
    for share in map(float, args.hubs.split(",")):
        hubs = find_hubs(edges, share)
        for hosts in map(int, args.hosts.split(",")):
            for length in (2, 3):
                messages, sent, touched = walk(edges, starts, length, hosts,
                                               hubs, args.most)
                print(f"| {hosts} | {100 * share:g} % | {length} | "
                      f"{touched / args.walks:.1f} | {sent / args.walks:.1f} | "
                      f"{sent / max(touched, 1):.2f} | "
                      f"{8 * sent / args.walks:.0f} | {messages} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
