"""Small graphs for the tests of link prediction."""


def people(draw):
    """Homes, countries and friends: some follow, some do not, many are tied."""
    triples = []
    for i in range(60):
        town = draw.randrange(12)
        triples += [(f"p{i}", "lives", f"town{town}")]
        if draw.random() < 0.8:
            triples += [(f"p{i}", "in", f"land{town % 5}")]
        friends = draw.sample(range(60), 2)
        triples += [(f"p{i}", "friend", f"p{j}") for j in friends]
    return triples + [(f"town{i}", "part", f"land{i % 5}") for i in range(12)]
