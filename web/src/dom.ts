// Elements are made node by node and text is always a text node, so a name
// that looks like markup is shown and never becomes any.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

const svgNamespace = "http://www.w3.org/2000/svg";

// Control characters and marks that turn the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const hidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function clean(text: string): string {
  return text.replace(hidden, "\ufffd");
}

function append(to: Element, child: Child): void {
  if (Array.isArray(child)) for (const c of child) append(to, c);
  else if (child instanceof Node) to.append(child);
  else if (child !== null && child !== undefined && child !== false)
    to.append(document.createTextNode(clean(String(child))));
}

function fill<T extends Element>(e: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name, value);
    else e.setAttribute(name, value === true ? "" : clean(String(value)));
  }
  append(e, children);
  return e;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, name), attributes, children);
}

// A drawing at its true size, with a name for those who listen.
export function picture(
  kind: string,
  size: { width: number; height: number },
  title: string,
  ...parts: Child[]
): SVGSVGElement {
  const id = newId("picture");
  const { width, height } = size;
  return svg(
    "svg",
    {
      class: kind,
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": id,
    },
    svg("title", { id }, title),
    ...parts,
  );
}

// How wide a name is drawn, about.
export function nameWidth(name: string): number {
  return 8.2 * [...clean(name)].length;
}

let lastId = 0;
export function newId(stem: string): string {
  lastId += 1;
  return `${stem}-${lastId}`;
}

// A part of the page with its heading, a landmark for those who listen.
export function section(title: string, note: Child, ...children: Child[]): HTMLElement {
  const id = newId("part");
  return h(
    "section",
    { class: "part", "aria-labelledby": id },
    h("h2", { id }, title),
    note ? h("p", { class: "note" }, note) : null,
    ...children,
  );
}

export function replace(old: Element, ...children: Child[]): void {
  old.replaceChildren();
  append(old, children);
}
