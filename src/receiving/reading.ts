/**
 * Reads an inbound message in any documented spelling into its canonical form (docs/interface.md#inbound-shipment). The
 * case of names does not matter. Root field, shipment, header and details may be one object or a list of one. `Details`
 * may also be a list of lines. Extended attributes may be a plain list or a list in a container.
 */
import { isRecord } from '../platform/message/record.ts';
import { FIELD_ERRORS_MAX, type FieldError, type ValidationResult } from '../platform/message/validate.ts';
import { Pace } from '../platform/pace.ts';
import { InboundErrors } from './faults.ts';
import { Location } from './location.ts';
import { ATTRIBUTES_MAX, LINES_MAX, MEMBERS, type ShipmentType } from './schema.ts';

/** The result of reading. `header` and `lines` have the canonical form only if `errors` is empty. */
export interface Reading {
  /** undefined when the message has neither or both of asnData and poData. */
  type: ShipmentType | undefined;
  /** Number of the ASN or PO; '' when it cannot be read. */
  number: string;
  header: Record<string, unknown>;
  lines: readonly unknown[];
  errors: InboundErrors;
  /** Returns the place of a header field in the caller's message. */
  headerPlace: (member: string) => Location;
  /** Returns the place of a line's field in the caller's message, by the line's index from 0. */
  linePlace: (index: number, member: string) => Location;
  /** Whether the form of a field is valid, so that further rules can check it. */
  isValid: (place: () => Location) => boolean;
  /** The unknown fields that the validator dropped. */
  ignored: Pick<ValidationResult, 'ignored' | 'ignoredTotal'>;
}

/** Reads a message; `errors` has the errors of its form. `validate` checks the canonical form. */
export async function readMessage(raw: unknown, validate: (value: unknown) => ValidationResult): Promise<Reading> {
  const pace = new Pace();
  const reader = new Reader(pace);
  const canonical = await reader.root(raw);
  const { errors, type, lines, headerPlace, rootPlace } = reader;
  const validated = await validateInTurns(canonical, type, validate, pace);
  const invalid = new Set<string>();
  for (const error of validated.errors) {
    const place = reader.locate(canonical, error.pointer);
    invalid.add(place.pointer);
    addError(errors, place, error);
  }
  if (typeof validated.total === 'string') errors.addUncounted();
  const shipment = shipmentOf(validated.value, type);
  const header = isRecord(shipment['header']) ? shipment['header'] : {};
  const details = isRecord(shipment['details']) ? shipment['details'] : {};
  const number = header[type === 'PO' ? 'shipmentNumber' : 'asnNumber'];
  return {
    type,
    number: typeof number === 'string' ? number.slice(0, 100).toWellFormed() : '',
    header,
    lines: Array.isArray(details['detail']) ? details['detail'] : [],
    errors,
    headerPlace: (member) => (headerPlace ?? rootPlace).member(member),
    linePlace: (index, member) => (lines[index] ?? rootPlace).member(member),
    isValid: (place) => invalid.size === 0 || !invalid.has(place().pointer),
    ignored: {
      ignored: validated.ignored.map((at) => reader.locate(canonical, at).pointer),
      ignoredTotal: validated.ignoredTotal,
    },
  };
}

/** Number of lines that are validated together. */
const LINES_TOGETHER = 500;

