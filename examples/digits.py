#!/usr/bin/env python3
"""A network that sees digits and a rule that compares them, learned together.

Images are drawn here: a 5x7 font, shifted and noisy. Of a few images the digit is
known; of many pairs it is only known whether the first is less than the second. A
small convolutional network says which digit an image shows, and the rule

    less(A,B) :- digit(A,C), F(C,D), digit(B,D).

says which pairs are less; F is a slot to be learned among four relations of
digits. The pairs teach both. Takes about six seconds of one core:  python3 examples/digits.py
"""
import torch

from pith.torch import SoftRules

FONT = """
01110 10001 10011 10101 11001 10001 01110  00100 01100 00100 00100 00100 00100 01110
01110 10001 00001 00010 00100 01000 11111  11111 00010 00100 00010 00001 10001 01110
00010 00110 01010 10010 11111 00010 00010  11111 10000 11110 00001 00001 10001 01110
00110 01000 10000 11110 10001 10001 01110  11111 00001 00010 00100 01000 01000 01000
01110 10001 10001 01110 10001 10001 01110  01110 10001 10001 01111 00001 00010 01100
"""


def draw(labels, generator):
    """Images of 12 x 10 dots for these digits."""
    bits = torch.tensor([[float(c) for c in row] for row in FONT.split()])
    font = bits.reshape(10, 7, 5)
    images = torch.zeros(len(labels), 12, 10)
    for i, digit in enumerate(labels.tolist()):
        y, x = torch.randint(0, 3, (2,), generator=generator).tolist()
        images[i, y + 1 : y + 8, x + 1 : x + 6] = font[digit]
    noise = 0.2 * torch.randn(images.shape, generator=generator)
    return (images + noise).unsqueeze(1)


def network():
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 16, 3), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(16, 32, 3), torch.nn.ReLU(), torch.nn.Flatten(),
        torch.nn.LazyLinear(64), torch.nn.ReLU(), torch.nn.Linear(64, 10),
    )


def relations(size):
    """Four relations of digits, the first ten things; images come after them."""
    made = {name: torch.zeros(size, size) for name in ("lt", "gt", "succ", "same")}
    for a in range(10):
        for b in range(10):
            made["lt"][a, b] = float(a < b)
            made["gt"][a, b] = float(a > b)
            made["succ"][a, b] = float(b == a + 1)
            made["same"][a, b] = float(a == b)
    return made


def facts_of(probabilities):
    """digit(image, digit) as the network sees it, and the relations."""
    count = len(probabilities)
    size = 10 + count
    digit = torch.zeros(size, size)
    digit = torch.cat([digit[:10], torch.cat([probabilities, digit[10:, 10:]], 1)])
    return {**relations(size), "digit": digit}


def train(epochs=300, batch=32, seed=1):
    """Returns the accuracy on new images, and the rule that was learned."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 10, (600,), generator=generator)
    images = draw(labels, generator)
    few = torch.cat([(labels == d).nonzero()[:5, 0] for d in range(10)])
    net = network()
    rule = SoftRules(
        templates="less(X,Y) <- digit(X,V), F(V,W), digit(Y,W)\n", steps=1,
        predicates={"lt": 2, "gt": 2, "succ": 2, "same": 2}, seed=seed)
    net(images[:1])
    optimiser = torch.optim.Adam(
        [{"params": net.parameters(), "lr": 5e-3}, {"params": rule.parameters(), "lr": 0.1}])
    for _ in range(epochs):
        chosen = torch.randint(0, len(labels), (batch,), generator=generator)
        less = rule(facts_of(net(images[chosen]).softmax(-1)))["less"][10:, 10:]
        wanted = (labels[chosen][:, None] < labels[chosen]).float()
        loss = torch.nn.functional.binary_cross_entropy(less.clamp(1e-4, 1 - 1e-4), wanted)
        loss = loss + torch.nn.functional.cross_entropy(net(images[few]), labels[few])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    fresh = torch.randint(0, 10, (500,), generator=generator)
    right = net(draw(fresh, generator)).argmax(-1) == fresh
    return {"digits": float(right.float().mean()), "rule": str(rule.decode()[0])}


if __name__ == "__main__":
    print(train())
