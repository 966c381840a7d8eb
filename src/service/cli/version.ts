import type { Command } from 'commander';
import { VERSION } from '../../platform/version.ts';
import { type Io, print, printJson } from './io.ts';

export function add(program: Command, io: Io): void {
  program
    .command('version')
    .description('Print the version of the program and of its runtime.')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom version')
    .action(({ json }: { json?: true }) => {
      if (json) printJson(io, { version: VERSION, node: process.versions.node });
      else print(io, `backroom ${VERSION} (node ${process.versions.node})`);
    });
}
