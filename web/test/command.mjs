// The command as WebAssembly, for tests that run in node.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

async function shim() {
  const made = await build({
    entryPoints: [join(here, "../src/command.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = made.outputFiles[0].text;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

export function filesBelow(folder, files = new Map()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) filesBelow(path, files);
    else files.set(path, new Uint8Array(readFileSync(path)));
  }
  return files;
}

// A function that runs one command: { code, out, err, files }. What it writes is
// added to the files.
export async function loadCommand(wasm) {
  const { runCommand } = await shim();
  const module = await WebAssembly.compile(readFileSync(wasm));
  return async (args, files) => {
    const streams = ["", [], []];
    const ended = await runCommand(module, {
      args,
      files,
      output: (stream, bytes) => streams[stream].push(bytes),
    });
    const text = (parts) => Buffer.concat(parts).toString();
    return { ...ended, out: text(streams[1]), err: text(streams[2]) };
  };
}
