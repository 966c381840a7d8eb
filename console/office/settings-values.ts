/** The values of the settings form of a client: texts of fields, and lists. */
import type { components } from '../../contract/client.d.ts';
import { allOf } from '../ui/all-of.ts';

/** The client settings, as the API represents them. */
export type Settings = components['schemas']['ClientSettings'];

export const STEPS = allOf<keyof NonNullable<Settings['slaMinutes']>>()([
  'START_PICK',
  'COMPLETE_PICK',
  'PACK',
  'CHECK_IN',
  'CUSTOMER_PICKUP',
  'DELIVERY',
  'REVERSE_PICK',
]);

/**
 * Returns the minutes of a step for each fulfillment type that has its own minutes. These minutes apply instead of
 * `slaMinutes`.
 */
export function ownMinutes({ slaDefinitions = {} }: Settings, step: (typeof STEPS)[number]) {
  const types = Object.entries<StepTimes>(slaDefinitions);
  return types.flatMap(([type, steps]) => {
    const minutes = steps[step]?.expiredMinutes;
    return minutes === undefined ? [] : [{ type: type as keyof typeof slaDefinitions, minutes }];
  });
}
type StepTimes = Partial<Record<string, { expiredMinutes?: number }>>;

type HandOverProof = NonNullable<Settings['handOverProof']>;
export const HAND_OVER_PROOFS = allOf<HandOverProof>()(['NONE', 'SIGNATURE', 'PHOTO', 'ANY']);

type Target = 'linesPerHour' | 'shortPercent' | 'late';
type BoxField = 'name' | 'length' | 'width' | 'height' | 'sizeUnit' | 'weight' | 'weightUnit';

/** The values of the form. An empty field means that the default of the service applies. */
export interface Values {
  minutes: Readonly<Record<string, string>>;
  origins: readonly string[];
  reasons: readonly { code: string; description: string; stockEffect: string }[];
  boxes: readonly Record<BoxField, string>[];
  targets: Readonly<Record<Target, string>>;
  isPinRequired: boolean;
  handOverProof: HandOverProof;
}

const asText = (value: number | string | undefined) => (value === undefined ? '' : String(value));

/**
 * Returns the values of the form for the settings of a client.
 * @throws TypeError if a list of the settings is no list, which is possible in JSON that a user has edited
 */
export function valuesOf(settings: Settings): Values {
  const {
    slaMinutes,
    imageOrigins = [],
    cancelReasons = [],
    boxes = [],
    targets,
    pin,
    handOverProof = 'NONE',
  } = settings;
  return {
    minutes: Object.fromEntries(STEPS.map((step) => [step, asText(slaMinutes?.[step])])),
    origins: [...imageOrigins],
    reasons: cancelReasons.map(({ code, description, stockEffect = '' }) => ({
      code: asText(code),
      description: asText(description),
      stockEffect,
    })),
    boxes: boxes.map((box) => ({
      name: asText(box.name),
      length: asText(box.length),
      width: asText(box.width),
      height: asText(box.height),
      sizeUnit: asText(box.sizeUnit),
      weight: asText(box.weight),
      weightUnit: box.weightUnit ?? '',
    })),
    targets: {
      linesPerHour: asText(targets?.linesPerHour),
      shortPercent: asText(targets?.shortPercent),
      late: asText(targets?.late),
    },
    isPinRequired: pin?.required === true,
    handOverProof,
  };
}

/**
 * Reads a typed number with a decimal point or comma. Other text is sent unchanged, and the service returns the error.
 * The comma of 1,250 can separate thousands, so it is other text.
 */
function numberIn(text: string): unknown {
  const typed = text.trim();
  const value = /^[1-9]\d{0,2},\d{3}$/.test(typed) ? Number.NaN : Number(typed.replace(',', '.'));
  return Number.isFinite(value) ? value : text;
}

/** Reads a whole number. Separators can be those of thousands or of decimals, so they are not accepted. */
export function wholeIn(text: string): unknown {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : text;
}

/** Returns the fields with a value, by name. */
function filled<N extends string>(
  fields: Readonly<Record<N, string>>,
  read: (text: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries<string>(fields).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(entries.map(([name, text]) => [name, read(text)]));
}

/** Returns the settings to save: the settings of the form, and all other settings unchanged. */
export function settingsOf(before: Settings, values: Values): Settings {
  const { minutes, origins, reasons, boxes, isPinRequired, handOverProof } = values;
  const { shortPercent, ...counts } = values.targets;
  const { cancelReasons: _before, ...others } = before;
  return {
    ...others,
    slaMinutes: filled(minutes, wholeIn),
    imageOrigins: [...origins],
    pin: { ...before.pin, required: isPinRequired },
    handOverProof,
    ...(reasons.length > 0 && {
      cancelReasons: reasons.map(({ code, description, stockEffect }) => ({
        code: code.trim(),
        description: description.trim(),
        ...(stockEffect !== '' && { stockEffect }),
      })),
    }),
    boxes: boxes.map(({ name, sizeUnit, weightUnit, ...sizes }) => ({
      name: name.trim(),
      sizeUnit,
      ...filled(sizes, numberIn),
      ...(sizes.weight.trim() !== '' && { weightUnit }),
    })),
    targets: { ...filled(counts, wholeIn), ...filled({ shortPercent }, numberIn) },
  } as Settings;
}
