// What the command says on standard error: places in files, and how far it is.

export interface Remark {
  kind: "error" | "warning" | "note";
  path: string | null;
  line: number; // from 1; 0: no place
  column: number;
  text: string;
}

const placed = /^pith: (error|warning|note): (.+?):(\d+):(\d+): (.*)$/;
const plain = /^pith: (error|warning|note): (.*)$/;
const progress = /^pith: ((?:under )?\d[\d.]* (?:s|minutes|hours|days)\b.*)$/;

// Advice that is of no use in a browser, and what is.
const advice =
  /and this build is without it; install \S+ and build pith again, or convert the file first$/;
const betterAdvice =
  "which the pith of this page is without; the installed command turns it into what can be read here: pith convert FILE -o facts.pl";

const adapted = (text: string): string => text.replace(advice, betterAdvice);

export function progressIn(line: string): string | null {
  return progress.exec(line)?.[1] ?? null;
}

function remarkIn(line: string): Remark | null {
  const at = placed.exec(line);
  if (at !== null)
    return {
      kind: at[1] as Remark["kind"],
      path: at[2] ?? null,
      line: Number(at[3]),
      column: Number(at[4]),
      text: adapted(at[5] ?? ""),
    };
  const only = plain.exec(line);
  return only === null
    ? null
    : {
        kind: only[1] as Remark["kind"],
        path: null,
        line: 0,
        column: 0,
        text: adapted(only[2] ?? ""),
      };
}

export function remarksIn(text: string): Remark[] {
  return text.split("\n").flatMap((line) => remarkIn(line) ?? []);
}