/** Validates the canonical form in portions of lines. The result is the same as for the whole message. */
async function validateInTurns(
  canonical: unknown,
  type: ShipmentType | undefined,
  validate: (value: unknown) => ValidationResult,
  pace: Pace,
): Promise<ValidationResult> {
  const shipment = shipmentOf(canonical, type);
  const details = isRecord(shipment['details']) ? shipment['details'] : {};
  const lines = details['detail'];
  if (type === undefined || !Array.isArray(lines) || lines.length <= LINES_TOGETHER) return validate(canonical);
  const member = rootMember(type);
  const base = `/${member}/0/details/detail/`;
  const portion = (some: readonly unknown[]) => ({
    ...(canonical as object),
    [member]: [{ ...shipment, details: { ...details, detail: some } }],
  });
  let whole: ValidationResult | undefined;
  const checked: unknown[] = [];
  for (let first = 0; first < lines.length; first += LINES_TOGETHER) {
    const one = validate(portion(lines.slice(first, first + LINES_TOGETHER)));
    for (const line of linesOf(one.value, type)) checked.push(line);
    whole = whole === undefined ? one : joined(whole, moved(one, base, first));
    if (typeof whole.total === 'string') break;
    await pace.rest();
  }
  return { ...whole!, value: withLines(whole!.value, type, checked) };
}

/**
 * Returns the result for a later portion. Errors outside its lines are dropped, because the result of the first portion
 * has them.
 */
function moved(validated: ValidationResult, base: string, by: number): ValidationResult {
  const at = (pointer: string) => {
    const [index = '', ...rest] = pointer.slice(base.length).split('/');
    return [`${base}${Number(index) + by}`, ...rest].join('/');
  };
  const isLine = (pointer: string) => pointer.startsWith(base);
  const errors = validated.errors.filter(({ pointer }) => isLine(pointer));
  return {
    ...validated,
    errors: errors.map((error) => ({ ...error, pointer: at(error.pointer) })),
    total: typeof validated.total === 'string' ? validated.total : errors.length,
    ignored: validated.ignored.filter(isLine).map(at),
  };
}

function joined(before: ValidationResult, after: ValidationResult): ValidationResult {
  const errors = [...before.errors, ...after.errors];
  const isMore = typeof after.total === 'string' || errors.length > FIELD_ERRORS_MAX;
  return {
    ...before,
    errors: errors.slice(0, FIELD_ERRORS_MAX),
    total: isMore ? `${FIELD_ERRORS_MAX}+` : errors.length,
    ignored: [...before.ignored, ...after.ignored].slice(0, FIELD_ERRORS_MAX),
  };
}

function linesOf(canonical: unknown, type: ShipmentType): readonly unknown[] {
  const { details } = shipmentOf(canonical, type);
  return isRecord(details) && Array.isArray(details['detail']) ? details['detail'] : [];
}

function withLines(canonical: unknown, type: ShipmentType, lines: readonly unknown[]): unknown {
  const shipment = shipmentOf(canonical, type);
  const details = { ...(shipment['details'] as object), detail: lines };
  return { ...(canonical as object), [rootMember(type)]: [{ ...shipment, details }] };
}

/** Returns the shipment inside a canonical form, which can lack parts that the validator dropped. */
function shipmentOf(canonical: unknown, type: ShipmentType | undefined): Record<string, unknown> {
  const data = isRecord(canonical) && type !== undefined ? canonical[rootMember(type)] : undefined;
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  return isRecord(first) ? first : {};
}

function rootMember(type: ShipmentType): 'asnData' | 'poData' {
  return type === 'ASN' ? 'asnData' : 'poData';
}

const OUTER: readonly string[] = ['receivingDetail', ...MEMBERS.root];

