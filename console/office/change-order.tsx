/**
 * Changes an order after intake: several parts in one dialog, with one request. A part that cannot be changed now has a
 * sentence that says when it can.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { newId } from '../api.ts';
import { may } from '../session.ts';
import { deskTexts, o, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import {
  type Changeable,
  changedParts,
  changeOrder,
  FIELDS,
  hasOtherGifts,
  keyOf,
  mergedValues,
  PARTS,
  type Part,
  pointerOf,
  presentText,
  presentValues,
  problemsOf,
  shownFields,
  type Values,
} from './change-values.ts';
import type { Details } from './order-details.ts';
import type { Place } from './places.ts';

/**
 * Parts with contact data. Users without permission to see this data cannot change these parts: they would overwrite
 * the data with empty values.
 */
const CONTACT_PARTS: readonly Part[] = ['contact', 'proxy', 'shippingAddress'];

export function ChangeOrder({
  order: shown,
  node,
  onDone,
}: {
  order: Details;
  /** The node of the order; undefined if it is not known. */
  node: Place | undefined;
  onDone: () => void;
}) {
  const { changeOrder: texts } = deskTexts();
  // The page reads the order again while the dialog is open. The dialog compares with the order that the user saw.
  const [order, setOrder] = useState<Changeable>({ ...shown, timeZone: node?.timeZone });
  const isOpenTo = (part: Part) => may('contact') || !CONTACT_PARTS.includes(part);
  const rules = new Map(order.allowedChanges.map(({ change, allowed }) => [change, allowed]));
  const allowed = PARTS.filter((part) => rules.get(part) === true && isOpenTo(part));
  const blocked = PARTS.filter((part) => rules.get(part) === false || (rules.get(part) === true && !isOpenTo(part)));
  const [values, setValues] = useState<Values>(() => presentValues(order));
  const [removesPin, setRemovesPin] = useState(false);
  const [isOutdated, setOutdated] = useState(false);
  const [isTried, setTried] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<Part>>(new Set(allowed.slice(0, 1)));
  const [changeId] = useState(newId);
  const changed = changedParts(order, allowed, { values, removesPin });
  const problems = problemsOf(changed, values);
  const action = useAction(async () => {
    setTried(true);
    if (problems.size > 0) return;
    const present = await changeOrder(order, changed, { values, removesPin, changeId });
    if (present === undefined) {
      onDone();
      return;
    }
    setOutdated(true);
    setOrder(present);
    setValues(mergedValues(order, present, values));
  });
  const errorOf = (part: Part, field: string) =>
    (isTried ? problems.get(keyOf(part, field)) : undefined) ?? action.of(pointerOf(part, field));
  const hasError = (part: Part) => FIELDS[part].some((field) => errorOf(part, field) !== undefined);
  const toggle = (part: Part, isOpen: boolean) =>
    setOpened((before) => new Set(isOpen ? [...before, part] : [...before].filter((one) => one !== part)));
  return (
    <AskDialog
      isPanel
      title={texts.title(order.fulfillmentOrderId)}
      onClose={onDone}
      act={t().actions.save}
      isBusy={action.isBusy}
      blocked={changed.length === 0 ? texts.unchanged : undefined}
      onAct={() => void action.run()}
    >
      <p class="quiet small">{texts.hint}</p>
      {allowed.map((part) => (
        <OnePart
          key={part}
          part={part}
          order={order}
          isOpen={opened.has(part) || hasError(part)}
          onToggle={(isOpen) => toggle(part, isOpen)}
          isChanged={changed.includes(part)}
          values={values}
          onInput={(field, text) => setValues({ ...values, [keyOf(part, field)]: text })}
          errorOf={(field) => errorOf(part, field)}
        >
          {part === 'pickupDeadline' && node !== undefined && !isHere(node) && (
            <p class="quiet small">{texts.nodeTime(node.name)}</p>
          )}
          {part === 'giftMessage' && hasOtherGifts(order) && <p class="quiet small">{texts.otherGifts}</p>}
          {part === 'pin' && order.hasPin && (
            <Check label={texts.pinRemove} isChecked={removesPin} onChange={setRemovesPin} />
          )}
        </OnePart>
      ))}
      {isOutdated && <Notice look="risk" title={texts.changedSince} isAlert />}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      {blocked.length > 0 && <NotNow parts={blocked} isOpenTo={isOpenTo} />}
    </AskDialog>
  );
}

/** Shows when the parts that cannot be changed now can be changed. */
function NotNow({ parts, isOpenTo }: { parts: readonly Part[]; isOpenTo: (part: Part) => boolean }) {
  const { changeOrder: texts } = deskTexts();
  return (
    <Notice look="info" title={texts.notNow}>
      <ul class="stack tight small">
        {parts.map((part) => (
          <li>
            <span class="strong">{o().change.parts[part]}</span> {isOpenTo(part) ? texts.when[part] : texts.noContact}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Returns whether the browser is in the time zone of a node. */
function isHere({ timeZone }: Place): boolean {
  return timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone;
}

interface OnePartProps {
  part: Part;
  order: Changeable;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  isChanged: boolean;
  values: Values;
  onInput: (field: string, text: string) => void;
  errorOf: (field: string) => string | undefined;
  /** What the part has below its fields. */
  children: ComponentChildren;
}

function OnePart({ part, order, isOpen, onToggle, isChanged, values, onInput, errorOf, children }: OnePartProps) {
  const { changeOrder: texts } = deskTexts();
  return (
    <details class="change-part" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>
        <span class="strong">{o().change.parts[part]}</span> <span class="quiet small">{presentText(order, part)}</span>{' '}
        {isChanged && <State look="info">{texts.isChanged}</State>}
      </summary>
      <div class="stack">
        {shownFields(order, part, values).map((field) => (
          <TextField
            label={texts.fields[field as keyof typeof texts.fields]}
            hint={field === 'pin' ? texts.pinHint : undefined}
            value={values[keyOf(part, field)] ?? ''}
            onInput={(text) => onInput(field, text)}
            type={field === 'pickupDeadline' ? 'datetime-local' : 'text'}
            inputMode={field === 'pin' ? 'numeric' : undefined}
            maxLength={field === 'pin' ? 20 : undefined}
            isMultiline={field === 'note' || field === 'giftMessage'}
            error={errorOf(field)}
          />
        ))}
        {children}
        {part in texts.removes && <p class="quiet small">{texts.removes[part as 'proxy']}</p>}
      </div>
    </details>
  );
}
