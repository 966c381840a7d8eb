/**
 * Weight, size and tracking number of a box that is being closed. A box type of the client fills in the size; a scale
 * fills in the weight. The form starts with the units and the size of the last box.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { choices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { contentOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { language, t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { asTyped, typedNumber } from '../../ui/typed-number.ts';
import { useScan } from '../../work/use-scan.ts';
import { type Reading, weightFrom, weightIn } from './hid-scale.ts';
import { isOfOrder, isParcel, type PackDetail } from './packing.ts';
import { ScaleReading } from './scale.tsx';

type PackageChange = components['schemas']['PackageChange'];
type ShippingBox = components['schemas']['ShippingBox'];

/** The fields of a recorded box other than its units. */
export type BoxMeasures = Pick<
  PackageChange,
  'boxWeight' | 'packingMaterialWeight' | 'length' | 'width' | 'height' | 'trackingNumber'
>;

const KEY = 'backroom.box';
const SIDES = ['length', 'width', 'height'] as const;
const TRACKING_MAX = 40;

interface Form {
  weight: string;
  material: string;
  weightUnit: string;
  length: string;
  width: string;
  height: string;
  sizeUnit: string;
  /** Name of the client's box type that filled in the size. */
  box: string;
}

function firstForm(): Form {
  const { weightUnits = [], sizeUnits = [] } = choices.peek() ?? {};
  const text = localStorage.getItem(KEY);
  const last = text === null ? {} : (JSON.parse(text) as Partial<Form>);
  const unit = (known: readonly string[], before: string | undefined) =>
    before !== undefined && known.includes(before) ? before : (known[0] ?? '');
  const weightUnit = unit(weightUnits, last.weightUnit);
  const sizeUnit = unit(sizeUnits, last.sizeUnit);
  // A number in a unit that the client no longer has is a wrong number in another unit.
  const size = (side = '') => (sizeUnit === last.sizeUnit ? shown(side) : '');
  return {
    weight: '',
    material: shown((weightUnit === last.weightUnit && last.material) || '0'),
    weightUnit,
    length: size(last.length),
    width: size(last.width),
    height: size(last.height),
    sizeUnit,
    box: (sizeUnit === last.sizeUnit && last.box) || '',
  };
}

/**
 * Fills in the size of a box type, and its weight as the packing material weight, in the unit of the entered weight. If
 * the weight cannot be converted, the user enters it.
 */
function withBox(form: Form, { name, length, width, height, sizeUnit, weight, weightUnit }: ShippingBox): Form {
  const before = choices.peek()?.boxes.find((one) => one.name === form.box);
  const sides = { length: shown(length), width: shown(width), height: shown(height) };
  const next = { ...form, ...sides, sizeUnit, box: name };
  // A typed weight remains; the weight of the box type before does not.
  if (weight === undefined) return before?.weight === undefined ? next : { ...next, material: '0' };
  const own = { ...next, material: shown(weight), weightUnit: weightUnit ?? form.weightUnit };
  return form.weight === '' ? own : inUnit(own, form.weightUnit);
}

const numberOf = (text: string) => typedNumber(text, language.peek());
/** Returns a number of a scale, a box type or the last box as the user types it. */
const shown = (value: number | string) => asTyped(value, language.peek());

function isPositive(text: string): boolean {
  return (numberOf(text) ?? 0) > 0;
}

/** Returns whether the packing material is heavier than the packed box, which contains it. */
function isMaterialTooHeavy({ weight, material }: Form): boolean {
  return isPositive(weight) && (numberOf(material) ?? 0) > numberOf(weight)!;
}

/**
 * Sets the unit of both weights, and converts the weight of the packing material. If one of the units is unknown, the
 * user enters the weight of the material again.
 */
function inUnit(form: Form, weightUnit: string): Form {
  const value = numberOf(form.material);
  if (weightUnit === form.weightUnit || value === undefined) return { ...form, weightUnit };
  const material = value === 0 ? '0' : shown(weightFrom(value, form.weightUnit, weightUnit) ?? '');
  return { ...form, weightUnit, material };
}

