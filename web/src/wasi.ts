// As much of WASI as the command needs: arguments, files in memory, standard
// streams, a clock. Nothing outside can be reached through it.

export type Files = Map<string, Uint8Array>;

export interface World {
  args: string[];
  files: Files; // by path, without a leading slash; what is written is added
  output: (stream: 1 | 2, bytes: Uint8Array) => void;
}

export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

// What may have happened, by WASI's numbers.
const done = 0;
const badFile = 8;
const exists = 20;
const invalid = 28;
const isFolder = 31;
const notFound = 44;
const notSupported = 52;
const notFolder = 54;
const notSeekable = 70;

const folderType = 3;
const fileType = 4;

const openCreate = 1;
const openFolder = 2;
const openNew = 4;
const openEmpty = 8;
const root = 3; // the first number after the standard streams
const allRights = 0xffff_ffff_ffff_ffffn;

interface Open {
  path: string;
  folder: boolean;
  bytes: Uint8Array; // at least size long
  size: number;
  at: number;
  written: boolean;
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}

export class Wasi {
  private memory: WebAssembly.Memory | null = null;
  private readonly open = new Map<number, Open>();
  private readonly text = new TextEncoder();

  constructor(private readonly world: World) {
    this.open.set(root, this.newOpen("", true, new Uint8Array(0)));
  }

  start(instance: WebAssembly.Instance): void {
    this.memory = instance.exports.memory as WebAssembly.Memory;
  }

  private newOpen(path: string, folder: boolean, bytes: Uint8Array): Open {
    return { path, folder, bytes, size: bytes.length, at: 0, written: false };
  }

  // Memory that grows gets a new buffer, so views are made at each call.
  private get view(): DataView {
    if (this.memory === null) throw new Error("not started");
    return new DataView(this.memory.buffer);
  }

