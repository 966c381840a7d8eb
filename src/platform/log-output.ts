/**
 * Standard output for the log. It writes several lines together, because a system call for each line would cost a tenth
 * of a small request. Requests do not wait for it. Remaining lines are written at the exit of the process, but are lost
 * if it is killed. If the reader has closed the pipe, lines are dropped (docs/operating.md#logs).
 */
import { write, writeSync } from 'node:fs';

/** Lines are written when they have `TOGETHER_BYTES` bytes, or after `WAIT_MS` at the latest. */
const TOGETHER_BYTES = 8_192;
const WAIT_MS = 100;

/**
 * After EAGAIN from a slow reader, the next attempt follows in `AGAIN_MS`. At the exit, the attempts end after
 * `LAST_MS`.
 */
const AGAIN_MS = 50;
const LAST_MS = 1_000;

export class LogOutput {
  readonly #fd: number;
  #waiting = '';
  #isWriting = false;
  /** Bytes that the slow reader has not accepted yet; they are written before the waiting lines. */
  #late = Buffer.alloc(0);
  #isGone = false;

  constructor(fd: number) {
    this.#fd = fd;
    setInterval(() => this.#send(), WAIT_MS).unref();
    process.on('exit', () => this.#end());
  }

  write(line: string): void {
    if (this.#isGone) return;
    this.#waiting += line;
    if (this.#waiting.length >= TOGETHER_BYTES) this.#send();
  }

  #send(): void {
    if (this.#isWriting || this.#waiting === '') return;
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    this.#isWriting = true;
    this.#pass(bytes);
  }

  #pass(bytes: Buffer<ArrayBuffer>): void {
    write(this.#fd, bytes, (error, count) => {
      if (isSlow(error)) {
        this.#late = bytes;
        setTimeout(() => this.#passLate(), AGAIN_MS).unref();
      } else if (error !== null) {
        this.#leave();
      } else if (count < bytes.length) {
        this.#pass(bytes.subarray(count));
      } else {
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
    for (let rest = Buffer.concat([this.#late, Buffer.from(this.#waiting)]); rest.length > 0 && Date.now() < until; ) {
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

function isSlow(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EAGAIN' || code === 'EBUSY';
}
