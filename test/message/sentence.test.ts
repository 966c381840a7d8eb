import { describe, expect, it } from 'vitest';
import {
  inEnglish,
  inLanguageOf,
  languageOf,
  Sentence,
  sentences,
  sequence,
} from '../../src/platform/message/sentence.ts';

const say = sentences({
  'There is no ticket {id}; {next}.': { de: 'Den Schein {id} gibt es nicht; {next}.', es: 'No hay hoja {id}; {next}.' },
  '{n} {n|unit is|units are} held': {
    de: '{n} Stück {n|ist|sind} gesperrt',
    es: 'Hay {n} {n|unidad retenida|unidades retenidas}',
  },
  'check its id': { de: 'prüfen Sie die Nummer', es: 'compruebe el número' },
});

/** Returns the JSON of a value for an Accept-Language header. */
function written(accepted: string | undefined, value: unknown) {
  return inLanguageOf(accepted, () => JSON.stringify(value));
}

describe('a sentence', () => {
  const sentence = say('There is no ticket {id}; {next}.', { id: '"7"', next: say('check its id') });

  it('is English outside of a response', () => {
    expect(String(sentence)).toBe('There is no ticket "7"; check its id.');
    expect(JSON.stringify({ sentence })).toBe('{"sentence":"There is no ticket \\"7\\"; check its id."}');
  });

  it('has one language with all its parts', () => {
    expect(written('de', [sentence])).toEqual({
      text: '["Den Schein \\"7\\" gibt es nicht; prüfen Sie die Nummer."]',
      languages: 'de',
    });
    expect(written('es', [sentence]).text).toBe('["No hay hoja \\"7\\"; compruebe el número."]');
  });

  it('has the form of a word for 1, and another for every other number', () => {
    const held = (n: number | string) => say('{n} {n|unit is|units are} held', { n });
    expect([0, 1, '1', 2, 11].map((n) => held(n).in('en'))).toEqual([
      '0 units are held',
      '1 unit is held',
      '1 unit is held',
      '2 units are held',
      '11 units are held',
    ]);
    expect([1, 2].map((n) => held(n).in('de'))).toEqual(['1 Stück ist gesperrt', '2 Stück sind gesperrt']);
    expect([1, 2].map((n) => held(n).in('es'))).toEqual(['Hay 1 unidad retenida', 'Hay 2 unidades retenidas']);
  });

  it('reaches another thread in parts, with its languages', () => {
    const there = Sentence.of(structuredClone(sentence.parts));
    for (const language of ['en', 'de', 'es'] as const) expect(there.in(language)).toBe(sentence.in(language));
  });

  it('names both languages if a part has no translation', () => {
    const mixed = say('There is no ticket {id}; {next}.', { id: 7, next: inEnglish('{it} ends here') });
    expect(written('de', mixed)).toEqual({
      text: '"Den Schein 7 gibt es nicht; {it} ends here."',
      languages: 'de, en',
    });
  });

  it('may be a sequence', () => {
    const all = sequence([say('check its id'), 'x', say('check its id')], ' or ');
    expect(String(all)).toBe('check its id or x or check its id');
    expect(written('de', all).text).toBe('"prüfen Sie die Nummer or x or prüfen Sie die Nummer"');
  });

  it('leaves a response without sentences without a language', () => {
    expect(written('de', { a: 'check its id' })).toEqual({ text: '{"a":"check its id"}', languages: undefined });
  });

  it('keeps braces in its values', () => {
    const of = say('There is no ticket {id}; {next}.', { id: '{next}', next: '{id}' });
    expect(String(of)).toBe('There is no ticket {next}; {id}.');
  });
});

describe('the language of a request', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['fr, de;q=0.5', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['en;q=0.4, de;q=0.6, es;q=0.6', 'de'],
    ['de;q=0.1;x, ;;;', 'en'],
  ])('of %j is %s', (accepted, language) => {
    expect(languageOf(accepted)).toBe(language);
  });
});
