import type { Command } from 'commander';
import type { Io } from './io.ts';
export function addDay(_program: Command, _io: Io): void {}
