/** Sends a print job to the raw TCP port of a label printer. */
import { connect } from 'node:net';
import { ADDRESS_REFUSED, type Gate } from './http/gate.ts';

/** Maximum time that a job waits for the earlier jobs of the printer. */
export const WAIT_MS = 60_000;
/** Time limits: `CONNECT_MS` for opening the connection, `SEND_MS` for sending the job. */
const CONNECT_MS = 3_000;
const SEND_MS = 10_000;
/** Time limit for the printer to close its side of the connection; many printers keep it open. */
const CLOSE_MS = 300;
/** Upper limit of the duration of a job, including the transactions before and after the job. */
export const JOB_MS = WAIT_MS + CONNECT_MS + SEND_MS + 10_000;

/**
 * Outcome of a job. After `TIMEOUT`, the printer can have printed some or all labels; after `LATE` (waited too long
 * for earlier jobs), `UNREACHABLE` (no connection) and `ADDRESS_REFUSED`, it has printed none.
 */
export type PrintOutcome = 'SENT' | 'LATE' | 'UNREACHABLE' | 'TIMEOUT' | 'ADDRESS_REFUSED';

export interface PrintJob {
  host: string;
  port: number;
  data: Buffer;
  gate: Gate;
  /** Whether the job has waited for more than `WAIT_MS`. A late job is not sent. */
  isLate: () => boolean;
}

/** Jobs of one printer run one after the other, because most printers accept one connection at a time. */
const running = new Map<string, Promise<unknown>>();

/**
 * Sends a job; never throws. `SENT`: every byte was handed to the network, and no error followed within `CLOSE_MS`.
 * Printers do not report on this connection whether they have paper.
 */
export async function sendToPrinter(job: PrintJob): Promise<PrintOutcome> {
  const key = `${job.host} ${job.port}`;
  const before = running.get(key) ?? Promise.resolve();
  const own = before.then(() => (job.isLate() ? 'LATE' : send(job)));
  running.set(key, own);
  try {
    return await own;
  } finally {
    if (running.get(key) === own) running.delete(key);
  }
}

function send({ host, port, data, gate }: PrintJob): Promise<PrintOutcome> {
  if (gate.refusesHost(host)) return Promise.resolve('ADDRESS_REFUSED');
  return new Promise((resolve) => {
    const socket = connect({ host, port, lookup: gate.lookup });
    let isConnected = false;
    let isTaken = false;
    const end = (outcome: PrintOutcome) => {
      clearTimeout(late);
      socket.destroy();
      resolve(outcome);
    };
    let late = setTimeout(() => end('UNREACHABLE'), CONNECT_MS);
    const within = (ms: number, outcome: PrintOutcome) => {
      clearTimeout(late);
      late = setTimeout(() => end(outcome), ms);
    };
    socket.on('connect', () => {
      isConnected = true;
      within(SEND_MS, 'TIMEOUT');
      socket.end(data, () => {
        isTaken = true;
        within(CLOSE_MS, 'SENT');
      });
    });
    // Unread output of the printer would keep the connection open.
    socket.on('data', () => undefined);
    const failed = () => (isConnected ? 'TIMEOUT' : 'UNREACHABLE');
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      end(code === ADDRESS_REFUSED ? 'ADDRESS_REFUSED' : failed());
    });
    socket.on('close', () => end(isTaken ? 'SENT' : failed()));
  });
}
