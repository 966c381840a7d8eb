/**
 * `edi run`: sends the files of a folder to the service, and writes waiting interchanges for partners into another
 * folder (docs/how-to/connect-a-supplier-by-edi.md).
 */

import { constants, readFileSync } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath, rename, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, readJson } from '../../platform/json-column.ts';
import { syncFolder, writePrivate } from '../../platform/private-files.ts';
import { formatDateTime, MINUTE_MS, SECOND_MS } from '../../platform/time.ts';
import { Failed, type Io, print } from './io.ts';

export interface RunOptions {
  url: string;
  apiKeyFile: string;
  in: string;
  out: string;
  partner?: string;
  /** The partner's profile for tests. Files for this profile are also written to `out`. */
  testPartner?: string;
  /** Folder for the files that were taken from `in`; default: `in`. */
  state?: string;
  /**
   * Seconds for which the size and the modification time of a file must not change before the file counts as complete;
   * default 5.
   */
  completeAfter?: number;
  /**
   * Seconds for which later files wait for a file that gets errors while the service handles other requests; default
   * 300.
   */
  overtakeAfter?: number;
}

/** Default of `overtakeAfter`. */
const OVERTAKE_AFTER_S = 300;
const LOOK_EVERY_MS = 1_000;
/** Interval at which the command reports again that the service cannot be reached. */
const SAY_AWAY_EVERY_MS = MINUTE_MS;
/** Time limit of a request. */
const TIMEOUT_MS = 120_000;
/** Maximum size of a file that is sent. The service has its own limit, which is usually lower. */
const READ_MAX = 64 * 1024 * 1024;
/**
 * Statuses that do not depend on the file: no access (401, 403), a timeout (408), a conflict with a request in progress
 * (409), too many requests (429).
 */
const NOT_ABOUT_THE_FILE = [401, 403, 408, 409, 429];

/** The code of a 503 that the service sends to every caller (src/platform/http/overload.ts). */
const OVERLOADED = 'OVERLOADED';

/** Sends and fetches files until the process gets a signal. */
export async function runFolders(io: Io, options: RunOptions): Promise<void> {
  const wrong = await wrongUsage(options);
  if (wrong !== undefined) {
    io.err.write(`error: ${wrong}\n`);
    throw new Failed(wrong, 2);
  }
  const service = new Service(options, io);
  const base = options.state ?? options.in;
  await mkdir(base, { recursive: true });
  const folders = { work: join(base, '.work'), done: join(base, 'done'), failed: join(base, 'failed') };
  await mkdir(options.out, { recursive: true });
  const client = await service.client();
  const path = `/operator/v1/clients/${encodeURIComponent(client)}/edi`;
  for (const [name, partner, effect] of [
    ['--partner', options.partner, 'the service quarantines all files'],
    ['--test-partner', options.testPartner, 'no files for its tests are written'],
  ]) {
    // A profile can also be created later, so the command begins without it.
    if (
      partner !== undefined &&
      (await service.ask('GET', `${path}/partners/${encodeURIComponent(partner)}`))?.status === 404
    )
      io.err.write(
        `backroom: client ${client} has no EDI partner "${partner}"; until you create its profile, or correct ${name}, ${effect}.\n`,
      );
  }
  const courier = new Courier(io, service, path, options, folders);
  print(io, `Sending files of ${options.in} as client ${client}; files for partners go to ${options.out}.`);
  while (!io.signal.aborted) {
    await courier.round().catch((error: unknown) => courier.complain(error));
    await sleep(LOOK_EVERY_MS, undefined, { signal: io.signal }).catch(() => undefined);
  }
}

