import { type Command, Option } from 'commander';
import { citusStatements } from '../../platform/storage/distribute.ts';
import { type Io, print } from './io.ts';

export function add(program: Command, io: Io): void {
  program
    .command('schema')
    .description('Print statements for the tables of the database.')
    .addOption(
      new Option('--distribute <engine>', 'spread the empty tables over the shards of this engine')
        .choices(['citus'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', '\nExample:\n  backroom schema --distribute citus | psql "$DATABASE_URL"')
    .action(() => print(io, citusStatements().trimEnd()));
}
