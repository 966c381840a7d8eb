/** Changes an order after intake. Each part shows whether it can be changed now; if not, the reason. */
import { useState } from 'preact/hooks';
import { call, newId } from '../api.ts';
import { session } from '../session.ts';
import { o, t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Why } from './why.tsx';

/** The fields of an order that the dialog needs. */
interface Changeable {
  storeId: string;
  fulfillmentOrderId: string;
  carrier: string;
  service: string;
  customer?: { name: string; email: string; phone: string };
  proxyDetails?: { name: string; email: string; phone: string };
  allowedChanges?: readonly { change: string; allowed: boolean; reason?: string }[];
}

const PARTS = [
  'note',
  'contact',
  'proxy',
  'pin',
  'shippingAddress',
  'carrier',
  'giftMessage',
  'pickupDeadline',
] as const;
type Part = (typeof PARTS)[number];

/** Fields of each part, by their names in the service. */
const FIELDS: Record<Part, readonly string[]> = {
  note: ['note'],
  contact: ['name', 'phone', 'email'],
  proxy: ['name', 'phone', 'email'],
  pin: ['pin'],
  shippingAddress: [
    'firstName',
    'lastName',
    'line1',
    'line2',
    'postalCode',
    'city',
    'mainDivisionCode',
    'countryCode',
    'phone',
  ],
  carrier: ['carrier', 'service'],
  giftMessage: ['giftMessage'],
  pickupDeadline: ['pickupDeadline'],
};

/** Minimum number of characters of a PIN. A shorter PIN could be guessed within the permitted tries. */
const PIN_MIN = 4;

export function ChangeOrder({ order, onDone }: { order: Changeable; onDone: () => void }) {
  const { change: texts } = o();
  const rules = order.allowedChanges ?? [];
  const allowed = PARTS.filter((part) => rules.some(({ change, allowed: is }) => change === part && is));
  const [part, setPart] = useState<Part | undefined>(allowed[0]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [changeId] = useState(newId);
  const blocked = rules.filter(({ change, allowed: is }) => !is && (PARTS as readonly string[]).includes(change));
  const value = (field: string) =>
    values[`${part}.${field}`] ?? (part === undefined ? '' : presentOf(order, part, field));
  const isShortPin = part === 'pin' && value('pin').trim() !== '' && value('pin').trim().length < PIN_MIN;
  const action = useAction(async () => {
    await call(
      'POST',
      `/operator/v1/stores/${encodeURIComponent(order.storeId)}/fulfillmentOrders/${encodeURIComponent(order.fulfillmentOrderId)}/change`,
      { body: { changeId, userId: session.value!.user.userId, ...bodyOf(part!, value) } },
    );
    onDone();
  });
  return (
    <AskDialog
      isPanel
      title={texts.title(order.fulfillmentOrderId)}
      onClose={onDone}
      act={t().actions.save}
      isBusy={action.isBusy}
      blocked={part === undefined ? texts.nothing : isShortPin ? texts.pinShort : undefined}
      onAct={() => void action.run()}
    >
      {part !== undefined && (
        <>
          <SelectField
            label={texts.part}
            value={part}
            onInput={(next) => {
              action.clear();
              setPart(next as Part);
            }}
            options={allowed.map((one) => ({ value: one, label: texts.parts[one] }))}
          />
          <Fields
            part={part}
            value={value}
            onInput={(field, text) => setValues({ ...values, [`${part}.${field}`]: text })}
            errorOf={action.of}
          />
        </>
      )}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      {blocked.length > 0 && (
        <Notice look="info" title={texts.notNow}>
          <ul class="stack tight small">
            {blocked.map(({ change, reason }) => (
              <li>
                <span class="strong">{texts.parts[change as Part]}</span>
                <Why>{reason}</Why>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </AskDialog>
  );
}

function Fields({
  part,
  value,
  onInput,
  errorOf,
}: {
  part: Part;
  value: (field: string) => string;
  onInput: (field: string, text: string) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const { change: texts } = o();
  return (
    <>
      {FIELDS[part].map((field) => (
        <TextField
          label={texts.fields[field as keyof typeof texts.fields]}
          value={value(field)}
          onInput={(text) => onInput(field, text)}
          type={field === 'pickupDeadline' ? 'datetime-local' : 'text'}
          isMultiline={field === 'note' || field === 'giftMessage'}
          error={errorOf(field)}
        />
      ))}
      {(part === 'proxy' || part === 'pin' || part === 'giftMessage' || part === 'pickupDeadline') && (
        <p class="quiet small">{texts.emptyRemoves}</p>
      )}
    </>
  );
}

/** Returns the present value of a field if the order has it. */
function presentOf(order: Changeable, part: Part, field: string): string {
  if (part === 'contact') return order.customer?.[field as 'name'] ?? '';
  if (part === 'proxy') return order.proxyDetails?.[field as 'name'] ?? '';
  if (part === 'carrier') return order[field as 'carrier'];
  return '';
}

/** Returns the body of the request. If a field is empty and its value can be removed, the request removes it. */
function bodyOf(part: Part, value: (field: string) => string): Record<string, unknown> {
  const text = (field: string) => value(field).trim();
  const set = (fields: readonly string[]) =>
    Object.fromEntries(fields.filter((field) => text(field) !== '').map((field) => [field, text(field)]));
  switch (part) {
    case 'contact':
      return { contact: { name: text('name'), phone: text('phone'), email: text('email') } };
    case 'proxy':
      return {
        proxy: text('name') === '' ? null : { name: text('name'), phone: text('phone'), email: text('email') },
      };
    case 'shippingAddress':
      return {
        shippingAddress: {
          personName: set(['firstName', 'lastName']),
          address: set(['line1', 'line2', 'postalCode', 'city', 'mainDivisionCode', 'countryCode']),
          ...set(['phone']),
        },
      };
    case 'carrier':
      return set(['carrier', 'service']);
    case 'note':
      return { note: text('note') };
    case 'pickupDeadline':
      return {
        pickupDeadline: text('pickupDeadline') === '' ? null : new Date(text('pickupDeadline')).toISOString(),
      };
    case 'pin':
    case 'giftMessage':
      return { [part]: text(part) === '' ? null : text(part) };
  }
}
