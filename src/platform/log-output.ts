/**
 * Standard output for the log. It writes several lines together, because a system call for each line would cost a tenth
 * of a small request. Requests do not wait for it. It writes the remaining lines at the exit of the process; if the
 * process is killed, these lines are lost. If the reader has closed the pipe, it drops all lines. If a write fails for
 * another reason, such as a full disk, or too many lines wait for a slow reader, it drops lines and tries later lines.
 * The next lines that it can write follow a line with the number of dropped lines (docs/operating.md#logs).
 */
import { write, writeSync } from 'node:fs';

/** Lines are written when they have `TOGETHER_BYTES` bytes, or after `WAIT_MS` at the latest. */
const TOGETHER_BYTES = 8_192;
const WAIT_MS = 100;

/** Maximum length of the lines that wait for a slow reader. Without a limit, they could use up the memory. */
const WAITING_MAX = 4 * 1024 * 1024;

/**
 * After EAGAIN from a slow reader, the next attempt follows in `AGAIN_MS`. At the exit, the attempts end after
 * `LAST_MS`.
 */
const AGAIN_MS = 50;
const LAST_MS = 1_000;
const LINE_END = 10;

export class LogOutput {
  readonly #fd: number;
  #waiting = '';
  #isWriting = false;
  /** Bytes that the slow reader has not accepted yet; they are written before the waiting lines. */
  #late = Buffer.alloc(0);
  #isGone = false;
  /** Number of lines that are being written, and number of lines that were dropped since the last write. */
  #count = 0;
  #dropped = 0;
  /** Number of dropped lines that the present write reports. */
  #reported = 0;
  /** Whether the last write ended within a line. */
  #isTorn = false;

  constructor(fd: number) {
    this.#fd = fd;
    setInterval(() => this.#send(), WAIT_MS).unref();
    process.on('exit', () => this.#end());
  }

  write(line: string): void {
    if (this.#isGone) return;
    if (this.#waiting.length >= WAITING_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= TOGETHER_BYTES) this.#send();
  }

  #send(): void {
    if (this.#isWriting || this.#waiting === '') return;
    const bytes = this.#take();
    this.#isWriting = true;
    this.#pass(bytes);
  }

  /** Returns the waiting lines and, before them, a line with the number of dropped lines if there are any. */
  #take(): Buffer<ArrayBuffer> {
    this.#count = this.#waiting.split('\n').length - 1;
    this.#reported = this.#dropped;
    const isTorn = this.#isTorn && this.#late.length === 0;
    const bytes = Buffer.from((isTorn ? '\n' : '') + droppedLine(this.#dropped) + this.#waiting);
    this.#waiting = '';
    return bytes;
  }

  #pass(bytes: Buffer<ArrayBuffer>): void {
    write(this.#fd, bytes, (error, count) => {
      if (isSlow(error)) {
        this.#late = bytes;
        setTimeout(() => this.#passLate(), AGAIN_MS).unref();
      } else if (isOver(error)) {
        this.#leave();
      } else if (error !== null) {
        this.#dropped += this.#count;
        this.#isWriting = false;
      } else if (count < bytes.length) {
        this.#isTorn = bytes[count - 1] !== LINE_END;
        this.#pass(bytes.subarray(count));
      } else {
        this.#isTorn = false;
        this.#dropped -= this.#reported;
        this.#isWriting = false;
        if (this.#waiting.length >= TOGETHER_BYTES) this.#send();
      }
    });
  }

  #passLate(): void {
    const bytes = this.#late;
    this.#late = Buffer.alloc(0);
    this.#pass(bytes);
  }

  /** At the exit of the process there is no event loop, so the rest is written synchronously. */
  #end(): void {
    const until = Date.now() + LAST_MS;
    for (let rest = Buffer.concat([this.#late, this.#take()]); rest.length > 0 && Date.now() < until; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if (isSlow(error)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
        else return;
      }
    }
  }

  #leave(): void {
    this.#isGone = true;
    this.#waiting = '';
    this.#isWriting = false;
  }
}

/** A warning of the log about lines that were dropped; empty if there are none. */
function droppedLine(count: number): string {
  if (count === 0) return '';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, msg: `lines of the log that could not be written: at most ${count}` })}\n`;
}

/** Whether the error means that no later line can be written: the reader or the output is gone. */
function isOver(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EPIPE' || code === 'EBADF';
}

function isSlow(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EAGAIN' || code === 'EBUSY';
}
