#!/usr/bin/env python3
"""Soft forward chaining, 64 restarts side by side: the C kernels and torch
operations on a core, and torch operations on a GPU.

    bench/soft_gpu.py [--restarts 64] [--sizes 100,500,1000,2000] [--steps 3]
                      [--ways kernels,core,gpu] [--gigabytes 20]

The rule is reach(X,Y) :- edge(X,Z), reach(Z,Y) in (max, product), over edges with a
weight of their own in every restart; a row says the seconds of one forward and one
backward pass over all restarts, the least of three. Where all restarts would take
too long or too much memory, fewer are computed and the seconds scaled. Torch
operations need torch alone; the kernels need the built package.
"""
import argparse
import importlib.util
import pathlib
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("softops", ROOT / "python/pith/_softops.py")
softops = importlib.util.module_from_spec(spec)
spec.loader.exec_module(softops)


def wait(device):
    if device == "cuda":
        torch.cuda.synchronize()


def by_operations(edge, steps):
    value = edge
    for _ in range(steps):
        value = softops.larger(value, softops.max_product(edge, value))
    return value


def by_kernels(steps):
    from pith.torch import SoftRules

    rules = SoftRules("reach(X,Y) :- edge(X,Z), reach(Z,Y).", steps=steps, backend="c")
    return lambda edge, _: rules({"edge": edge, "reach": edge})["reach"]


def measure(chain, device, n, restarts, steps):
    draw = torch.Generator().manual_seed(1)
    edge = (torch.rand(n, n, generator=draw) < 4 / n).float().to(device)
    edge = edge.unsqueeze(0).expand(restarts, n, n)
    weight = torch.rand(restarts, 1, 1, generator=draw).to(device).requires_grad_()
    times = []
    while len(times) < 3 and sum(f + b for f, b in times) < 60:
        wait(device)
        began = time.perf_counter()
        loss = chain(edge * weight, steps).sum()
        wait(device)
        middle = time.perf_counter()
        loss.backward()
        wait(device)
        times.append((middle - began, time.perf_counter() - middle))
        del loss
    slope = float(weight.grad.sum()) / len(times)
    return min(f for f, _ in times), min(b for _, b in times), slope


def share_of(way, n, args):
    """How many restarts to compute."""
    if way == "core":
        return max(1, min(args.restarts, int(2e9 / (n**3 * args.steps))))
    if way == "kernels":  # rows of sixteen lanes: values, slots, joins, winners
        row = 64 * n * n * (10 + 9 * args.steps)
        return max(16, min(args.restarts, int(args.gigabytes * 1e9 / row) * 16))
    return args.restarts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--restarts", type=int, default=64)
    parser.add_argument("--sizes", default="100,500,1000,2000")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--ways", default="kernels,core,gpu")
    parser.add_argument("--gigabytes", type=float, default=20)
    args = parser.parse_args()
    torch.set_num_threads(1)
    ways = [w for w in args.ways.split(",") if w != "gpu" or torch.cuda.is_available()]
    print(f"torch {torch.__version__}, "
          + (torch.cuda.get_device_name() if "gpu" in ways else "no GPU"))
    print("| constants | way | forward s | backward s | restarts computed | slope each |"
          "\n|" + "---|" * 6)
    for n in map(int, args.sizes.split(",")):
        for way in ways:
            share = share_of(way, n, args)
            device = "cuda" if way == "gpu" else "cpu"
            chain = by_kernels(args.steps) if way == "kernels" else by_operations
            forward, backward, slope = measure(chain, device, n, share, args.steps)
            scale = args.restarts / share
            print(f"| {n} | {way} | {forward * scale:.4f} | {backward * scale:.4f} |"
                  f" {share} | {slope / share:.6g} |", flush=True)


if __name__ == "__main__":
    main()
