import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf, formsOf, isOneOf } from '../../console/scan/codes.ts';
import { DEFAULT_PROFILE, type KeyOutcome, type KeyPlace, KeyReader, type Profile } from '../../console/scan/keys.ts';
import { onScan, pushScan, type Scan, suspendScans, undouble } from '../../console/scan/queue.ts';
import { CameraRepeats } from '../../console/scan/repeat.ts';

const GS = '\x1d';

interface Typing {
  everyMs?: number;
  end?: string;
  place?: KeyPlace;
  profile?: Partial<Profile>;
}

/** Types a text with a pause between keys, then a key that ends it. */
function typed(text: string, { everyMs = 8, end = 'Enter', place = 'page', profile = {} }: Typing = {}) {
  const reader = new KeyReader(() => ({ ...DEFAULT_PROFILE, ...profile }));
  let at = 1_000;
  const outcomes: KeyOutcome[] = [];
  for (const key of text) {
    outcomes.push(reader.press({ key, at, place }));
    at += everyMs;
  }
  if (end === 'pause') {
    outcomes.push(reader.pause(at + 2_000));
  } else {
    outcomes.push(reader.press({ key: end, at, place }));
  }
  return { outcomes, last: outcomes.at(-1)!, reader, at };
}

describe('keys on the page', () => {
  it('are a code with Enter, with Tab and with a pause, however many characters it has from 3 on', () => {
    const text = fc.stringMatching(/^[!-~][ -~]{1,60}[!-~]$/);
    fc.assert(
      fc.property(text, fc.constantFrom('Enter', 'Tab', 'pause'), (code, end) => {
        expect(typed(code, { end }).last.code).toBe(code);
      }),
    );
    expect(typed('12', { end: 'pause' }).last.code).toBeUndefined();
  });

  it('of a scanner are a code with Enter from 2 characters on: labels of places are as short as A1', () => {
    expect(typed('A1').last).toMatchObject({ isTaken: true, code: 'A1' });
    expect(typed('A1', { end: 'Tab' }).last.code).toBe('A1');
    expect(typed('A').last.code).toBeUndefined();
    expect(typed('A1', { everyMs: 60 }).last.code).toBeUndefined();
    expect(typed('A1', { place: 'field' }).last.code).toBeUndefined();
  });

  it('are one code also where the scan target gets the focus in the middle of it, however busy the page is then', () => {
    const codes = fc.stringMatching(/^[0-9A-Z-]{3,40}$/);
    fc.assert(
      fc.property(codes, fc.nat(), fc.nat(1_000), fc.boolean(), (code, some, busyMs, isPaused) => {
        const reader = new KeyReader(() => DEFAULT_PROFILE);
        const split = some % (code.length + 1);
        let at = 1_000;
        let value = '';
        for (const [index, key] of Array.from(code).entries()) {
          if (index < split) reader.press({ key, at, place: 'page' });
          else {
            reader.press({ key, at, place: 'target' });
            reader.hold(value + key, value, at + busyMs, at);
            value += key;
          }
          at += 8;
        }
        const outcome = isPaused ? reader.pause(at + 3_000, value) : reader.submit(value, at);
        expect(outcome.code).toBe(code);
      }),
    );
  });

  it('of a slow scanner are a code where the profile allows the gap', () => {
    expect(typed('4006381333931', { everyMs: 400 }).last.code).toBeUndefined();
    for (const end of ['Enter', 'pause']) {
      expect(typed('4006381333931', { everyMs: 400, end, profile: { gapMs: 1_000 } }).last.code).toBe('4006381333931');
    }
  });

  it('of a person are none: a pause does not end what is not as fast as a scanner', () => {
    expect(typed('hello', { everyMs: 90, end: 'pause' }).last.code).toBeUndefined();
  });

  it('without a pause that ends codes need their key', () => {
    const profile = { endsByGap: false };
    expect(typed('12345', { end: 'pause', profile }).last.code).toBeUndefined();
    expect(typed('12345', { end: 'Tab', profile }).last.code).toBe('12345');
  });

  it('reach nothing else from the second key on, and the first only when no code follows', () => {
    const { outcomes } = typed('4006');
    expect(outcomes.map(({ isTaken, isDelayed }) => [isTaken === true, isDelayed === true])).toEqual([
      [false, true],
      [true, false],
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('lose the prefix of the scanner', () => {
    expect(typed('~4006381333931', { profile: { prefix: '~' } }).last.code).toBe('4006381333931');
    expect(typed('~1', { profile: { prefix: '~' } }).last.code).toBeUndefined();
  });

  it('that are held down are no code', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    for (let at = 0; at < 300; at += 30) reader.press({ key: 'j', at, place: 'page', isRepeat: at > 0 });
    expect(reader.press({ key: 'Enter', at: 300, place: 'page' })).toEqual({});
  });

  it('with Control are the control characters of a scanner: GS is kept, the others are taken away', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    let at = 0;
    const press = (key: string, isModified = false) => {
      at += 5;
      return reader.press({ key, at, place: 'page', isModified });
    };
    for (const key of '10AB') press(key);
    expect(press(']', true)).toEqual({ isTaken: true });
    for (const key of '21X') press(key);
    expect(press('j', true)).toEqual({ isTaken: true });
    expect(press('Enter').code).toBe(`10AB${GS}21X`);
    expect(press('j', true)).toEqual({});
  });

  it('end once: the Enter of a scanner that a pause was ahead of reaches no button', () => {
    const { reader, at } = typed('4006381333931', { end: 'pause' });
    expect(reader.press({ key: 'Enter', at: at + 2_100, place: 'page' })).toEqual({ isTaken: true });
    expect(reader.press({ key: 'Enter', at: at + 9_000, place: 'page' })).toEqual({});
  });
});

describe('a pause within a code', () => {
  /**
   * Types a code on the page with pauses after some of its keys, and calls `pause` as the page does. Returns all codes
   * and the time of the end.
   */
  function codesOf(reader: KeyReader, start: number, code: string, pauses: ReadonlyMap<number, number>, end: string) {
    const codes: string[] = [];
    let at = start;
    const note = ({ code: one }: KeyOutcome) => one !== undefined && codes.push(one);
    const wait = (ms: number) => {
      const due = reader.pausesAt;
      if (due !== undefined && due <= at + ms) note(reader.pause(due));
      at += ms;
    };
    for (const [index, key] of Array.from(code).entries()) {
      note(reader.press({ key, at, place: 'page' }));
      wait(pauses.get(index) ?? 8);
    }
    if (end === '') wait(2_000);
    else note(reader.press({ key: end, at, place: 'page' }));
    return { codes, at };
  }
  const CODE = fc.stringMatching(/^[0-9A-Z-]{6,40}$/);

  it('ends no code of a scanner that sends Enter: the code arrives whole, once', () => {
    fc.assert(
      fc.property(
        CODE,
        CODE,
        fc.array(fc.tuple(fc.nat({ max: 39 }), fc.integer({ min: 101, max: 490 })), { maxLength: 3 }),
        fc.constantFrom('Enter', 'Tab'),
        (first, code, pauses, end) => {
          const reader = new KeyReader(() => DEFAULT_PROFILE);
          const before = codesOf(reader, 1_000, first, new Map(), end);
          expect(before.codes).toEqual([first]);
          // The reader recognizes a scanner by three fast keys, so no pause comes earlier.
          const late = new Map(pauses.filter(([index]) => index >= 2 && index < code.length));
          expect(codesOf(reader, before.at + 50, code, late, end).codes).toEqual([code]);
        },
      ),
    );
  });

  it('never joins two codes that each end with Enter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(CODE, fc.integer({ min: 1, max: 900 })), { minLength: 1, maxLength: 6 }),
        (scans) => {
          const reader = new KeyReader(() => DEFAULT_PROFILE);
          const codes: string[] = [];
          let at = 1_000;
          for (const [code, later] of scans) {
            const one = codesOf(reader, at, code, new Map(), 'Enter');
            codes.push(...one.codes);
            at = one.at + later;
          }
          expect(codes).toEqual(scans.map(([code]) => code));
        },
      ),
    );
  });

  it('ends the codes of a scanner without an end key after 100 ms, from its second code on', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    codesOf(reader, 1_000, '4006381333931', new Map(), 'Enter');
    const waits: number[] = [];
    let at = 5_000;
    for (const code of ['400000000046', '400000000053']) {
      for (const key of code) {
        at += 8;
        reader.press({ key, at, place: 'page' });
      }
      waits.push(reader.pausesAt! - at);
      expect(reader.pause(reader.pausesAt!).code).toBe(code);
      at += 3_000;
    }
    expect(waits).toEqual([500, 100]);
  });

  it('is not longer for a text in a field, which may be of a person', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    codesOf(reader, 1_000, '4006381333931', new Map(), 'Enter');
    reader.commit('suggestion', 3_000);
    expect(reader.press({ key: 'Enter', at: 3_400, place: 'field' })).toEqual({});
  });
});