/** Builds the canonical values, and keeps the caller's place of each object and list element. */
class Reader {
  readonly errors = new InboundErrors();
  rootPlace = new Location(undefined);
  /** The whole body, if the message is under a root field. */
  outerPlace: Location | undefined;
  headerPlace: Location | undefined;
  type: ShipmentType | undefined;
  lines: Location[] = [];
  readonly #pace: Pace;
  readonly #objects = new Map<unknown, Location>();
  readonly #elements = new Map<unknown, readonly Location[]>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Returns the caller's place for a pointer into the canonical form. */
  locate(canonical: unknown, pointer: string): Location {
    let place = this.rootPlace;
    let value = canonical;
    const [, first = ''] = pointer.split('/');
    if (this.outerPlace && !isMember(place.raw, first) && isMember(this.outerPlace.raw, first)) place = this.outerPlace;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const next: unknown =
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
      place = this.#objects.get(next) ?? this.#elements.get(value)?.[Number(name)] ?? place.member(name);
      value = next;
    }
    return place;
  }

  async root(raw: unknown): Promise<unknown> {
    const outer = only(new Location(raw));
    this.rootPlace = outer;
    if (!isRecord(outer.raw)) return outer.raw;
    const { receivingDetail, ...beside } = this.#members(outer, OUTER);
    if (receivingDetail === undefined) return await this.#shipments(outer, beside);
    const inner = only(outer.member('receivingDetail'));
    const [misplaced, unknown] = partition(Object.entries(beside), ([name]) => MEMBERS.root.includes(name));
    for (const [name] of misplaced) {
      const sentence = `'${outer.spell(name)}' is beside '${outer.spell('receivingDetail')}'; put it inside, or send it alone`;
      this.errors.add(outer.member(name), 'placement', sentence);
    }
    if (!isRecord(inner.raw)) {
      this.errors.add(inner, 'type', `'${inner.step}' must be an object with asnData or poData`);
      return Object.fromEntries(unknown);
    }
    this.rootPlace = inner;
    this.outerPlace = outer;
    const shipments = await this.#shipments(inner, this.#members(inner, MEMBERS.root));
    return { ...shipments, ...Object.fromEntries(unknown) };
  }

  async #shipments(place: Location, members: Record<string, unknown>): Promise<Record<string, unknown>> {
    const present = MEMBERS.root.filter((name) => Object.hasOwn(members, name));
    const both = `'${place.spell('asnData')}' and '${place.spell('poData')}'`;
    if (present.length === 0) this.errors.add(place, 'required', `one of ${both} is needed; send one ASN or one PO`);
    if (present.length > 1)
      this.errors.add(place, 'one-message', `${both} are in one message; send one ASN or one PO per call`);
    const canonical = this.#seen({ ...members }, place);
    for (const name of present) {
      const data = this.#elementsOf(place.member(name), 1, 'send one ASN or PO per call');
      const shipments: unknown[] = [];
      for (const element of data) shipments.push(await this.#shipment(element));
      canonical[name] = this.#list(shipments, data);
    }
    if (present.length === 1) this.type = present[0] === 'asnData' ? 'ASN' : 'PO';
    return canonical;
  }

  async #shipment(place: Location): Promise<unknown> {
    if (!isRecord(place.raw)) return place.raw;
    const members = this.#members(place, MEMBERS.shipment);
    if (members['header'] !== undefined) members['header'] = this.#header(only(place.member('header')));
    if (members['details'] !== undefined) members['details'] = await this.#details(place.member('details'));
    return this.#seen(members, place);
  }

  #header(place: Location): unknown {
    if (!isRecord(place.raw)) return place.raw;
    this.headerPlace = place;
    return this.#withAttributes(place, this.#members(place, MEMBERS.header), 'headerExtendedAttributes');
  }

  /** Reads `Details`: one container, a list of containers, or a list of lines. */
  async #details(place: Location): Promise<unknown> {
    if (!isRecord(place.raw) && !Array.isArray(place.raw)) return place.raw;
    const given = Array.isArray(place.raw) ? place.raw.length : 1;
    const containers = Array.isArray(place.raw) ? elements(place, Math.min(given, LINES_MAX)) : [place];
    const lines: Location[] = [];
    let count = given - containers.length;
    let container: Record<string, unknown> = {};
    let hasDetail = false;
    for (const one of containers) {
      const isContainer =
        !Array.isArray(place.raw) || (isRecord(one.raw) && one.raw[one.spell('detail')] !== undefined);
      await this.#pace.rest();
      if (!isContainer || !isRecord(one.raw)) {
        count += 1;
        lines.push(one);
        continue;
      }
      const { detail, ...others } = this.#members(one, MEMBERS.details);
      container = { ...container, ...others };
      hasDetail ||= detail !== undefined;
      if (detail === undefined) continue;
      const where = one.member('detail');
      const own = Array.isArray(detail) ? elements(where, Math.min(detail.length, LINES_MAX)) : [where];
      count += Array.isArray(detail) ? detail.length : 1;
      if (lines.length < LINES_MAX) for (const line of own) lines.push(line);
    }
    const isEmpty = !hasDetail && lines.length === 0 && !Array.isArray(place.raw);
    return this.#seen(
      isEmpty ? container : { detail: await this.#lines(lines, count, place), ...container },
      only(place),
    );
  }

  async #lines(places: readonly Location[], count: number, details: Location): Promise<unknown> {
    if (count > LINES_MAX) {
      const sentence = `the message has ${count} lines; send at most ${LINES_MAX} and the rest as another shipment`;
      this.errors.add(details, 'maxItems', sentence);
    }
    this.lines = places
      .slice(0, LINES_MAX)
      .map((place, index) => new Location(place.raw, place.up, place.step, index + 1));
    const lines: unknown[] = [];
    for (const place of this.lines) {
      await this.#pace.rest();
      const members = isRecord(place.raw) ? this.#members(place, MEMBERS.line) : undefined;
      lines.push(members ? this.#withAttributes(place, members, 'detailExtendedAttributes') : place.raw);
    }
    return this.#list(lines, this.lines);
  }

  #withAttributes(place: Location, members: Record<string, unknown>, name: string): Record<string, unknown> {
    if (members[name] !== undefined) members[name] = this.#attributes(place.member(name));
    return this.#seen(members, place);
  }

  /** Reads a container, a list, or a single attribute. */
  #attributes(place: Location): unknown {
    if (!isRecord(place.raw) && !Array.isArray(place.raw)) return place.raw;
    const found: Location[] = [];
    let container: Record<string, unknown> = {};
    const given = Array.isArray(place.raw) ? place.raw.length : 1;
    const looked = Array.isArray(place.raw) ? elements(place, Math.min(given, ATTRIBUTES_MAX)) : [place];
    let count = given - looked.length;
    for (const one of looked) {
      const isAttribute =
        !isRecord(one.raw) ||
        (one === place
          ? hasMember(one.raw, 'name') || hasMember(one.raw, 'value')
          : !hasMember(one.raw, 'extendedattributes'));
      if (isAttribute) {
        found.push(one);
        continue;
      }
      const { extendedAttributes, ...others } = this.#members(one, MEMBERS.attributes);
      container = { ...container, ...others };
      const inner = one.member('extendedAttributes');
      if (Array.isArray(extendedAttributes)) {
        count += Math.max(0, extendedAttributes.length - ATTRIBUTES_MAX);
        found.push(...elements(inner, Math.min(extendedAttributes.length, ATTRIBUTES_MAX)));
      } else if (extendedAttributes !== undefined) found.push(inner);
    }
    count += found.length;
    if (count > ATTRIBUTES_MAX) {
      this.errors.add(place, 'maxItems', `'${place.step}' has ${count} elements; send at most ${ATTRIBUTES_MAX}`);
    }
    const held = found.slice(0, ATTRIBUTES_MAX);
    const attributes = held.map((one) =>
      isRecord(one.raw) ? this.#seen(this.#members(one, MEMBERS.attribute), one) : one.raw,
    );
    return this.#seen({ extendedAttributes: this.#list(attributes, held), ...container }, place);
  }

  /**
   * Returns the fields under their canonical names in canonical order; `null` counts as absent. Unknown fields follow
   * as written, so that the validator reports them.
   */
  #members(place: Location, known: readonly string[]): Record<string, unknown> {
    const raw = place.raw as Record<string, unknown>;
    const byFolded = folded(known);
    const found = new Map<string, string>();
    const unknown: string[] = [];
    for (const key of Object.keys(raw)) {
      const name = byFolded.get(key.toLowerCase());
      const first = name === undefined ? undefined : found.get(name);
      if (name === undefined) unknown.push(key);
      else if (raw[key] === null) continue;
      else if (first === undefined) found.set(name, key);
      else
        this.errors.add(
          place.below(key, raw[key]),
          'duplicate',
          `'${first}' and '${key}' are the same field; send it once`,
        );
    }
    const members: Record<string, unknown> = {};
    for (const name of known) {
      const key = found.get(name);
      if (key !== undefined) members[name] = raw[key];
    }
    for (const key of unknown) members[key] = raw[key];
    return members;
  }

  #elementsOf(place: Location, most: number, hint: string): readonly Location[] {
    if (!Array.isArray(place.raw)) return [place];
    const count = place.raw.length;
    if (count > most) this.errors.add(place, 'maxItems', `'${place.step}' has ${count} elements; ${hint}`);
    return elements(place, Math.min(count, most));
  }

  #seen(value: Record<string, unknown>, place: Location): Record<string, unknown> {
    this.#objects.set(value, place);
    return value;
  }

  #list(values: unknown[], places: readonly Location[]): unknown[] {
    this.#elements.set(values, places);
    return values;
  }
}