function useForm() {
  const [form, setForm] = useState(firstForm);
  // The scale does not overwrite a weight that the user typed.
  const isTyped = useRef(false);
  return {
    form,
    set: (name: keyof Form) => (value: string) => {
      if (name === 'weight') isTyped.current = value !== '';
      const isSide = SIDES.some((side) => side === name);
      setForm((before) => ({ ...before, [name]: value, ...(isSide && { box: '' }) }));
    },
    weigh: (reading: Reading) => {
      if (isTyped.current) return;
      setForm((before) => {
        const weighed = weightIn(reading, choices.peek()?.weightUnits ?? [], before.weightUnit);
        return weighed === undefined ? before : { ...inUnit(before, weighed.unit), weight: shown(weighed.value) };
      });
    },
    choose: (box: ShippingBox) => setForm((before) => withBox(before, box)),
    /** Returns the values of the form; undefined while a number is missing or invalid. */
    measures: (): BoxMeasures | undefined => {
      const isGood =
        isPositive(form.weight) &&
        numberOf(form.material) !== undefined &&
        !isMaterialTooHeavy(form) &&
        SIDES.every((side) => isPositive(form[side]));
      if (!isGood) return undefined;
      const weight = (text: string) => ({ unit: form.weightUnit, value: numberOf(text)! });
      const size = (text: string) => ({ unit: form.sizeUnit, value: numberOf(text)! });
      return {
        boxWeight: weight(form.weight),
        packingMaterialWeight: weight(form.material),
        length: size(form.length),
        width: size(form.width),
        height: size(form.height),
      };
    },
  };
}

/**
 * Handles the scan of a tracking number; `result` has the outcome. Codes of the order go to the next handler: a unit
 * that is scanned into this dialog must not become the tracking number.
 */
function useTrackingScan(detail: PackDetail, before: string, onTracking: (text: string) => unknown) {
  const { pack } = t();
  const [result, setResult] = useState<{ error?: string } | undefined>();
  const wrong = (error: string) => {
    feedback('wrong');
    setResult({ error });
  };
  useScan(({ text: code, command }) => {
    if (command !== undefined || !isParcel(detail) || isOfOrder(detail, code)) return false;
    const text = contentOf(code);
    const isLong = text.length > TRACKING_MAX;
    // If the scanner types the code into the field, `before` already contains the code.
    if (isLong || (before !== '' && text !== contentOf(before))) {
      wrong(isLong ? pack.trackingLong(TRACKING_MAX) : pack.trackingKept(text));
      return undefined;
    }
    feedback('right');
    setResult({});
    return onTracking(text);
  });
  return { result, clear: () => setResult(undefined) };
}

/**
 * Scrolls to the first wrong field after a failed try, and to the tracking number after a scan. On a phone, most fields
 * are out of view.
 */
function useFieldsInView(form: RefObject<HTMLFormElement | null>, tries: number, error: unknown, scanned: unknown) {
  const show = (field: HTMLElement | null | undefined) => field?.scrollIntoView({ block: 'center' });
  useEffect(() => {
    if (tries === 0 && error === undefined) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    field?.focus({ preventScroll: true });
    show(field);
  }, [tries, error]);
  useEffect(() => {
    if (scanned !== undefined) show(form.current?.querySelector<HTMLElement>('[name="tracking"]'));
  }, [scanned]);
}

export function BoxDialog({
  boxId,
  detail,
  onSave,
  onClose,
}: {
  boxId: string;
  detail: PackDetail;
  onSave: (measures: BoxMeasures) => Promise<void>;
  onClose: () => void;
}) {
  const { pack, counter } = t();
  const [tracking, setTracking] = useState('');
  const [tries, setTries] = useState(0);
  const scanned = useTrackingScan(detail, tracking.trim(), setTracking);
  const { form, set, weigh, choose, measures } = useForm();
  const wrong = (isGood: boolean, text = pack.needNumber) => (tries > 0 && !isGood ? text : undefined);
  const action = useAction(async () => {
    const found = measures();
    if (found === undefined) {
      setTries((before) => before + 1);
      return;
    }
    // The next user of the device can have another language, so the numbers are kept as `Number` writes them.
    const { weight: _, ...kept } = form;
    for (const name of ['material', ...SIDES] as const) kept[name] = String(numberOf(form[name]));
    localStorage.setItem(KEY, JSON.stringify(kept));
    await onSave({ ...found, ...(tracking.trim() !== '' && { trackingNumber: tracking.trim() }) });
  });
  const submit = useRef<HTMLFormElement>(null);
  useFieldsInView(submit, tries, action.error, scanned.result);
  return (
    <AskDialog
      title={pack.closeTitle(boxId)}
      onClose={onClose}
      act={pack.save}
      isBusy={action.isBusy}
      blocked={online.value ? undefined : counter.needsNetwork}
      onAct={() => submit.current?.requestSubmit()}
    >
      <form
        ref={submit}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <ScaleReading onWeight={weigh} />
        <Weights form={form} set={set} wrong={wrong} rejected={action.of('boxWeight/value')} />
        <Boxes form={form} onChoose={choose} />
        <Sizes form={form} set={set} wrong={wrong} />
        {isParcel(detail) && (
          <TextField
            label={pack.tracking}
            hint={pack.trackingHint}
            value={tracking}
            onInput={(text) => {
              setTracking(text);
              scanned.clear();
            }}
            error={scanned.result?.error}
            maxLength={TRACKING_MAX}
            name="tracking"
          />
        )}
        {action.error !== undefined && <ErrorNotice error={action.error} />}
        {/* Enter in a field needs a submit button inside the form. */}
        <button type="submit" hidden />
      </form>
    </AskDialog>
  );
}