  private bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.view.buffer, at, length);
  }

  private path(at: number, length: number): string {
    return normal(new TextDecoder().decode(this.bytes(at, length)));
  }

  // ---- files -----------------------------------------------------------------

  private isFolder(path: string): boolean {
    if (path === "") return true;
    for (const name of this.world.files.keys()) if (name.startsWith(`${path}/`)) return true;
    return false;
  }

  private namesIn(folder: string): { name: string; folder: boolean }[] {
    const prefix = folder === "" ? "" : `${folder}/`;
    const names = new Map<string, boolean>();
    for (const path of this.world.files.keys()) {
      if (!path.startsWith(prefix)) continue;
      const [first, ...more] = path.slice(prefix.length).split("/");
      if (first !== undefined) names.set(first, more.length > 0);
    }
    return [...names].sort().map(([name, isAFolder]) => ({ name, folder: isAFolder }));
  }

  private putStat(at: number, folder: boolean, size: number): number {
    const view = this.view;
    for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
    view.setUint8(at + 16, folder ? folderType : fileType);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(size), true);
    return done;
  }

  private openPath(path: string, flags: number): Open | number {
    const { files } = this.world;
    const found = files.get(path);
    if (found === undefined && this.isFolder(path))
      return this.newOpen(path, true, new Uint8Array(0));
    if ((flags & openFolder) !== 0) return found === undefined ? notFound : notFolder;
    if (found !== undefined && (flags & openNew) !== 0) return exists;
    if (found === undefined && (flags & openCreate) === 0) return notFound;
    const fresh = found === undefined || (flags & openEmpty) !== 0;
    const bytes = fresh ? new Uint8Array(0) : found;
    if (fresh) files.set(path, bytes);
    return this.newOpen(path, false, bytes);
  }

  private append(file: Open, from: Uint8Array): void {
    const end = file.at + from.length;
    if (end > file.bytes.length || !file.written) {
      const bytes = new Uint8Array(Math.max(end, 2 * file.size, 4096));
      bytes.set(file.bytes.subarray(0, file.size));
      file.bytes = bytes;
      file.written = true;
    }
    file.bytes.set(from, file.at);
    file.at = end;
    file.size = Math.max(file.size, end);
  }

  private cut(file: Open, size: number): void {
    const bytes = new Uint8Array(size);
    bytes.set(file.bytes.subarray(0, Math.min(size, file.size)));
    file.bytes = bytes;
    file.size = size;
    file.written = true;
  }

  private keep(file: Open): void {
    if (file.written) this.world.files.set(file.path, file.bytes.slice(0, file.size));
  }

  private *vectors(at: number, count: number): Generator<Uint8Array> {
    for (let i = 0; i < count; i++) {
      const view = this.view;
      yield this.bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true));
    }
  }

  // ---- what is imported ------------------------------------------------------

  private putTexts(texts: string[], pointers: number, bytes: number): number {
    let at = bytes;
    for (const [i, text] of texts.entries()) {
      const encoded = this.text.encode(`${text}\0`);
      this.view.setUint32(pointers + 4 * i, at, true);
      this.bytes(at, encoded.length).set(encoded);
      at += encoded.length;
    }
    return done;
  }

  private putSizes(texts: string[], count: number, size: number): number {
    this.view.setUint32(count, texts.length, true);
    const sizes = texts.map((text) => this.text.encode(text).length + 1);
    this.view.setUint32(
      size,
      sizes.reduce((a, b) => a + b, 0),
      true,
    );
    return done;
  }

  private putEntries(folder: Open, at: number, room: number, cookie: bigint, used: number): number {
    const names = this.namesIn(folder.path);
    let n = 0;
    for (let i = Number(cookie); i < names.length && n < room; i++) {
      const entry = names[i];
      if (entry === undefined) break;
      const name = this.text.encode(entry.name);
      const whole = new Uint8Array(24 + name.length);
      const view = new DataView(whole.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, entry.folder ? folderType : fileType);
      whole.set(name, 24);
      const part = whole.subarray(0, room - n);
      this.bytes(at + n, part.length).set(part);
      n += part.length;
    }
    this.view.setUint32(used, n, true);
    return done;
  }

  private write(fd: number, at: number, count: number, written: number): number {
    const file = this.open.get(fd);
    if (file === undefined && fd !== 1 && fd !== 2) return badFile;
    let n = 0;
    for (const part of this.vectors(at, count)) {
      if (fd === 1 || fd === 2) this.world.output(fd, part.slice());
      else if (file !== undefined) this.append(file, part);
      n += part.length;
    }
    this.view.setUint32(written, n, true);
    return done;
  }

  private read(fd: number, at: number, count: number, got: number): number {
    const file = this.open.get(fd);
    let n = 0;
    if (file?.folder) return isFolder;
    for (const room of this.vectors(at, count)) {
      if (file === undefined) break; // standard input is empty
      const part = file.bytes.subarray(file.at, Math.min(file.at + room.length, file.size));
      room.set(part);
      file.at += part.length;
      n += part.length;
    }
    this.view.setUint32(got, n, true);
    return done;
  }

  private seek(fd: number, offset: bigint, from: number, result: number): number {
    const file = this.open.get(fd);
    if (file === undefined) return notSeekable;
    const base = from === 0 ? 0 : from === 1 ? file.at : file.size;
    if (base + Number(offset) < 0) return invalid;
    file.at = base + Number(offset);
    this.view.setBigUint64(result, BigInt(file.at), true);
    return done;
  }

  private rename(from: string, to: string): number {
    const bytes = this.world.files.get(from);
    if (bytes === undefined) return notFound;
    this.world.files.delete(from);
    this.world.files.set(to, bytes);
    return done;
  }

  imports(): Record<string, (...args: never[]) => unknown> {
    const environment: string[] = [];
    return {
      args_get: (p: number, b: number) => this.putTexts(this.world.args, p, b),
      args_sizes_get: (n: number, s: number) => this.putSizes(this.world.args, n, s),
      environ_get: (p: number, b: number) => this.putTexts(environment, p, b),
      environ_sizes_get: (n: number, s: number) => this.putSizes(environment, n, s),
      clock_time_get: (_id: number, _precision: bigint, at: number) => {
        this.view.setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return done;
      },
      fd_close: (fd: number) => {
        const file = this.open.get(fd);
        if (file !== undefined) this.keep(file);
        return this.open.delete(fd) || fd < root ? done : badFile;
      },
      fd_fdstat_get: (fd: number, at: number) => {
        const file = this.open.get(fd);
        if (file === undefined && fd >= root) return badFile;
        this.view.setBigUint64(at, 0n, true);
        if (file !== undefined) this.view.setUint8(at, file.folder ? folderType : fileType);
        this.view.setBigUint64(at + 8, allRights, true);
        this.view.setBigUint64(at + 16, allRights, true);
        return done;
      },
      fd_fdstat_set_flags: () => done,
      fd_filestat_get: (fd: number, at: number) => {
        const file = this.open.get(fd);
        return file === undefined ? badFile : this.putStat(at, file.folder, file.size);
      },
      fd_filestat_set_size: (fd: number, size: bigint) => {
        const file = this.open.get(fd);
        if (file === undefined || file.folder) return badFile;
        this.cut(file, Number(size));
        return done;
      },
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== root) return badFile;
        this.view.setUint32(at, 0, true);
        this.view.setUint32(at + 4, 1, true);
        return done;
      },
      fd_prestat_dir_name: (_fd: number, at: number) => {
        this.bytes(at, 1).set(this.text.encode("/"));
        return done;
      },
      fd_read: (fd: number, at: number, n: number, got: number) => this.read(fd, at, n, got),
      fd_readdir: (fd: number, at: number, room: number, cookie: bigint, used: number) => {
        const folder = this.open.get(fd);
        return folder?.folder ? this.putEntries(folder, at, room, cookie, used) : notFolder;
      },
      fd_seek: (fd: number, offset: bigint, from: number, to: number) =>
        this.seek(fd, offset, from, to),
      fd_sync: (fd: number) => {
        const file = this.open.get(fd);
        if (file !== undefined) this.keep(file);
        return done;
      },
      fd_write: (fd: number, at: number, n: number, sent: number) => this.write(fd, at, n, sent),
      path_create_directory: () => done,
      path_filestat_get: (_fd: number, _f: number, p: number, n: number, at: number) => {
        const path = this.path(p, n);
        const bytes = this.world.files.get(path);
        if (bytes === undefined && !this.isFolder(path)) return notFound;
        return this.putStat(at, bytes === undefined, bytes?.length ?? 0);
      },
      path_open: (
        _fd: number,
        _f: number,
        p: number,
        n: number,
        flags: number,
        _base: bigint,
        _inherited: bigint,
        _fdFlags: number,
        out: number,
      ) => {
        const file = this.openPath(this.path(p, n), flags);
        if (typeof file === "number") return file;
        let fd = root + 1;
        while (this.open.has(fd)) fd++;
        this.open.set(fd, file);
        this.view.setUint32(out, fd, true);
        return done;
      },
      path_readlink: () => invalid,
      path_rename: (_fd: number, p: number, n: number, _to: number, q: number, m: number) =>
        this.rename(this.path(p, n), this.path(q, m)),
      path_unlink_file: (_fd: number, p: number, n: number) =>
        this.world.files.delete(this.path(p, n)) ? done : notFound,
      poll_oneoff: () => notSupported,
      proc_exit: (code: number) => {
        throw new Exit(code);
      },
    };
  }
}
