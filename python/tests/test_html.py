"""What a notebook shows is well-formed, and whatever is in it is escaped."""

import xml.etree.ElementTree as ET

import pith


def well_formed(html):
    ET.fromstring(f"<div>{html}</div>")
    assert "<script" not in html
    return html


def test_everything_has_html(data):
    odd = pith.Facts({"<b>": [("<script>", "&"), (1, 2.5)]})
    assert "&lt;script&gt;" in well_formed(odd["<b>"]._repr_html_())
    assert "&lt;b&gt;" in well_formed(odd._repr_html_())
    learned = pith.learn(data / "ilp" / "even-odd")
    assert "even(X)" in well_formed(learned._repr_html_())
    well_formed(pith.Theory(learned)._repr_html_())
    assert str(learned[0]) in well_formed(learned[0]._repr_html_()).replace("&gt;", ">")
    theory = pith.compress({"m": [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")]})
    assert "bits" in well_formed(theory._repr_html_())
    closure = pith.infer(learned, data / "ilp" / "even-odd")
    bundle = closure.explain("even(4)")._repr_mimebundle_()
    assert "<svg" in well_formed(bundle["text/html"])
    assert "even(4)" in bundle["text/plain"]
    bundle = closure.explain("even(3)")._repr_mimebundle_()
    assert "does not follow" in well_formed(bundle["text/html"])
    well_formed(closure.score()._repr_html_())
    model = pith.Model(target="locatedIn").fit(data / "countries" / "S1.tsv")
    assert "more rules" in well_formed(model._repr_html_())


def test_a_curve_is_drawn():
    from pith._html import curve_svg
    from pith.progress import Progress

    names = Progress.__dataclass_fields__
    base = dict.fromkeys(names, 0) | {"phase": ""}
    reports = [
        Progress(**{**base, "seconds": i, "loss": 1 / (i + 1)}) for i in range(9)
    ]
    assert "polyline" in well_formed(curve_svg(reports))
    assert curve_svg(reports[:2]) == ""