describe('keys in a text field', () => {
  it('are a code when they are fast and Enter ends them, and the field gets its value back', () => {
    expect(typed('4006381333931', { place: 'field' }).last).toEqual({
      isTaken: true,
      code: '4006381333931',
      isFast: true,
      isRestored: true,
    });
    expect(typed('4006381333931', { place: 'field' }).outcomes[0]).toEqual({ isFirst: true });
  });

  it('are a person’s text when they are slower, or when nothing ends them', () => {
    expect(typed('Anna', { place: 'field', everyMs: 60 }).last).toEqual({});
    expect(typed('4006381333931', { place: 'field', end: 'pause' }).last).toEqual({});
    expect(typed('4006381333931', { place: 'field', profile: { prefix: '~' } }).last).toEqual({});
    expect(typed('~4006381', { place: 'field', end: 'pause', profile: { prefix: '~' } }).last.code).toBe('4006381');
  });

  it('that come in one piece are a code when Enter follows at once', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    expect(reader.commit('4006381333931', 0)).toEqual({ isFirst: true });
    expect(reader.press({ key: 'Enter', at: 20, place: 'field' })).toMatchObject({
      code: '4006381333931',
      isRestored: true,
    });
    reader.commit('suggestion', 1_000);
    expect(reader.press({ key: 'Enter', at: 1_400, place: 'field' })).toEqual({});
  });

  it('that come in one piece are text when the pause after an earlier code of the scan target ends', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    reader.hold('4006381333931', '', 0);
    expect(reader.submit('4006381333931', 10).code).toBe('4006381333931');
    reader.commit('1,5', 200);
    expect(reader.pause(501, '')).toEqual({});
  });
});

