// One run of the command: a fresh instance, its arguments and its files.
import { Exit, type Files, Wasi } from "./wasi";

export interface Run {
  args: string[];
  files: Files;
  output: (stream: 1 | 2, bytes: Uint8Array) => void;
  stop?: () => Promise<boolean>; // asked where the browser can suspend the command
  stopNow?: () => boolean; // asked where it cannot
}

export interface Ended {
  code: number;
  files: Files;
}

// WebAssembly's JavaScript promise integration, where the browser has it.
interface Suspension {
  Suspending: new (f: () => Promise<number>) => WebAssembly.ImportValue;
  promising: (f: unknown) => () => Promise<void>;
}

const suspension = "Suspending" in WebAssembly ? (WebAssembly as unknown as Suspension) : undefined;

export async function runCommand(module: WebAssembly.Module, run: Run): Promise<Ended> {
  const wasi = new Wasi({ ...run, args: ["pith", ...run.args] });
  const { stop, stopNow = () => false } = run;
  const asks = suspension !== undefined && stop !== undefined;
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.imports() as WebAssembly.ModuleImports,
    pith: {
      stop: asks
        ? new suspension.Suspending(async () => Number(await stop()))
        : () => Number(stopNow()),
    },
  });
  wasi.start(instance);
  const start = instance.exports._start as () => void;
  try {
    if (asks) await suspension.promising(start)();
    else start();
  } catch (e) {
    if (e instanceof Exit) return { code: e.code, files: run.files };
    throw e;
  }
  return { code: 0, files: run.files };
}
