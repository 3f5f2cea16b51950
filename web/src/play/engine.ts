// The worker as the page sees it. Runs queue up; a stop asks first, and ends the
// worker where it does not answer in time.

export interface RunMessage {
  kind: "run";
  id: number;
  args: string[];
  files: Map<string, string>;
  going: string; // an address that is there until the run is to stop
}

export type ToWorker = RunMessage | { kind: "stop" };

export type FromWorker =
  | { kind: "ready" }
  | { kind: "unready"; text: string }
  | { kind: "output"; id: number; stream: 1 | 2; text: string }
  | { kind: "ended"; id: number; code: number; files: Map<string, string> }
  | { kind: "broken"; id: number; text: string };

export interface Outcome {
  code: number;
  out: string;
  err: string;
  files: Map<string, string>;
  killed: boolean; // ended from outside, with nothing to show
}

interface Running {
  id: number;
  going: string;
  out: string;
  err: string;
  onErr: (line: string) => void;
  end: (code: number, files: Map<string, string>, killed: boolean) => void;
  fail: (e: Error) => void;
}

const patience = 1500; // milliseconds until a stop that was asked for is forced

export class Engine {
  private worker: Worker;
  private running: Running | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  ready: Promise<void>;

  constructor(private readonly address: string) {
    [this.worker, this.ready] = this.open();
  }

  private open(): [Worker, Promise<void>] {
    const worker = new Worker(this.address);
    const ready = new Promise<void>((ok, bad) => {
      worker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
        if (event.data.kind === "ready") ok();
        else if (event.data.kind === "unready") bad(new Error(event.data.text));
        else this.hear(event.data);
      });
      worker.addEventListener("error", (e) => bad(new Error(e.message || "it cannot be loaded")));
    });
    ready.catch(() => {}); // whoever waits for it hears
    return [worker, ready];
  }

  private hear(m: FromWorker): void {
    const r = this.running;
    if (r === null || !("id" in m) || m.id !== r.id) return;
    if (m.kind === "output" && m.stream === 1) r.out += m.text;
    else if (m.kind === "output") {
      const from = r.err.lastIndexOf("\n") + 1; // a line may come in parts
      r.err += m.text;
      for (const line of r.err.slice(from).split("\n").slice(0, -1)) r.onErr(line);
    } else if (m.kind === "ended") r.end(m.code, m.files, false);
    else if (m.kind === "broken") r.fail(new Error(m.text));
  }

  run(
    args: string[],
    files: Map<string, string>,
    onErr: (line: string) => void = () => {},
  ): Promise<Outcome> {
    const result = this.last.then(() => this.runNow(args, files, onErr));
    this.last = result.catch(() => {});
    return result;
  }

  private async runNow(
    args: string[],
    files: Map<string, string>,
    onErr: (line: string) => void,
  ): Promise<Outcome> {
    await this.ready;
    const id = ++this.lastId;
    const going = URL.createObjectURL(new Blob(["going"]));
    try {
      return await new Promise<Outcome>((ok, fail) => {
        const end: Running["end"] = (code, made, killed) => {
          const { out, err } = this.running ?? { out: "", err: "" };
          ok({ code, out, err, files: made, killed });
        };
        this.running = { id, going, out: "", err: "", onErr, end, fail };
        this.worker.postMessage({ kind: "run", id, args, files, going } satisfies ToWorker);
      });
    } finally {
      URL.revokeObjectURL(going);
      this.running = null;
    }
  }

  stop(): void {
    const stopped = this.running;
    if (stopped === null) return;
    URL.revokeObjectURL(stopped.going);
    this.worker.postMessage({ kind: "stop" } satisfies ToWorker);
    setTimeout(() => {
      if (this.running === stopped) this.restart();
    }, patience);
  }

  private restart(): void {
    this.worker.terminate();
    [this.worker, this.ready] = this.open();
    this.running?.end(-1, new Map(), true);
  }
}
