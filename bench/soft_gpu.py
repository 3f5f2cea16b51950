#!/usr/bin/env python3
"""Soft forward chaining on a GPU and on a core, 64 restarts side by side.

    bench/soft_gpu.py [--restarts 64] [--sizes 100,500,1000,2000] [--steps 3]

Needs torch alone, not the built package. The rule is a chain whose two slots are
weighed, reach(X,Y) :- a(X,Z), b(Z,Y), in (max, product); a row says the seconds
of one forward and one backward pass over all restarts, on each device there is.
On the core large worlds are computed for fewer restarts, and scaled.
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


def one_pass(edge, weight, steps):
    value = edge * weight
    for _ in range(steps):
        value = torch.maximum(value, softops.max_product(edge * weight, value))
    return value


def measure(device, n, restarts, steps):
    draw = torch.Generator().manual_seed(1)
    edge = (torch.rand(n, n, generator=draw) < 4 / n).float().to(device)
    edge = edge.unsqueeze(0).expand(restarts, n, n)
    weight = torch.rand(restarts, 1, 1, generator=draw).to(device).requires_grad_()
    times = []
    for _ in range(3):
        wait(device)
        began = time.perf_counter()
        loss = one_pass(edge, weight, steps).sum()
        wait(device)
        middle = time.perf_counter()
        loss.backward()
        wait(device)
        times.append((middle - began, time.perf_counter() - middle))
    return min(f for f, _ in times), min(b for _, b in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--restarts", type=int, default=64)
    parser.add_argument("--sizes", default="100,500,1000,2000")
    parser.add_argument("--steps", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    print(f"torch {torch.__version__}, "
          + (torch.cuda.get_device_name() if "cuda" in devices else "no GPU"))
    print("| constants | device | forward s | backward s | restarts measured |\n|" + "---|" * 5)
    for n in map(int, args.sizes.split(",")):
        for device in devices:
            share = args.restarts
            if device == "cpu":
                share = max(1, min(args.restarts, int(2e9 / (n**3 * args.steps))))
            forward, backward = measure(device, n, share, args.steps)
            scale = args.restarts / share
            print(f"| {n} | {device} | {forward * scale:.4f} | {backward * scale:.4f} |"
                  f" {share} |", flush=True)


if __name__ == "__main__":
    main()
