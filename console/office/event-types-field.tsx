/**
 * The choice of event types of a webhook: all types, or groups and single types, with a search. A type that the service
 * does not know is marked and can be removed.
 */
import { ExternalLink, X } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { SERVICE } from '../api.ts';
import { language, o } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Check, Choices, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { State } from '../ui/notice.tsx';

interface EventTypesProps {
  /** Types and groups such as `order.*`; undefined: all types. */
  types: readonly string[] | undefined;
  onChange: (types: readonly string[] | undefined) => void;
  /** Errors of the service, by type. */
  errors: ReadonlyMap<string, string>;
}

type Known = Readonly<Record<string, string>>;

/**
 * Returns the types of the service, which load with the form. Their descriptions are English, so other languages show
 * only the types.
 */
function useTypes(): Known {
  const [known, setKnown] = useState<Known>({});
  useEffect(() => {
    import('./event-types.ts').then(
      ({ EVENT_TYPES }) => setKnown(EVENT_TYPES),
      // Without the list, the webhook can still get all events.
      () => undefined,
    );
  }, []);
  return language.value === 'en' ? known : Object.fromEntries(Object.keys(known).map((type) => [type, '']));
}

const groupOf = (type: string) => `${type.split('.')[0]}.*`;

export function EventTypesField({ types, onChange, errors }: EventTypesProps) {
  const { webhooks: texts } = o();
  const known = useTypes();
  return (
    <section class="stack tight" aria-label={texts.types}>
      <Choices
        label={texts.types}
        value={types === undefined ? 'ALL' : 'SOME'}
        onInput={(value) => onChange(value === 'ALL' ? undefined : (types ?? []))}
        options={[
          { value: 'ALL', label: texts.everyType },
          { value: 'SOME', label: texts.someTypes },
        ]}
      />
      <a class="button plain" href={`${SERVICE}/guide/docs/events.md#types`} target="_blank" rel="noopener">
        <Icon of={ExternalLink} /> {texts.typesPage}
      </a>
      {types !== undefined && <Some types={types} known={known} errors={errors} onChange={onChange} />}
    </section>
  );
}

interface SomeProps {
  types: readonly string[];
  known: Known;
  errors: ReadonlyMap<string, string>;
  onChange: (types: readonly string[]) => void;
}

function Some({ types, known, errors, onChange }: SomeProps) {
  const { webhooks: texts } = o();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const names = Object.keys(known);
  const groups = [...Map.groupBy(names, groupOf)];
  const isKnown = (type: string) => type in known || groups.some(([group]) => group === type);
  const wrong = types.filter((type) => errors.has(type) || (names.length > 0 && !isKnown(type)));
  const toggle = (type: string, isChecked: boolean) => {
    const group = groupOf(type);
    const isGroup = type === group;
    // A ticked group replaces its types. If the user removes one type of a ticked group, the other types of the group
    // remain.
    const others = !isChecked && !isGroup && types.includes(group) ? names.filter((one) => groupOf(one) === group) : [];
    const kept = types.filter((one) => one !== type && one !== group && !(isGroup && groupOf(one) === group));
    const rest = others.filter((one) => one !== type);
    onChange(isChecked ? [...kept, type] : [...kept, ...rest]);
  };
  const found = names.filter((name) => `${name} ${known[name]}`.toLowerCase().includes(wanted));
  const each = { types, known, errors, onToggle: toggle };
  return (
    <>
      {wrong.length > 0 && (
        <ul class="chips">
          {wrong.map((type) => (
            <li key={type} class="chip">
              <State look="wrong">
                <span class="code">{type}</span> {errors.get(type) ?? texts.unknownType}
              </State>
              <button type="button" aria-label={o().common.remove(type)} onClick={() => toggle(type, false)}>
                <Icon of={X} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TextField label={texts.findType} type="search" value={text} maxLength={60} onInput={setText} />
      {wanted === '' ? (
        groups.map(([group, own]) => <Group key={group} group={group} own={own} {...each} />)
      ) : found.length === 0 ? (
        <p class="quiet">{texts.noType(text.trim())}</p>
      ) : (
        found.map((type) => <One key={type} type={type} {...each} />)
      )}
    </>
  );
}

interface EachProps {
  types: readonly string[];
  known: Known;
  errors: ReadonlyMap<string, string>;
  onToggle: (type: string, isChecked: boolean) => void;
}

/** A group: one checkbox for all of its types, also future ones, and its types on demand. */
function Group({ group, own, ...each }: EachProps & { group: string; own: readonly string[] }) {
  const { webhooks: texts } = o();
  const { types, onToggle } = each;
  const single = own.filter((type) => types.includes(type)).length;
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="stack tight">
      <div class="event-group">
        <Check
          label={group}
          hint={single > 0 && !isOpen ? texts.chosenTypes(single) : texts.wholeGroup}
          isChecked={types.includes(group)}
          onChange={(isChecked) => onToggle(group, isChecked)}
        />
        <Button
          look="plain"
          label={`${group}: ${isOpen ? texts.hideTypes : texts.showTypes(own.length)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.hideTypes : texts.showTypes(own.length)}
        </Button>
      </div>
      {isOpen && own.map((type) => <One key={type} type={type} {...each} />)}
    </div>
  );
}

function One({ type, types, known, onToggle }: EachProps & { type: string }) {
  const isWhole = types.includes(groupOf(type));
  return (
    <Check
      label={type}
      hint={known[type] ?? ''}
      isChecked={isWhole || types.includes(type)}
      onChange={(isChecked) => onToggle(type, isChecked)}
    />
  );
}