function elements(place: Location, count: number): Location[] {
  const list = place.raw as readonly unknown[];
  return Array.from({ length: count }, (_unused, index) => place.below(String(index), list[index]));
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [yes: T[], no: T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Returns the element of a list with one element, and any other value unchanged. */
function only(place: Location): Location {
  return Array.isArray(place.raw) && place.raw.length === 1 ? place.below('0', place.raw[0]) : place;
}

function isMember(raw: unknown, name: string): boolean {
  return isRecord(raw) && Object.hasOwn(raw, name);
}

function hasMember(raw: Record<string, unknown>, name: string): boolean {
  return Object.keys(raw).some((key) => key.toLowerCase() === name);
}

const foldings = new Map<readonly string[], Map<string, string>>();

function folded(known: readonly string[]): Map<string, string> {
  let folding = foldings.get(known);
  if (folding === undefined) {
    folding = new Map(known.map((name) => [name.toLowerCase(), name]));
    foldings.set(known, folding);
  }
  return folding;
}

/** Additional hints for errors, by field and rule. */
const HINTS: Readonly<Record<string, string>> = {
  'receivingtype enum': '; A goes with asnData, P with poData',
  'clientitemid maxLength': '; catalog items may have 16 characters, inbound lines at most 15',
  'receivingwarehouseid maxLength': '; send the id that the operator assigned',
};

/** Matches the subject of a validator's message: `the message`, `'name'`, `element 3` or `element 3 of 'name'`. */
const SUBJECT = /^(?:the message|element \d+(?: of '\w+')?|'\w+')/;

/** Adds an error of the canonical form, with field names in the caller's spelling. */
function addError(errors: InboundErrors, place: Location, error: FieldError): void {
  const hint = HINTS[`${place.step.toLowerCase()} ${error.rule}`] ?? '';
  errors.add(place, error.rule, sentence(error, place) + hint);
}

function sentence(error: FieldError, place: Location): string {
  const subject = subjectOf(place);
  if (error.rule === 'required') return `${subject} is missing; add it`;
  const words = String(error.message);
  if (error.rule !== 'unknown') return words.replace(SUBJECT, () => subject);
  const ending = / in (?:'\w+'|element \d+(?: of '\w+')?|the message)(?=; (?:remove it|did you mean '\w+'\?)$)/;
  const suggestion = /did you mean '(\w+)'\?$/;
  return words
    .replace(ending, '')
    .replace(suggestion, (_all, name: string) => `did you mean '${place.up?.spell(name) ?? name}'?`);
}

function subjectOf(place: Location): string {
  if (place.up === undefined) return 'the message';
  if (place.line !== place.up.line) return 'the line';
  return /^\d+$/.test(place.step) && Array.isArray(place.up.raw)
    ? `element ${place.step} of '${place.up.step}'`
    : `'${place.step}'`;
}