describe('the scan target', () => {
  it('takes a text that is committed in one piece or in several, when the gap has passed', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    reader.hold('4006381333931', '', 0);
    expect(reader.pause(50, '4006381333931')).toEqual({});
    expect(reader.pause(101, '4006381333931').code).toBe('4006381333931');
    reader.hold('40063', '', 1_000);
    reader.hold('4006381333931', '40063', 1_080);
    expect(reader.pause(1_101, '4006381333931')).toEqual({});
    expect(reader.pause(1_181, '4006381333931').code).toBe('4006381333931');
  });

  it('waits for Enter where a person types', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    let value = '';
    let at = 0;
    for (const key of 'A-04-2') {
      at += 150;
      reader.hold(value + key, value, at);
      value += key;
      expect(reader.pause(at + 120, value).code).toBeUndefined();
    }
    expect(reader.submit(value, at + 200)).toEqual({ isTaken: true, code: 'A-04-2', isFast: false });
  });

  it('takes GS, which no key types', () => {
    const reader = new KeyReader(() => DEFAULT_PROFILE);
    reader.hold('10AB', '', 0);
    expect(reader.press({ key: ']', at: 5, place: 'target', isModified: true }).insert).toBe(GS);
  });
});

describe('the queue of codes', () => {
  const scanOf = (text: string) => ({ text, source: 'wedge' as const, at: Date.now() });
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  it('hands them out in their order, and keeps those that come while a handler waits', async () => {
    const heard: string[] = [];
    let free = () => {};
    const stop = onScan(async ({ text }) => {
      heard.push(text);
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    });
    for (let at = 1; at <= 5; at += 1) pushScan(scanOf(`CODE-${at}`));
    for (let at = 1; at <= 5; at += 1) {
      expect(heard).toHaveLength(at);
      free();
      await settled();
    }
    expect(heard).toEqual(['CODE-1', 'CODE-2', 'CODE-3', 'CODE-4', 'CODE-5']);
    stop();
  });

  it('asks a dialog before its screen, also while the screen waits for that dialog', async () => {
    const heard: string[] = [];
    const stopScreen = onScan(async ({ text }) => {
      heard.push(`screen ${text}`);
      await new Promise<void>((resolve) => {
        const stop = onScan(({ command }) => {
          if (command !== 'OK') return heard.push('dialog rejects') === 0 ? false : undefined;
          heard.push('dialog closes');
          stop();
          resolve();
        });
      });
    });
    for (const text of ['4006381333931', '4006381333932', 'BR:OK', '4006381333933']) pushScan(scanOf(text));
    await settled();
    expect(heard).toEqual(['screen 4006381333931', 'dialog rejects', 'dialog closes', 'screen 4006381333933']);
    pushScan(scanOf('br:ok'));
    stopScreen();
    await settled();
  });

  it('passes on what a handler does not want, and goes on after one that fails', async () => {
    const heard: string[] = [];
    const failed: unknown[] = [];
    const catchIt = (error: unknown) => failed.push(error);
    process.on('uncaughtException', catchIt);
    const before = process.listeners('uncaughtException').filter((listener) => listener !== catchIt);
    for (const listener of before) process.removeListener('uncaughtException', listener);
    const stops = [
      onScan(({ text }) => {
        heard.push(text);
        if (text === 'BROKEN') throw new Error('broken');
      }),
      onScan(() => false),
    ];
    for (const text of ['FIRST', 'BROKEN', 'LAST']) pushScan(scanOf(text));
    await settled();
    await settled();
    expect(heard).toEqual(['FIRST', 'BROKEN', 'LAST']);
    expect(failed).toHaveLength(1);
    process.removeListener('uncaughtException', catchIt);
    for (const listener of before) process.on('uncaughtException', listener);
    for (const stop of stops) stop();
  });

  it('keeps codes for a screen that is just loading, not for one that is opened later', () => {
    const heard: Scan[] = [];
    pushScan(scanOf('LOADING'));
    pushScan({ ...scanOf('FORGOTTEN'), at: Date.now() - 60_000 });
    onScan((scan) => void heard.push(scan))();
    expect(heard.map(({ text }) => text)).toEqual(['LOADING']);
  });

  it('gives codes of a locked device to the sign-in only, also if a hidden screen adds a handler after it', () => {
    const heard: string[] = [];
    const hear = (name: string, isOverLock = false) =>
      onScan(({ text }) => void heard.push(`${name} ${text}`), { isOverLock });
    const stops = [hear('before')];
    const resume = suspendScans();
    stops.push(hear('sign-in', true), hear('rejected'));
    pushScan(scanOf('BADGE'));
    stops[0]!();
    pushScan(scanOf('BADGE2'));
    stops[1]!();
    pushScan(scanOf('WAITS'));
    expect(heard).toEqual(['sign-in BADGE', 'sign-in BADGE2']);
    resume(true);
    expect(heard).toEqual(['sign-in BADGE', 'sign-in BADGE2', 'rejected WAITS']);
    for (const stop of stops) stop();
  });

  it('knows commands, strips control characters and ignores what is too short', () => {
    const heard: Scan[] = [];
    const stop = onScan((scan) => void heard.push(scan));
    for (const text of ['BR:OK', 'br:undo', ']Q1BR:SHORT', '\x02ABC\r\n', 'AB', '\x00\x01\x02', `01${GS}`])
      pushScan(scanOf(text));
    expect(heard.map(({ text, command }) => [text, command])).toEqual([
      ['BR:OK', 'OK'],
      ['br:undo', 'UNDO'],
      [']Q1BR:SHORT', 'SHORT'],
      ['ABC', undefined],
      [`01${GS}`, undefined],
    ]);
    stop();
  });

  it('counts a code once that was read twice within one reading, where only the single one is known', () => {
    const knows = (text: string) => ['4006381333931', 'AAA', 'AAAAAA'].includes(text);
    expect(undouble('40063813339314006381333931', knows)).toBe('4006381333931');
    expect(undouble('AAAAAA', knows)).toBe('AAAAAA');
    expect(undouble('BBBBBB', knows)).toBe('BBBBBB');
    const heard: string[] = [];
    const stop = onScan(({ text }) => void heard.push(text), { knows });
    pushScan(scanOf('40063813339314006381333931'));
    stop();
    expect(heard).toEqual(['4006381333931']);
  });
});