/** Returns the error of the options; undefined if they have no error. */
async function wrongUsage({
  url,
  in: from,
  out,
  state,
  partner,
  testPartner,
}: RunOptions): Promise<string | undefined> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return `--url must be an address that begins with http:// or https://, not "${url}".`;
  if (testPartner !== undefined && partner === undefined)
    return '--test-partner is only for a folder with --partner; without both, the command writes the files for all partners.';
  // The command does not create this folder: under a misspelled name it would remain empty, and no file of a partner
  // would be sent.
  const isFolder = await stat(from).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return `--in ${from} is not a folder; create it, or correct the name.`;
  if (!(await isOther(from, out)))
    return '--in and --out are the same folder, so files for partners would be sent back to the service; use two folders.';
  const device = (path: string) =>
    stat(path).then(
      ({ dev }) => dev,
      () => undefined,
    );
  if (state !== undefined && (await device(state)) !== undefined && (await device(state)) !== (await device(from)))
    return '--state is on another file system than --in, so files cannot be moved there; use a folder on the same file system.';
  const old = join(from, '.work');
  if (state !== undefined && (await isOther(from, state)) && (await hasFiles(old)))
    return `${old} has files that were taken from --in without this --state, and that may not have been sent; move them to ${join(state, '.work')}.`;
  return undefined;
}

/** Whether two names are of different folders. The folder `other` need not exist. */
async function isOther(folder: string, other: string): Promise<boolean> {
  return (await realpath(folder)) !== (await realpath(other).catch(() => undefined));
}

/** Whether a folder has files. Returns false for a link, which a supplier can put in the place of the folder. */
async function hasFiles(folder: string): Promise<boolean> {
  const entry = await lstat(folder).catch(() => undefined);
  return entry?.isDirectory() === true && (await filesOf(folder)).length > 0;
}

/** A response of the service. */
interface Heard {
  status: number;
  bytes: Buffer;
}

class Service {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #io: Io;
  /** Time of the last message that the service cannot be reached; undefined while the service can be reached. */
  #saidAwayAt: number | undefined;

  constructor({ url, apiKeyFile }: RunOptions, io: Io) {
    this.#url = url.replace(/\/+$/, '');
    this.#apiKey = readFileSync(apiKeyFile, 'utf8').trim();
    this.#io = io;
  }

  /** Returns the client of the key. @throws Failed if the key does not belong to a client. */
  async client(): Promise<string> {
    for (;;) {
      const heard = await this.ask('GET', '/operator/v1/me');
      if (heard?.status === 200) {
        const { clientId } = bodyOf<{ clientId?: string }>(heard.bytes);
        if (clientId !== undefined) return clientId;
        throw this.#failed(
          'The key does not belong to a client: --api-key-file must name the file of a key of the client',
        );
      }
      if (heard !== undefined && heard.status < 500)
        throw this.#failed(`The service rejects the key: ${heard.bytes.toString()}`);
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.#io.signal }).catch(() => undefined);
      if (this.#io.signal.aborted) throw new Failed('Stopped before the service responded.', 0);
    }
  }

  /** Writes an error to standard error, and returns the error to throw. */
  #failed(text: string): Failed {
    this.#io.err.write(`backroom: ${text}\n`);
    return new Failed(text);
  }

  async ask(method: 'GET' | 'POST', path: string, body?: Buffer | object): Promise<Heard | undefined> {
    const isFile = Buffer.isBuffer(body);
    const type = isFile ? 'application/edi-x12' : 'application/json';
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: { apiKey: this.#apiKey, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
        signal: AbortSignal.any([this.#io.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const heard = { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
      if (this.#saidAwayAt !== undefined) this.#io.err.write(`backroom: ${this.#url} can be reached again.\n`);
      this.#saidAwayAt = undefined;
      return heard;
    } catch (error) {
      if (!this.#io.signal.aborted) this.#sayAway(error);
      return undefined;
    }
  }

  /** Reports that the service cannot be reached, at most once a minute. */
  #sayAway(error: unknown): void {
    const now = performance.now();
    if (this.#saidAwayAt !== undefined && now - this.#saidAwayAt < SAY_AWAY_EVERY_MS) return;
    this.#saidAwayAt = now;
    const { cause = error } = error as Error;
    this.#io.err.write(
      `backroom: ${this.#url} cannot be reached; the command tries again every second: ${wordsOf(cause)}\n`,
    );
  }
}

/** Returns the message of a failed connection; some errors of Node have only a code. */
function wordsOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code ?? error);
}

