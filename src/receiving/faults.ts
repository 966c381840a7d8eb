/**
 * The errors of one inbound message: at most 100 are kept, each with its level and the offending values
 * (docs/interface.md#inbound-failure).
 */

import { type InboundError, Refusal } from '../platform/http/errors.ts';
import { isRecord } from '../platform/message/record.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import { FIELD_ERRORS_MAX } from '../platform/message/validate.ts';
import { shorten } from '../platform/message/words.ts';
import type { Location } from './location.ts';

/** Codes of inbound errors. */
export type ErrorCode =
  | 'FILE_VALIDATION_FAILED'
  | 'STORE_NOT_FOUND'
  | 'WAREHOUSE_NOT_FOUND'
  | 'ITEM_NOT_FOUND'
  | 'NUMBER_ALREADY_USED'
  | 'CARTON_ALREADY_ANNOUNCED';

/** Maximum length of an offending value in a response. */
export const SHOWN_MAX = 200;

export class InboundErrors {
  readonly #held: { error: InboundError; line: number }[] = [];
  #more = false;

  /**
   * Adds an error: DETAIL_LEVEL_ERROR for a place on a line, otherwise HEADER_LEVEL_ERROR. `sentence` says what is
   * wrong and how to fix it.
   */
  add(place: Location, rule: string, sentence: string, code: ErrorCode = 'FILE_VALIDATION_FAILED'): void {
    if (this.#held.length >= FIELD_ERRORS_MAX) {
      this.#more = true;
      return;
    }
    const { pointer, line } = place;
    const at = pointer === '' ? '' : ` [${shorten(pointer, SHOWN_MAX)}]`;
    this.#held.push({
      line: line ?? 0,
      error: {
        pointer,
        rule,
        code,
        message: inEnglish(`${line === undefined ? '' : `Line ${line}: `}${sentence}${at}`),
        type: line === undefined ? 'HEADER_LEVEL_ERROR' : 'DETAIL_LEVEL_ERROR',
        payload: payloadOf(place),
      },
    });
  }

  /** Records that the message has errors beyond the listed ones. */
  addUncounted(): void {
    this.#more = true;
  }

  /** Returns a copy of the errors so far. Errors added to the copy do not change this list. */
  copy(): InboundErrors {
    const copy = new InboundErrors();
    copy.#held.push(...this.#held);
    copy.#more = this.#more;
    return copy;
  }

  get count(): number {
    return this.#held.length;
  }

  /** Whether the message has more errors than are kept; the caller can then stop checking. */
  get overflows(): boolean {
    return this.#more;
  }

  /** Returns all errors: first the errors of the header, then the errors of the lines in their order. */
  all(): InboundError[] {
    return this.#held.toSorted((a, b) => a.line - b.line).map(({ error }) => error);
  }

  /** Returns a 400 with the error body of inbound messages: `poAsnNumber` and all errors. */
  refusal(poAsnNumber: string): Refusal {
    const errors = this.all();
    const total = this.#more ? `${FIELD_ERRORS_MAX}+` : errors.length;
    return new Refusal(400, 'VALIDATION', 'INVALID_REQUEST', inEnglish('The inbound message is rejected.'), {
      errors,
      total,
      extra: { poAsnNumber },
    });
  }
}

/** Returns the offending value under the caller's field name; on a line, also the values that identify the line. */
function payloadOf(place: Location): Record<string, unknown> {
  const offending =
    place.up === undefined || place.raw === undefined ? {} : { [shorten(place.step, SHOWN_MAX)]: echo(place.raw) };
  if (place.line === undefined) return offending;
  let line = place;
  while (line.up?.line !== undefined) line = line.up;
  const identity = ['cartonId', 'clientItemId'].map((name) => line.member(name)).filter(({ raw }) => isScalar(raw));
  return {
    line: place.line,
    ...Object.fromEntries(identity.map(({ step, raw }) => [step, echo(raw)])),
    ...(line === place ? {} : offending),
  };
}

function isScalar(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value) && !isRecord(value);
}

function echo(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, SHOWN_MAX);
  if (Array.isArray(value)) return `list of ${value.length}`;
  return isRecord(value) ? `object of ${Object.keys(value).length}` : value;
}