describe('the camera', () => {
  it('counts a code again only after it has left the view, or after a second and a half', () => {
    const repeats = new CameraRepeats();
    const counted: number[] = [];
    const look = (at: number, ...codes: string[]) => {
      if (repeats.codesOf(codes, at).length > 0) counted.push(at);
    };
    for (let at = 0; at <= 1_400; at += 100) look(at, 'X');
    expect(counted).toEqual([0]);
    look(1_500, 'X');
    expect(counted).toEqual([0, 1_500]);
    look(1_600);
    look(1_700, 'X');
    expect(counted).toEqual([0, 1_500]);
    for (let at = 1_800; at < 2_100; at += 100) look(at);
    look(2_100, 'X');
    expect(counted).toEqual([0, 1_500, 2_100]);
  });

  it('counts no code that stays in view while a question is open, so that it cannot confirm the question', () => {
    const repeats = new CameraRepeats();
    const counted: string[] = [];
    const look = (at: number, isAsking: boolean, ...codes: string[]) =>
      counted.push(...repeats.codesOf(codes, at, isAsking).map((code) => `${code} ${at}`));
    look(0, false, 'X');
    for (let at = 100; at < 2_000; at += 100) look(at, true, 'X');
    // The hand moves while the user reads, so some pictures miss the code.
    for (let at = 2_000; at < 3_000; at += 100) look(at, true);
    look(3_000, true, 'X');
    expect(counted).toEqual(['X 0']);
    for (let at = 3_100; at < 5_000; at += 100) look(at, true, 'X', 'Y');
    expect(counted).toEqual(['X 0', 'Y 3100']);
    for (let at = 5_000; at < 8_000; at += 100) look(at, false, 'X', 'Y');
    expect(counted).toEqual(['X 0', 'Y 3100']);
    for (let at = 8_000; at < 8_500; at += 100) look(at, false);
    look(8_500, false, 'X');
    expect(counted).toEqual(['X 0', 'Y 3100', 'X 8500']);
  });

  it('counts each of several codes, each once', () => {
    const repeats = new CameraRepeats();
    expect(repeats.codesOf(['X', 'Y', 'X'], 0)).toEqual(['X', 'Y']);
    expect(repeats.codesOf(['X', 'Y', 'Z'], 50)).toEqual(['Z']);
  });
});

