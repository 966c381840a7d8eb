/**
 * Stores the result of each turn (one play of a scene) in a file, so that a later run adds its results to those of
 * earlier runs.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upperBound } from '../campaign.ts';
import { SCENES } from './scenes.ts';
import { patroniVersion, soundApi } from './tools.ts';
import type { Outcome } from './turn.ts';

const SHOWN = 5;
const SHOWN_CHARACTERS = 400;
/** Name of the control, which must lose a write. */
const CONTROL = 'control';
/**
 * The control uses the flawed etcd3 API, which loses a write in one of six turns. The chance that this many turns lose
 * no write is below 1 in 1,000.
 */
const CONTROL_TURNS = 40;

interface Turn {
  at: string;
  patroni: string;
  api: string;
  acknowledged: number;
  repeated: number;
  lost: number;
  faults: number;
  gapS: number;
  wholeS: number;
  /** The first failures. */
  examples: string[];
}

type Played = Record<string, Turn[]>;

export class Tally {
  readonly file: string;
  #played: Played = {};

  /** Continues the counts of `file`. Without `file`, the counts begin at zero. */
  constructor(file = join(mkdtempSync(join(tmpdir(), 'backroom-turns-')), 'state.json')) {
    this.file = file;
    this.load();
  }

  /** Reads the results that another process has added to the file. */
  load(): void {
    if (existsSync(this.file)) this.#played = JSON.parse(readFileSync(this.file, 'utf8')) as Played;
  }

  turns(scene: string): number {
    return this.#played[scene]?.length ?? 0;
  }

  /**
   * Returns whether a scene needs another turn. The control has up to `CONTROL_TURNS` turns to lose a write, because a
   * few turns can pass by chance.
   */
  needsTurn(scene: string, turns: number): boolean {
    if (scene !== CONTROL) return this.turns(scene) < turns;
    const hasLost = this.#played[CONTROL]?.some(({ lost }) => lost > 0) === true;
    return this.turns(scene) < (hasLost ? turns : CONTROL_TURNS);
  }

  add(scene: string, { lost, faults, acknowledged, repeated, gapS, wholeS }: Outcome): void {
    const turn: Turn = {
      at: new Date().toISOString(),
      patroni: patroniVersion(),
      api: scene === CONTROL ? 'etcd3' : soundApi(),
      acknowledged,
      repeated,
      lost: lost.length,
      faults: faults.length,
      gapS: rounded(gapS),
      wholeS: rounded(wholeS),
      examples: [...faults.slice(0, SHOWN), ...lost.slice(0, SHOWN)].map((text) => text.slice(0, SHOWN_CHARACTERS)),
    };
    this.#played[scene] = [...(this.#played[scene] ?? []), turn];
    // A rename replaces the file in one step, so the file is complete even if the campaign is stopped here.
    writeFileSync(`${this.file}.new`, JSON.stringify(this.#played, undefined, 1));
    renameSync(`${this.file}.new`, this.file);
  }

  /**
   * Returns whether at least one turn of the scenes was played and none has a failure. If the control was played, it
   * must also have lost a write.
   */
  hasPassed(names: readonly string[]): boolean {
    const { turns, failed, control } = this.result(names);
    return turns > 0 && failed === 0 && control.caught !== false;
  }

  result(names: readonly string[]) {
    const proper = names.filter((name) => name !== CONTROL).flatMap((name) => this.#played[name] ?? []);
    const failed = proper.filter(({ lost, faults }) => lost + faults > 0).length;
    const control = this.#played[CONTROL] ?? [];
    const caught = control.filter(({ lost }) => lost > 0).length;
    return {
      campaign: 'failover',
      turns: proper.length,
      failed,
      acknowledged: sum(proper.map(({ acknowledged }) => acknowledged)),
      lost: sum(proper.map(({ lost }) => lost)),
      longestGapS: Math.max(0, ...proper.map(({ gapS }) => gapS)),
      control: { turns: control.length, lostIn: caught, caught: control.length === 0 ? undefined : caught > 0 },
      bound95: upperBound(failed, proper.length),
    };
  }

  /** Returns the results as a Markdown table, as in docs/reliability.md. */
  table(names: readonly string[]): string {
    const head = ['scene', 'turns', 'acknowledged', 'repeated', 'lost', 'failed turns', 'gap in writes', 'whole after'];
    const lines = SCENES.filter(({ name }) => names.includes(name)).map(({ name, says }) => {
      const turns = this.#played[name] ?? [];
      if (turns.length === 0) return [says, '0', '', '', '', '', '', ''];
      const lost = turns.filter((turn) => turn.lost > 0).length;
      return [
        says,
        turns.length,
        sum(turns.map(({ acknowledged }) => acknowledged)).toLocaleString('en-US'),
        sum(turns.map(({ repeated }) => repeated)),
        name === CONTROL ? `in ${lost} of ${turns.length} turns` : sum(turns.map((turn) => turn.lost)),
        name === CONTROL ? '' : turns.filter((turn) => turn.lost + turn.faults > 0).length,
        range(turns.map(({ gapS }) => gapS)),
        range(turns.map(({ wholeS }) => wholeS)),
      ];
    });
    return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
}

function range(seconds: readonly number[]): string {
  return `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
