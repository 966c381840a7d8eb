/**
 * Runs `edi run` as a process. A proxy between the process and the service can kill the process at a chosen request.
 */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder, launch } from '../cli/support.ts';
import { type EdiTown, openEdi } from './support.ts';

type Reached = 'before' | 'after';

export interface Courier {
  town: EdiTown;
  /** The folders of the gateway. */
  in: string;
  out: string;
  /** Puts a complete file into the folder of files from partners. */
  put: (name: string, content: string) => void;
  /** Starts `edi run`, for which a file is complete after 1 s without change. */
  start: (...options: string[]) => Run;
  /** Starts `edi run` like `start`, without the permission of root to read every file. */
  startUnprivileged: () => Run;
  /**
   * Calls `work` for the next request with this method and this end of its path, before or after the service has
   * handled the request. The request then gets no response.
   */
  at: (method: string, end: string, when: Reached, work: () => void) => void;
  /** Responds to the next file of `edi run` with this status. The service does not get the file. */
  respondOnce: (status: number) => void;
  /** Responds with this status to each file that contains the text. The service does not get these files. */
  respondTo: (text: string, status: number) => void;
  /** While true, the connection of every request ends without a response. */
  setAway: (isAway: boolean) => void;
  close: () => Promise<void>;
}

type Run = ReturnType<typeof launch>;

export async function openCourier(): Promise<Courier> {
  const town = await openEdi();
  const service = await town.server.listen(0);
  const traps: { method: string; end: string; when: Reached; work: () => void }[] = [];
  const reached = (method: string, path: string, when: Reached) => {
    const found = traps.findIndex((one) => one.method === method && path.endsWith(one.end) && one.when === when);
    if (found === -1) return false;
    traps.splice(found, 1)[0]!.work();
    return true;
  };
  let isAway = false;
  let once: number | undefined;
  let stuck: { text: string; status: number } | undefined;
  const gate: Server = createServer((request, response) => {
    if (isAway) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const forward = async () => {
      const { method = '', url = '', headers } = request;
      if (once !== undefined && method === 'POST' && url.endsWith('/interchanges')) {
        response.writeHead(once).end();
        once = undefined;
        return;
      }
      if (stuck !== undefined && method === 'POST' && Buffer.concat(chunks).includes(stuck.text)) {
        response.writeHead(stuck.status).end();
        return;
      }
      if (reached(method, url, 'before')) return;
      const body = chunks.length === 0 ? undefined : new Uint8Array(Buffer.concat(chunks));
      const sent = {
        apikey: String(headers['apikey']),
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      };
      const answer = await fetch(service + url, { method, headers: sent, ...(body && { body }) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (reached(method, url, 'after')) return;
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
    };
    request.on('end', () => void forward());
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const base = mkdtempSync(join(folder, 'edi-'));
  const [from, to] = [join(base, 'in'), join(base, 'out')];
  for (const one of [from, to]) mkdirSync(one);
  const key = join(base, 'key');
  writeFileSync(key, `${town.client.secrets.apiKey}\n`);
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const args = ['edi', 'run', '--url', url, '--api-key-file', key, '--in', from, '--out', to, '--complete-after', '1'];
  return {
    town,
    in: from,
    out: to,
    put: (name, content) => {
      writeFileSync(join(base, name), content);
      renameSync(join(base, name), join(from, name));
    },
    start: (...options) => launch({}, [...args, ...options]),
    startUnprivileged: () =>
      launch(
        {},
        args,
        '',
        process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [],
      ),
    at: (method, end, when, work) => traps.push({ method, end, when, work }),
    respondOnce: (status) => {
      once = status;
    },
    respondTo: (text, status) => {
      stuck = { text, status };
    },
    setAway: (is) => {
      isAway = is;
    },
    close: async () => {
      gate.closeAllConnections();
      gate.close();
      await town.close();
    },
  };
}

/** Waits until a folder has a file whose name matches `fits`. The timeout of the test limits the wait. */
export async function fileIn(path: string, fits: RegExp): Promise<string> {
  for (;;) {
    const name = namesIn(path).find((one) => fits.test(one));
    if (name !== undefined) return name;
    await sleep(100);
  }
}

/** Returns the names of the files of a folder and its subfolders; empty if the folder does not exist. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
