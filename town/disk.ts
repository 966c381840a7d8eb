/**
 * A separate disk for a database: an image file with ext4 on it, mounted through a loop device. The image holds only
 * data that the file system has written to the disk, not the data in the kernel's memory. So a copy of the image has
 * the state after a power cut.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the reason why this machine cannot mount the disk; undefined if it can. */
export function whyNoMount(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'a loop device needs Linux';
  if (process.getuid?.() !== 0) return 'mounting a file system needs root';
  try {
    const disk = Disk.make(join(folder, 'probe'), 16);
    disk.remove();
    return undefined;
  } catch (error) {
    return `this machine cannot mount a file system: ${(error as Error).message.trim().replaceAll('\n', ' ')}`;
  }
}

export class Disk {
  /** The mount point. */
  readonly folder: string;
  readonly #image: string;
  readonly #copy: string;

  private constructor(folder: string) {
    this.folder = join(folder, 'mounted');
    this.#image = join(folder, 'disk.img');
    this.#copy = join(folder, 'copy.img');
  }

  /** Creates an empty disk and mounts it in a new folder. @throws Error if mounting fails. */
  static make(folder: string, mebibytes: number): Disk {
    const disk = new Disk(folder);
    mkdirSync(disk.folder, { recursive: true });
    writeFileSync(disk.#image, '');
    truncateSync(disk.#image, mebibytes * 1024 * 1024);
    run('mkfs.ext4', ['-q', '-F', '-J', 'size=4', disk.#image]);
    disk.#mount();
    return disk;
  }

  /** Flushes all pending writes to the disk. */
  sync(): void {
    run('sync', ['-f', this.folder]);
  }

  /** Copies the image in its current state. The caller must have stopped all writers. */
  cutPower(): void {
    for (;;) {
      const before = this.#writes();
      copyFileSync(this.#image, this.#copy);
      // If the kernel writes data back during the copy, the copy mixes two states. So the copy is repeated until no
      // write happened during it.
      if (this.#writes() === before) return;
    }
  }

  /** Mounts the copy in place of the disk, as a restart of the machine does. ext4 then replays its journal. */
  restorePower(): void {
    this.#unmount();
    copyFileSync(this.#copy, this.#image);
    this.#mount();
  }

  remove(): void {
    this.#unmount();
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }

  #mount(): void {
    run('mount', ['-o', 'loop', this.#image, this.folder]);
  }

  #unmount(): void {
    run('umount', [this.folder]);
  }

  /** Returns the device's counters of writes and flushes. */
  #writes(): string {
    const device = run('findmnt', ['-n', '-o', 'SOURCE', this.folder]).trim();
    const numbers = readFileSync(`/sys/block/${device.slice('/dev/'.length)}/stat`, 'utf8')
      .trim()
      .split(/\s+/);
    return `${numbers[4]} ${numbers[15]}`;
  }
}

/** A file system in memory with a limited size, in mebibytes. */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static make(folder: string, mebibytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  resize(mebibytes: number): void {
    run('mount', ['-o', `remount,size=${mebibytes}m`, this.folder]);
  }

  /** Makes the disk read-only, or writable again. */
  protect(isReadOnly = true): void {
    run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.folder]);
  }

  remove(): void {
    // The unmount is lazy, because after a failure a process may still have a file of the disk open.
    run('umount', ['-l', this.folder]);
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
