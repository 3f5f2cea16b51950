// The report: the page holds the events as data; this shows them.
import { parse } from "./events";
import { render } from "./render";

const root = document.getElementById("report");
const data = document.getElementById("events");
if (root !== null && data !== null) {
  const result = parse(data.textContent ?? "");
  render(root, result);
  const about = result.start;
  if (about !== null) document.title = `pith ${about.command} ${about.operands.join(" ")}`;
}
