/**
 * A disk of its own for a database: an image file with ext4 on it, mounted through a loop device. What the image holds is
 * what the file system has given to the disk; what only waits in the memory of the kernel is not in it. So a copy of the
 * image is what a power cut leaves behind.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Why nothing can be mounted here; undefined when it can. */
export function whyNoMount(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'a loop device needs Linux';
  if (process.getuid?.() !== 0) return 'mounting a file system needs root';
  try {
    const disk = Disk.make(join(folder, 'probe'), 16);
    disk.remove();
    return undefined;
  } catch (error) {
    return `this machine refuses to mount a file system: ${(error as Error).message.trim().replaceAll('\n', ' ')}`;
  }
}

export class Disk {
  /** Where it is mounted. */
  readonly folder: string;
  readonly #image: string;
  readonly #copy: string;

  private constructor(folder: string) {
    this.folder = join(folder, 'mounted');
    this.#image = join(folder, 'disk.img');
    this.#copy = join(folder, 'copy.img');
  }

  /** Makes and mounts an empty disk in a new folder. @throws Error where that is refused. */
  static make(folder: string, mebibytes: number): Disk {
    const disk = new Disk(folder);
    mkdirSync(disk.folder, { recursive: true });
    writeFileSync(disk.#image, '');
    truncateSync(disk.#image, mebibytes * 1024 * 1024);
    run('mkfs.ext4', ['-q', '-F', '-J', 'size=4', disk.#image]);
    disk.#mount();
    return disk;
  }

  /** Writes everything to the disk that waits for it. */
  sync(): void {
    run('sync', ['-f', this.folder]);
  }

  /** Copies the image as it is at this moment; the caller has stopped whoever writes. */
  cutPower(): void {
    for (;;) {
      const before = this.#writes();
      copyFileSync(this.#image, this.#copy);
      // The kernel writes back now and then by itself: a copy made meanwhile would be of no single moment.
      if (this.#writes() === before) return;
    }
  }

  /** Mounts the copy in place of the disk, as after a restart of the machine: ext4 repeats its journal. */
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

  /** Writes and flushes that the device has seen. */
  #writes(): string {
    const device = run('findmnt', ['-n', '-o', 'SOURCE', this.folder]).trim();
    const numbers = readFileSync(`/sys/block/${device.slice('/dev/'.length)}/stat`, 'utf8')
      .trim()
      .split(/\s+/);
    return `${numbers[4]} ${numbers[15]}`;
  }
}

/** A file system in memory that holds at most so many mebibytes. */
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

  remove(): void {
    // Lazily: after a fault somebody may still have a file of it open.
    run('umount', ['-l', this.folder]);
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
