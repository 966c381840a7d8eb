/** Checks of the machine: files, disk, certificate, packages for spans, and access without TLS. */
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Config, isLoopback } from '../../platform/config.ts';
import { DAY_MS, formatDateTime } from '../../platform/time.ts';
import { type Check, type Finding, finding, fine, type Trouble } from './doctor-finding.ts';

const MEBIBYTE = 1024 * 1024;
/** Free space on the disk below which the check reports an error. */
const FREE_BYTES_MIN = 256 * MEBIBYTE;

/**
 * Certificates are renewed some weeks before they expire. A certificate that expires within this time was not renewed.
 */
const RENEWED_BEFORE_MS = 14 * DAY_MS;

/** Endings of the names of a database and of the files beside it. The key file has its own check. */
const OWN_ENDS =
  /^(?:-wal|-shm|-journal|\.serve|\.restoring|\.schema-\d+(?:\.\d+)?\.backup(?:\.partial|\.manifest\.json|\.secret(?:\.previous)?)?)?$/;

/**
 * Checks that only the owner has access to the database, the files beside it and their folders, because they hold
 * customers' data. If the path of the database is a link, some files are beside the link, and the others beside its
 * target.
 */
export function modesFinding(...files: string[]): Finding {
  const places = new Map<string, number>();
  for (const file of files) {
    const folder = dirname(file);
    const name = basename(file);
    const names = readdirSync(folder).filter((one) => one.startsWith(name) && OWN_ENDS.test(one.slice(name.length)));
    places.set(realpathSync(folder), 0o700);
    for (const one of names) places.set(realpathSync(join(folder, one)), 0o600);
  }
  const loose = [...places].flatMap(([path, needed]) => looseMode(path, needed));
  return finding('files', loose, 'the database and the files beside it are private');
}

/** Returns the trouble of a file or folder whose mode has more bits than needed. Windows has no modes. */
export function looseMode(path: string, needed: number): Trouble[] {
  const mode = statSync(path).mode & 0o777;
  if ((mode & ~needed) === 0 || process.platform === 'win32') return [];
  return [{ found: `${path} has mode ${mode.toString(8)}`, fix: `run chmod ${needed.toString(8)} ${path}` }];
}

export async function diskFinding(file: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dirname(file));
  const free = bavail * bsize;
  const needed = Math.max(FREE_BYTES_MIN, statSync(file).size / 4);
  const found = `${Math.floor(free / MEBIBYTE)} MiB are free`;
  const fix = `free at least ${Math.ceil(needed / MEBIBYTE)} MiB on the disk of ${file}, or writes will get 503`;
  return finding('disk', free < needed ? [{ found, fix }] : [], found);
}

/** Checks the HTTPS certificate of the service. */
export function certificateFinding({ tls }: Pick<Config, 'tls'>, now: number): Finding {
  if (tls === undefined) return fine('certificate', 'TLS_CERT is not set: only a proxy can provide https');
  const fix = 'put a valid certificate and its key into TLS_CERT and TLS_KEY; the service reloads them automatically';
  try {
    return validity('certificate', new X509Certificate(readFileSync(tls.cert)), now, fix);
  } catch (error) {
    return finding('certificate', [{ found: `${tls.cert} cannot be read: ${(error as Error).message}`, fix }], '');
  }
}

/** Checks that a certificate is valid now and in two weeks. */
export function validity(
  check: Check,
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  now: number,
  fix: string,
): Finding {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const until = `it is valid until ${formatDateTime(to)}`;
  if (now > to) return finding(check, [{ found: `it has expired: it was valid until ${formatDateTime(to)}`, fix }], '');
  if (now < from) {
    const clock = 'check the clock of this machine, or wait';
    return finding(check, [{ found: `it is not valid before ${formatDateTime(from)}`, fix: clock }], '');
  }
  return finding(check, to - now < RENEWED_BEFORE_MS ? [{ found: until, fix }] : [], until, 'warning');
}

/** Checks that the packages for spans are installed, if spans are configured. */
export async function tracesFinding({ otlp }: Pick<Config, 'otlp'>): Promise<Finding> {
  if (otlp === undefined) return fine('traces', 'no spans are sent; trace ids are in the log');
  const { mustHaveSdk } = await import('../../platform/otlp.ts');
  try {
    await mustHaveSdk();
    return fine('traces', `spans go to ${new URL(otlp.url).origin}`);
  } catch (error) {
    const { found, fix } = error as Error & { found: string; fix: string };
    return finding('traces', [{ found, fix }], '', 'warning');
  }
}

/**
 * Whether other machines can reach the port without TLS. Returns false with TRUST_PROXY, because the proxy is expected
 * to use TLS.
 */
export function isPlainText({ host, trustProxy, tls }: Pick<Config, 'host' | 'trustProxy' | 'tls'>): boolean {
  return tls === undefined && trustProxy.length === 0 && !isLoopback(host);
}

export function plainTextFinding(config: Pick<Config, 'host' | 'trustProxy' | 'tls'>): Finding {
  const found = `other machines reach ${config.host} without TLS, so keys travel in plain text`;
  const fix = 'set TLS_CERT and TLS_KEY, or set TRUST_PROXY to the address of the proxy that receives TLS';
  const well = 'keys do not leave this machine in plain text';
  return finding('plain text', isPlainText(config) ? [{ found, fix }] : [], well, 'warning');
}
