/**
 * Standard output as the log writes it: lines together, because a call of the system for each costs a tenth of a small write,
 * and never waited for. What waits is written when the process ends, but not when it is killed. Where the reader has gone
 * nothing is written any more, and nothing holds the process (docs/decisions/154).
 */
import { write, writeSync } from 'node:fs';

/** Bytes that are written together, and how long they wait for that at most, in milliseconds. */
const TOGETHER_BYTES = 8_192;
const WAIT_MS = 100;

/** A reader that is slow (EAGAIN) is tried again after a while; at the end of the process not for longer than that. */
const AGAIN_MS = 50;
const LAST_MS = 1_000;

export class LogOutput {
  readonly #fd: number;
  #waiting = '';
  #isWriting = false;
  /** What the reader was too slow for; it comes before what waits. */
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

  /** There is no event loop any more. What the system was given it has written, or will. */
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