describe('codes of items', () => {
  it('are found with any number of leading zeros, as an element and as a link', () => {
    for (const text of [
      '4006381333931',
      '04006381333931',
      `]C1010400638133393110A`,
      '(01)04006381333931(10)A',
      'https://id.example.com/01/04006381333931',
    ]) {
      expect(isOneOf(text, ['4006381333931']), text).toBe(true);
      expect(isOneOf(text, ['04006381333931']), text).toBe(true);
      expect(isOneOf(text, ['4006381333948', 'X']), text).toBe(false);
    }
    expect(isOneOf('abc-1', ['ABC-1'])).toBe(true);
    expect(isOneOf('042100005264', ['42100005264', '0042100005264'])).toBe(true);
    expect(isOneOf('036000291452', ['36000291452'])).toBe(true);
    expect(isOneOf('36000291452', ['0036000291452'])).toBe(true);
    expect(isOneOf('00012', ['12'])).toBe(false);
    expect(formsOf('(00)340123450000000017')).toEqual([
      '340123450000000017',
      '00340123450000000017',
      '(00)340123450000000017',
    ]);
  });

  it('are stored without what the scanner adds: the symbology and separators', () => {
    for (const [text, content] of [
      [']C100340434161094038557', '00340434161094038557'],
      ['00340434161094038557', '00340434161094038557'],
      ['340123450000000017', '340123450000000017'],
      ['(00)340123450000000017', '00340123450000000017'],
      [`]C100340123450000000017${GS}4001`, '00340123450000000017'],
      [`]C1420101179205590164917312345679`, '420101179205590164917312345679'],
      [']C0A-04-2', 'A-04-2'],
      [' Dock 3 ', 'Dock 3'],
    ] as const) {
      expect(contentOf(text), text).toBe(content);
    }
  });
});
