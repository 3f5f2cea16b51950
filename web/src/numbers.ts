// Numbers as people read them.

export function count(n: number, one: string, many?: string): string {
  return `${whole(n)} ${n === 1 ? one : (many ?? `${one}s`)}`;
}

export function whole(n: number): string {
  return n.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

export function share(x: number | null | undefined): string {
  if (x === null || x === undefined) return "–";
  if (x > 0 && x < 0.001) return "< 0.001";
  if (x > 0.9995 && x < 1) return "> 0.999";
  return x.toFixed((x > 0 && x < 0.01) || (x > 0.995 && x < 1) ? 3 : 2);
}

export function percent(x: number | null | undefined): string {
  if (x === null || x === undefined) return "–";
  const shown = 100 * x;
  return `${shown > 0 && shown < 1 ? shown.toFixed(1) : shown.toFixed(0)} %`;
}

// Three digits that matter, never in powers of ten where a plain number does.
export function figure(x: number | null | undefined): string {
  if (x === null || x === undefined) return "–";
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)) return x.toExponential(1);
  return String(Number(x.toPrecision(3)));
}

// Round numbers that divide low to high into a few steps.
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const out: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) out.push(i * step);
  return out;
}
