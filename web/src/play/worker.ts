// Runs the command, one run at a time, away from the page.
/// <reference lib="webworker" />
import { runCommand } from "../command";
import type { FromWorker, RunMessage, ToWorker } from "./engine";
import { fetchUnpacked } from "./fetch";

const port = self as unknown as DedicatedWorkerGlobalScope;
const say = (message: FromWorker): void => port.postMessage(message);

let stopping = false;

const module = fetchUnpacked("pith.wasm.gz").then((bytes) =>
  WebAssembly.compile(bytes as BufferSource),
);

// Lets messages in, and answers whether one of them said stop.
const turn = new MessageChannel();
function askToStop(): Promise<boolean> {
  return new Promise((resolve) => {
    turn.port1.onmessage = () => resolve(stopping);
    turn.port2.postMessage(null);
  });
}

// Without suspension no message comes in while the command runs. But a worker may
// wait for a request, and the page withdraws the address to be asked for when the
// run is to stop.
function isWithdrawn(address: string): boolean {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  try {
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}

async function run(m: RunMessage): Promise<void> {
  const { id, args, files: texts, going } = m;
  const encoder = new TextEncoder();
  const decoders = [new TextDecoder(), new TextDecoder(), new TextDecoder()];
  const files = new Map([...texts].map(([path, text]) => [path, encoder.encode(text)]));
  stopping = false;
  try {
    const ended = await runCommand(await module, {
      args,
      files,
      stop: askToStop,
      stopNow: () => isWithdrawn(going),
      output: (stream, bytes) => {
        const text = decoders[stream]?.decode(bytes, { stream: true }) ?? "";
        say({ kind: "output", id, stream, text });
      },
    });
    const written = [...ended.files].filter(([path]) => !texts.has(path));
    const made = new Map(written.map(([path, b]) => [path, new TextDecoder().decode(b)]));
    say({ kind: "ended", id, code: ended.code, files: made });
  } catch (e) {
    say({ kind: "broken", id, text: e instanceof Error ? e.message : String(e) });
  }
}

port.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "stop") stopping = true;
  else void run(message);
};

module.then(
  () => say({ kind: "ready" }),
  (e) => say({ kind: "unready", text: e instanceof Error ? e.message : String(e) }),
);
