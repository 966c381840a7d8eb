/**
 * Sentences of the service: error messages, and reasons in responses. The English template is in the code of its rule;
 * the translations are in the file `sentences.ts` of the same folder under `src`. A sentence becomes text where a
 * response is written, in the language of the request. Everywhere else (log, database, events) it is English.
 */

/** The languages of sentences. */
export const LANGUAGES = ['en', 'de', 'es'] as const;
type Language = (typeof LANGUAGES)[number];

/** A value in a sentence, written as in a template literal. A sentence inside a sentence has the same language. */
export type Value = string | number | null | undefined | Sentence;

/** The words of one template in the other languages, with the same values. */
type Translations = Readonly<Record<Exclude<Language, 'en'>, string>>;

/**
 * The names of the values in a template: `id` in `There is no order {id}.` A word that depends on a number has two
 * forms, for 1 and for other numbers: `{n} {n|unit is|units are} held`.
 */
type NamesIn<T extends string> = T extends `${string}{${infer Place}}${infer Rest}`
  ? NameOf<Place> | NamesIn<Rest>
  : never;
type NameOf<Place extends string> = Place extends `${infer Name}|${string}` ? Name : Place;

/**
 * The type of the translations. If a translation uses a value that its template lacks, no text has this type, and the
 * compiler reports the translation.
 */
type Fitting<Rows> = {
  [T in keyof Rows]: {
    [L in keyof Rows[T]]: Rows[T][L] extends string
      ? NamesIn<Rows[T][L]> extends NamesIn<T & string>
        ? string
        : { unknownValue: Exclude<NamesIn<Rows[T][L]>, NamesIn<T & string>> }
      : string;
  };
};

/** Makes a sentence from a declared template and its values. */
type Say<Rows> = <T extends keyof Rows & string>(
  template: T,
  ...values: [NamesIn<T>] extends [never] ? [] : [values: Readonly<Record<NamesIn<T>, Value>>]
) => Sentence;

/**
 * Declares the translations of a folder by their English templates, and returns the function that makes its sentences.
 * The compiler rejects a template without all its translations, and a sentence without its template or values.
 */
export function sentences<const Rows extends Readonly<Record<string, Translations>>>(
  rows: Rows & Fitting<Rows>,
): Say<Rows> {
  return (template, ...[values]) => new Sentence(template, rows[template], values ?? {});
}

/** A sentence in English only, for callers that are systems; no screen shows it (test/contract/languages.test.ts). */
export function inEnglish(text: string): Sentence {
  return new Sentence(text);
}

/** A sentence that lists sentences and names one after the other, with a separator. */
export function sequence(parts: readonly Value[], separator: Value): Sentence {
  const names = parts.flatMap((_part, index) => (index === 0 ? ['{0}'] : ['{separator}', `{${index}}`]));
  const template = names.join('');
  const values = Object.fromEntries(parts.map((part, index) => [String(index), part]));
  return new Sentence(template, { de: template, es: template }, { ...values, separator });
}

/** The language in which the response of a request is written. */
interface Scope {
  /** Header Accept-Language of the request. */
  accepted: string | undefined;
  /** The language of the response; set when the first sentence is written. */
  language?: Language;
  used?: Set<Language>;
}

/** The scope of the response that is being written, or undefined. Writing never waits, so one variable is enough. */
let scope: Scope | undefined;

/** A sentence as plain data, which can be sent to another thread. */
export interface SentenceParts {
  readonly template: string;
  readonly translations: Translations | undefined;
  readonly values: Readonly<Record<string, Exclude<Value, Sentence> | SentenceParts>> | undefined;
}

/** A place of a template: the name of a value, optionally with the two forms of a word. */
const PLACE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

export class Sentence {
  readonly #template: string;
  readonly #translations: Translations | undefined;
  readonly #values: Readonly<Record<string, Value>> | undefined;

  /** Without `values`, the template is the text. */
  constructor(template: string, translations?: Translations, values?: Readonly<Record<string, Value>>) {
    this.#template = template;
    this.#translations = translations;
    this.#values = values;
  }

  /** The text in a language, or in English if there is no translation. `used` gets the languages of the text. */
  in(language: Language, used?: Set<Language>): string {
    const own = language === 'en' ? undefined : this.#translations?.[language];
    used?.add(own === undefined ? 'en' : language);
    const values = this.#values;
    if (values === undefined) return this.#template;
    return (own ?? this.#template).replace(PLACE, (_place, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (one !== undefined) return String(value) === '1' ? one : many!;
      return value instanceof Sentence ? value.in(language, used) : String(value);
    });
  }

  /** Returns the sentence of the parts that another thread has sent. */
  static of({ template, translations, values }: SentenceParts): Sentence {
    const whole = (value: Exclude<Value, Sentence> | SentenceParts) =>
      typeof value === 'object' && value !== null ? Sentence.of(value) : value;
    return new Sentence(template, translations, values && mapped(values, whole));
  }

  /** The parts of the sentence, as plain data for another thread. An instance of a class cannot be sent there. */
  get parts(): SentenceParts {
    const part = (value: Value) => (value instanceof Sentence ? value.parts : value);
    return {
      template: this.#template,
      translations: this.#translations,
      values: this.#values && mapped(this.#values, part),
    };
  }

  /** The text in English. */
  toString(): string {
    return this.in('en');
  }

  /** Returns the text in the language of the response; outside of a response, the English text. */
  toJSON(): string {
    if (scope === undefined) return this.in('en');
    scope.language ??= languageOf(scope.accepted);
    scope.used ??= new Set();
    return this.in(scope.language, scope.used);
  }
}

function mapped<T, R>(values: Readonly<Record<string, T>>, each: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, each(value)]));
}

/** A text and the value of Content-Language for it. `languages` is undefined if the text has no sentence. */
interface Written<T> {
  text: T;
  languages: string | undefined;
}

/**
 * Writes JSON with its sentences in the language that the caller accepts. The header is read only if there is a
 * sentence, so a response without a sentence costs nothing.
 */
export function inLanguageOf<T>(accepted: string | undefined, write: () => T): Written<T> {
  const outer = scope;
  const own: Scope = { accepted };
  scope = own;
  try {
    const text = write();
    return { text, languages: own.used && [...own.used].join(', ') };
  } finally {
    scope = outer;
  }
}

/**
 * Returns the language of a request by its header Accept-Language (RFC 9110, section 12.5.4): the first supported
 * language with the highest weight, compared by the primary subtag. The language is English without the header, for
 * `*`, and for other languages.
 */
export function languageOf(accepted: string | undefined): Language {
  let best: Language = 'en';
  let most = 0;
  for (const range of accepted?.split(',') ?? []) {
    const found = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(range);
    const weight = Number(found?.[2] ?? 1);
    const tag = found?.[1]?.toLowerCase();
    const language = tag === '*' ? 'en' : LANGUAGES.find((one) => one === tag);
    if (language !== undefined && weight > most) [best, most] = [language, weight];
  }
  return best;
}
