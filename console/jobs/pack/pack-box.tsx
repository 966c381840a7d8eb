/** Weight, size and tracking number of a box that is closed. Units and size of the last box are offered again. */
import { useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { choices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useScan } from '../../work/use-scan.ts';

type PackageChange = components['schemas']['PackageChange'];

/** What a recorded box needs besides its units. */
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
}

function firstForm(): Form {
  const { weightUnits = [], sizeUnits = [] } = choices.peek() ?? {};
  const text = localStorage.getItem(KEY);
  const last = text === null ? {} : (JSON.parse(text) as Partial<Form>);
  const unit = (known: readonly string[], before: string | undefined) =>
    before !== undefined && known.includes(before) ? before : (known[0] ?? '');
  return {
    weight: '',
    material: last.material ?? '0',
    weightUnit: unit(weightUnits, last.weightUnit),
    length: last.length ?? '',
    width: last.width ?? '',
    height: last.height ?? '',
    sizeUnit: unit(sizeUnits, last.sizeUnit),
  };
}

/** A number as people type it, with a point or a comma; undefined where it is none. */
function typedNumber(text: string): number | undefined {
  const wanted = text.trim().replace(',', '.');
  return /^\d{1,9}(\.\d{1,4})?$/.test(wanted) ? Number(wanted) : undefined;
}

function isPositive(text: string): boolean {
  return (typedNumber(text) ?? 0) > 0;
}

export function BoxDialog({
  boxId,
  asksTracking,
  onSave,
  onClose,
}: {
  boxId: string;
  asksTracking: boolean;
  onSave: (measures: BoxMeasures) => Promise<void>;
  onClose: () => void;
}) {
  const { pack, actions, counter } = t();
  const [form, setForm] = useState(firstForm);
  const [tracking, setTracking] = useState('');
  const [isTried, setTried] = useState(false);
  useScan(({ text, command }) => {
    if (command !== undefined || !asksTracking) return false;
    setTracking(text.slice(0, TRACKING_MAX));
    return undefined;
  });
  const set = (name: keyof Form) => (value: string) => setForm({ ...form, [name]: value });
  const wrong = (isGood: boolean) => (isTried && !isGood ? pack.needNumber : undefined);
  const isGood =
    isPositive(form.weight) &&
    typedNumber(form.material) !== undefined &&
    SIDES.every((side) => isPositive(form[side]));
  const action = useAction(async () => {
    setTried(true);
    if (!isGood) return;
    const weight = (text: string) => ({ unit: form.weightUnit, value: typedNumber(text)! });
    const size = (text: string) => ({ unit: form.sizeUnit, value: typedNumber(text)! });
    const { weight: _, ...kept } = form;
    localStorage.setItem(KEY, JSON.stringify(kept));
    await onSave({
      boxWeight: weight(form.weight),
      packingMaterialWeight: weight(form.material),
      length: size(form.length),
      width: size(form.width),
      height: size(form.height),
      ...(tracking.trim() !== '' && { trackingNumber: tracking.trim() }),
    });
  });
  const { weightUnits = [] } = choices.value ?? {};
  const options = (all: readonly string[]) => all.map((value) => ({ value, label: value }));
  const submit = useRef<HTMLFormElement>(null);
  return (
    <Dialog
      title={pack.closeTitle(boxId)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button
            look="main"
            isBusy={action.isBusy}
            blocked={online.value ? undefined : counter.needsNetwork}
            onClick={() => submit.current?.requestSubmit()}
          >
            {pack.save}
          </Button>
        </>
      }
    >
      <form
        ref={submit}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <div class="pack-measures">
          <TextField
            label={pack.weight}
            value={form.weight}
            onInput={set('weight')}
            inputMode="decimal"
            name="weight"
            autoFocus
            error={wrong(isPositive(form.weight)) ?? action.of('boxWeight/value')}
          />
          <SelectField
            label={pack.unit}
            value={form.weightUnit}
            onInput={set('weightUnit')}
            options={options(weightUnits)}
          />
          <TextField
            label={pack.material}
            value={form.material}
            onInput={set('material')}
            inputMode="decimal"
            name="material"
            error={wrong(typedNumber(form.material) !== undefined)}
          />
        </div>
        <Sizes form={form} set={set} wrong={wrong} />
        {asksTracking && (
          <TextField
            label={pack.tracking}
            hint={pack.trackingHint}
            value={tracking}
            onInput={setTracking}
            maxLength={TRACKING_MAX}
            name="tracking"
          />
        )}
        {action.error !== undefined && <ErrorNotice error={action.error} />}
        {/* Enter in a field needs a button of the form itself. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface SizesProps {
  form: Form;
  set: (name: keyof Form) => (value: string) => void;
  wrong: (isGood: boolean) => string | undefined;
}

function Sizes({ form, set, wrong }: SizesProps) {
  const { pack } = t();
  const units = choices.value?.sizeUnits ?? [];
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
        options={units.map((value) => ({ value, label: value }))}
      />
    </div>
  );
}

/** The carrier's number of a box that was closed without it. */
export function TrackingDialog({
  boxId,
  onSave,
  onClose,
}: {
  boxId: string;
  onSave: (trackingNumber: string) => Promise<void>;
  onClose: () => void;
}) {
  const { pack, actions } = t();
  const [text, setText] = useState('');
  const action = useAction(async (value: string) => onSave(value.trim()));
  useScan(({ text: code, command }) => {
    if (command !== undefined) return false;
    setText(code.slice(0, TRACKING_MAX));
    return action.run(code.slice(0, TRACKING_MAX));
  });
  return (
    <Dialog
      title={`${pack.box(boxId)}: ${pack.tracking}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button
            look="main"
            isBusy={action.isBusy}
            blocked={text.trim() === '' ? pack.scanTracking : undefined}
            onClick={() => void action.run(text)}
          >
            {actions.save}
          </Button>
        </>
      }
    >
      <ScanTarget label={pack.scanTracking} />
      <TextField
        label={pack.tracking}
        value={text}
        onInput={setText}
        maxLength={TRACKING_MAX}
        name="tracking"
        error={action.of('trackingNumber')}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </Dialog>
  );
}