interface Folders {
  work: string;
  done: string;
  failed: string;
}

interface Waiting {
  interchangeId: string;
  partnerId: string;
  controlNumber: string;
  setIds: string[];
}

/** A file in the folder that is not complete yet. */
interface Seen {
  size: number;
  mtimeMs: number;
  /** The time since which size and modification time have not changed. */
  since: number;
}

class Courier {
  readonly #io: Io;
  readonly #service: Service;
  readonly #path: string;
  readonly #options: RunOptions;
  readonly #folders: Folders;
  #seen = new Map<string, Seen>();
  /** The errors that the command has printed in the last minute, each with the time of the output. */
  readonly #complained = new Map<string, number>();
  /** The files that got errors while the service handled other requests, each with the time of its first error. */
  readonly #stuck = new Map<string, number>();

  constructor(io: Io, service: Service, path: string, options: RunOptions, folders: Folders) {
    this.#io = io;
    this.#service = service;
    this.#path = path;
    this.#options = options;
    this.#folders = folders;
  }

  /**
   * Claims the complete files and sends all claimed files, including files that a killed process has left. Then fetches
   * waiting interchanges.
   */
  async round(): Promise<void> {
    for (const folder of Object.values<string>({ ...this.#folders })) await makeFolder(folder);
    await this.#claim();
    for (const name of await inOrder(this.#folders.work)) {
      if (this.#io.signal.aborted) return;
      // A file without read permission blocks neither the other files nor the files for partners.
      const goesOn = await this.#send(name).catch((error: unknown) => {
        if (!isDenied(error)) throw error;
        this.complain(error);
        return true;
      });
      // A later file can replace or void the documents of this file, so it must not be sent before this file.
      if (!goesOn) break;
    }
    await this.#fetchWaiting();
  }

  /** Reports an error. The same text is printed at most once a minute, because the next round follows in a second. */
  complain(error: unknown): void {
    const text = wordsOf(error);
    const now = performance.now();
    for (const [said, at] of this.#complained) if (now - at >= SAY_AWAY_EVERY_MS) this.#complained.delete(said);
    if (this.#complained.has(text)) return;
    this.#complained.set(text, now);
    this.#io.err.write(`backroom: ${text}; the command tries again every second.\n`);
  }

  async #claim(): Promise<void> {
    const seen = new Map<string, Seen>();
    const now = performance.now();
    const completeAfterMs = (this.#options.completeAfter ?? 5) * SECOND_MS;
    for (const name of await filesOf(this.#options.in)) {
      if (name.startsWith('.') || name.endsWith('.part')) continue;
      const { size, mtimeMs } = await lstat(join(this.#options.in, name)).catch(() => ({ size: -1, mtimeMs: -1 }));
      if (size < 0) {
        // Node changes a name that is not UTF-8, and then cannot find the file under the changed name. If the name is
        // unchanged, another process has moved or removed the file.
        if (name.includes('\ufffd'))
          this.complain(
            new Error(`the name of ${join(this.#options.in, name)} is not UTF-8, so the file is not sent: rename it`),
          );
        continue;
      }
      const known = this.#seen.get(name);
      const isSame = known?.size === size && known.mtimeMs === mtimeMs;
      const since = isSame ? known.since : now;
      const isComplete = now - since >= completeAfterMs;
      if (isComplete && (await this.#isReadable(join(this.#options.in, name))))
        await move(join(this.#options.in, name), this.#folders.work, name);
      else seen.set(name, { size, mtimeMs, since });
    }
    this.#seen = seen;
  }

  /**
   * Whether the command has access to a file. Without access, the file remains in `in`, where the partner can change
   * its permissions.
   */
  async #isReadable(file: string): Promise<boolean> {
    try {
      await access(file, constants.R_OK);
    } catch (error) {
      if (!isDenied(error)) return true;
      this.complain(new Error(`${file} cannot be read: give the user or the group of this command read permission`));
      return false;
    }
    return true;
  }

  /** Names the partner of the folder, so that the service quarantines files with the ids of another partner. */
  get #sender(): string {
    const { partner } = this.#options;
    return partner === undefined ? '' : `?partnerId=${encodeURIComponent(partner)}`;
  }

  /** Sends a file. Returns false if the later files must wait until this file was sent again. */
  async #send(name: string): Promise<boolean> {
    const file = join(this.#folders.work, name);
    const { size } = await lstat(file).catch(() => ({ size: undefined }));
    if (size === undefined) return true;
    const heard =
      size > READ_MAX
        ? { status: 413, bytes: Buffer.from(JSON.stringify({ status: 413, detail: `The file has ${size} bytes.` })) }
        : await this.#service.ask('POST', `${this.#path}/interchanges${this.#sender}`, await readOwn(file));
    if (heard === undefined || heard.status >= 500 || NOT_ABOUT_THE_FILE.includes(heard.status)) {
      if (this.#io.signal.aborted) return false;
      this.#say(`${name}: ${heard?.status ?? 'no response'}; it is sent again`);
      return !(await this.#mustWaitFor(name, heard));
    }
    this.#stuck.delete(name);
    if (heard.status < 300) {
      const day = formatDateTime(this.#io.ports({ logLevel: 'silent' }).now()).slice(0, 10);
      const folder = join(this.#folders.done, day);
      await makeFolder(folder);
      await move(file, folder, name);
      this.#say(`${name}: ${heard.status} ${statusesIn(heard.bytes)}`);
      return true;
    }
    const kept = await move(file, this.#folders.failed, name);
    await writePrivate(join(this.#folders.failed, `${kept}.json`), heard.bytes);
    this.#say(`${name}: ${heard.status}; see ${join(this.#folders.failed, `${kept}.json`)}`);
    return true;
  }

  /**
   * Whether later files must wait for a file that must be sent again. They wait while the service rejects other
   * requests too. If only this file gets errors, they wait for at most `overtakeAfter` seconds.
   */
  async #mustWaitFor(name: string, heard: Heard | undefined): Promise<boolean> {
    const isBusy = heard?.status === 429 || (heard?.status === 503 && heard.bytes.includes(OVERLOADED));
    if (isBusy || (await this.#service.ask('GET', `${this.#path}/interchanges?limit=1`))?.status !== 200) return true;
    const now = performance.now();
    const since = this.#stuck.get(name) ?? now;
    this.#stuck.set(name, since);
    const limit = this.#options.overtakeAfter ?? OVERTAKE_AFTER_S;
    const mustWait = now - since < limit * SECOND_MS;
    const later = mustWait ? `later files wait for at most ${limit} s` : 'later files no longer wait for it';
    const file = join(this.#folders.work, name);
    this.complain(
      new Error(`${file} is not taken (${heard?.status ?? 'no response'}), but the service works; ${later}`),
    );
    return mustWait;
  }

  async #fetchWaiting(): Promise<void> {
    const { partner, testPartner } = this.#options;
    if (partner === undefined) return this.#fetchOf('');
    for (const one of [partner, ...(testPartner === undefined ? [] : [testPartner])])
      await this.#fetchOf(`&partnerId=${encodeURIComponent(one)}`);
  }

  async #fetchOf(of: string): Promise<void> {
    for (let after = ''; !this.#io.signal.aborted; ) {
      const path = `${this.#path}/interchanges?direction=OUT&status=WAITING${of}${after}`;
      const heard = await this.#service.ask('GET', path);
      if (heard?.status !== 200) return;
      const { interchanges, next } = bodyOf<{ interchanges: Waiting[]; next?: string }>(heard.bytes);
      for (const one of interchanges) if (!(await this.#keep(one))) return;
      if (next === undefined) return;
      after = `&after=${encodeURIComponent(next)}`;
    }
  }

  /**
   * Fetches a waiting interchange, writes it to the disk, gives the file its final name, and tells the service. Returns
   * whether to continue with the next file.
   */
  async #keep({ interchangeId, partnerId, controlNumber, setIds }: Waiting): Promise<boolean> {
    const path = `${this.#path}/interchanges/${encodeURIComponent(interchangeId)}`;
    const heard = await this.#service.ask('GET', `${path}/content`);
    if (heard?.status !== 200) return false;
    const name = nameOf(partnerId, setIds[0] ?? 'TA1', controlNumber);
    const part = join(this.#options.out, `${name}.part`);
    // The gateway reads the file as another user, so the file gets the access rights of the folder.
    await writePrivate(part, heard.bytes, (await stat(this.#options.out)).mode & 0o666);
    await rename(part, join(this.#options.out, name));
    await syncFolder(this.#options.out);
    const taken = await this.#service.ask('POST', `${path}/taken`, { name });
    this.#say(
      `${name}: ${taken?.status === 200 ? 'written' : 'written; the command writes the file again later, because the service did not confirm it'}`,
    );
    return taken?.status === 200;
  }

  #say(line: string): void {
    print(this.#io, line);
  }
}

/**
 * Returns the file name of an interchange. The name contains the id of the partner, stays inside the folder, and is not
 * hidden.
 */
export function nameOf(partnerId: string, setId: string, controlNumber: string): string {
  const safe = encodeURIComponent(partnerId).replace(/^\./, '%2E');
  return `${safe}_${setId}_${controlNumber}.x12`;
}

/** Compares numbers within names as numbers: 9 is before 10. */
const NAMES = new Intl.Collator('en', { numeric: true });

/**
 * Returns the file names in a folder in the order in which the files were written
 * (docs/how-to/connect-a-supplier-by-edi.md#2-serve-the-folders). A move keeps the modification time. Files with the
 * same time are sorted by name.
 */
async function inOrder(folder: string): Promise<string[]> {
  const files: { name: string; base: string; mtimeMs: number }[] = [];
  for (const name of await filesOf(folder)) {
    const { mtimeMs } = await lstat(join(folder, name)).catch(() => ({ mtimeMs: 0 }));
    files.push({ name, base: parse(name).name, mtimeMs });
  }
  files.sort((a, b) => a.mtimeMs - b.mtimeMs || NAMES.compare(a.base, b.base));
  return files.map(({ name }) => name);
}

/** Returns the file names in a folder, sorted. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

/**
 * Moves a file without replacing another file; returns its new name. Does nothing if another process has already moved
 * the file.
 */
async function move(file: string, folder: string, name: string): Promise<string> {
  const { name: base, ext } = parse(name);
  let free = name;
  for (let count = 2; await lstat(join(folder, free)).catch(() => undefined); count += 1)
    free = `${base}-${count}${ext}`;
  await rename(file, join(folder, free)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  return free;
}

/**
 * Makes a folder. If the folder were a link, a supplier with access to the parent folder could get the files of another
 * supplier (docs/how-to/connect-a-supplier-by-edi.md#the-folders-of-the-command).
 * @throws Failed if the folder is a link
 */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory())
    throw new Failed(`${folder} is a link; the command uses only real folders. Remove the link, and use --state`);
}

function isDenied(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EACCES';
}

/** Reads a file. @throws Error (ELOOP) if a link has replaced the file. */
async function readOwn(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Parses the body of a response. The OpenAPI document declares the form `T` of the body. */
function bodyOf<T>(bytes: Buffer): T {
  return readJson(bytes.toString() as Json<T>);
}

/** The statuses of the interchanges of a response. */
function statusesIn(bytes: Buffer): string {
  const { interchanges } = bodyOf<{ interchanges: { status: string }[] }>(bytes);
  return interchanges.map(({ status }) => status).join(', ');
}