/** Offers the box types of the client, so that one tap fills in three numbers. */
function Boxes({ form, onChoose }: { form: Form; onChoose: (box: ShippingBox) => void }) {
  const { pack } = t();
  const boxes = choices.value?.boxes ?? [];
  if (boxes.length === 0) return null;
  return (
    <div class="pack-boxes" role="group" aria-label={pack.boxes}>
      {boxes.map((box) => (
        <button type="button" class="button" aria-pressed={form.box === box.name} onClick={() => onChoose(box)}>
          <span>
            {box.name}
            <span class="hint">{`${box.length} × ${box.width} × ${box.height} ${box.sizeUnit}`}</span>
          </span>
        </button>
      ))}
    </div>
  );
}

interface MeasureProps {
  form: Form;
  set: (name: keyof Form) => (value: string) => void;
  wrong: (isGood: boolean, text?: string) => string | undefined;
}

const unitsOf = (all: readonly string[] = []) => all.map((value) => ({ value, label: value }));

/** Units of the default settings that are not offered, because no parcel is weighed in them. */
const NOT_WEIGHED_IN = ['TON', 'MG', 'TONNE'];

/**
 * Returns the units to choose from: one spelling of the pound, and only units in which parcels are weighed. The chosen
 * unit always remains.
 */
function weightUnitsFor(chosen: string): string[] {
  const known = choices.value?.weightUnits ?? [];
  const otherPound = chosen === 'LB' ? 'LBS' : known.includes('LBS') ? 'LB' : '';
  const fits = (unit: string) => unit !== otherPound && !NOT_WEIGHED_IN.includes(unit);
  return known.filter((unit) => unit === chosen || fits(unit));
}

function Weights({ form, set, wrong, rejected }: MeasureProps & { rejected: string | undefined }) {
  const { pack } = t();
  return (
    <div class="pack-measures">
      <TextField
        label={pack.weight}
        value={form.weight}
        onInput={set('weight')}
        inputMode="decimal"
        name="weight"
        autoFocus
        error={wrong(isPositive(form.weight)) ?? rejected}
      />
      <SelectField
        label={pack.unit}
        value={form.weightUnit}
        onInput={set('weightUnit')}
        options={unitsOf(weightUnitsFor(form.weightUnit))}
      />
      <TextField
        label={pack.material}
        value={form.material}
        onInput={set('material')}
        inputMode="decimal"
        name="material"
        error={wrong(numberOf(form.material) !== undefined) ?? wrong(!isMaterialTooHeavy(form), pack.materialTooHeavy)}
      />
    </div>
  );
}

function Sizes({ form, set, wrong }: MeasureProps) {
  const { pack } = t();
  return (
    <div class="pack-measures">
      {SIDES.map((side) => (
        <TextField
          label={pack[side]}
          value={form[side]}
          onInput={set(side)}
          inputMode="decimal"
          name={side}
          error={wrong(isPositive(form[side]))}
        />
      ))}
      <SelectField
        label={pack.unit}
        value={form.sizeUnit}
        onInput={set('sizeUnit')}
        options={unitsOf(choices.value?.sizeUnits)}
      />
    </div>
  );
}

/** Asks for the tracking number of a box that was closed without a tracking number. */
export function TrackingDialog({
  boxId,
  detail,
  onSave,
  onClose,
}: {
  boxId: string;
  detail: PackDetail;
  onSave: (trackingNumber: string) => Promise<void>;
  onClose: () => void;
}) {
  const { pack, actions } = t();
  const [text, setText] = useState('');
  const action = useAction(async (value: string) => onSave(value.trim()));
  const scanned = useTrackingScan(detail, '', (code) => {
    setText(code);
    return action.run(code);
  });
  return (
    <AskDialog
      title={`${pack.box(boxId)}: ${pack.tracking}`}
      onClose={onClose}
      act={actions.save}
      isBusy={action.isBusy}
      blocked={text.trim() === '' ? pack.scanTracking : undefined}
      onAct={() => void action.run(text)}
    >
      <ScanTarget label={pack.scanTracking} />
      <TextField
        label={pack.tracking}
        value={text}
        onInput={setText}
        maxLength={TRACKING_MAX}
        name="tracking"
        error={scanned.result?.error ?? action.of('trackingNumber')}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}
