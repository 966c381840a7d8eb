/** Asks for a place: the user scans it, taps it in the list of places, or types it. */
import { MapPin } from 'lucide';
import { choices } from '../choices.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { OtherField } from '../ui/other-field.tsx';
import { PLACE_MAX } from './places.ts';

/** Number of places that are offered as buttons. Other places are scanned or typed. */
const OFFERED = 12;

export function PlacePicker({
  label,
  value,
  onInput,
  without,
}: {
  label: string;
  value: string;
  onInput: (place: string) => void;
  /** The present place of the goods, which is not offered. */
  without?: string;
}) {
  const { counter } = t();
  const known = choices.value?.holdLocations ?? [];
  const offered = known.filter((one) => one !== without).slice(0, OFFERED);
  const isOther = value !== '' && !offered.includes(value);
  return (
    <div class="stack tight">
      <fieldset class="stack tight">
        <legend class="strong">{label}</legend>
        <div class="place-picker">
          {offered.map((one) => (
            <button
              type="button"
              class="button"
              aria-pressed={one === value}
              onClick={() => onInput(one === value ? '' : one)}
            >
              <Icon of={MapPin} />
              <span class="big code">{one}</span>
            </button>
          ))}
        </div>
      </fieldset>
      <OtherField
        label={counter.otherPlace}
        value={value}
        listed={offered}
        maxLength={PLACE_MAX}
        onInput={onInput}
        name="place"
      />
      {isOther && known.length > 0 && !known.includes(value) && <Notice look="risk" title={t().pick.notKnown(value)} />}
    </div>
  );
}
