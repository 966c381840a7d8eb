/** Shows the client's settings in force, read-only: only the operator can change them. */
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { ownWord, reasonText } from '../choices.ts';
import { clientId, ownClient } from '../session.ts';
import { deskTexts, number, o, t } from '../texts/index.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from './page.tsx';
import { ownMinutes, type Settings, STEPS } from './settings-values.ts';

type Store = components['schemas']['Store'];
type Returns = NonNullable<Store['returns']>;
type OwnText = Parameters<typeof ownWord>[0];

export function SettingsShown() {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  const loaded = useLoad(`settings in force ${clientId.value}`, async (signal) => {
    const path = { clientId: ownClient() };
    const { readStores } = await import('../read-all.ts');
    const [settings, stores] = await Promise.all([
      send(api.GET('/operator/v1/clients/{clientId}/settings', { params: { path }, signal })),
      readStores(path.clientId, signal),
    ]);
    return { settings, stores };
  });
  return (
    <Page title={t().nav.settings}>
      <Notice look="info" title={own.readOnly} />
      <Show of={loaded}>
        {({ settings, stores }) => (
          <div class="settings-shown">
            <Times of={settings} />
            <AtTheCounter of={settings} stores={stores} />
            <Boxes of={settings} />
            <Targets of={settings} />
            <Words title={texts.reasons} of={(settings.cancelReasons ?? []).map(reasonText)} />
            {ofStores(own.returnReasons, settings, stores, ({ reasons }) => reasons).map(words)}
            {ofStores(own.conditions, settings, stores, ({ conditions }) => conditions).map(words)}
          </div>
        )}
      </Show>
    </Page>
  );
}

/**
 * Returns a setting of customer returns. The value of the client has the name `label`; the value of each web store has
 * a name that begins with `label`. A value is undefined if it is not set there.
 */
function ofStores<T>(
  label: string,
  { returns = {} }: Settings,
  stores: readonly Store[],
  value: (returns: Returns) => T,
): (readonly [string, T])[] {
  return [
    [label, value(returns)],
    ...stores.map((one) => [`${label} · ${one.name}`, value(one.returns ?? {})] as const),
  ];
}

function words([title, of]: readonly [string, readonly OwnText[] | undefined]) {
  return of && <Words title={title} of={of.map((one) => ownWord(one))} />;
}

/**
 * Returns a number of minutes as text: minutes if there are fewer than 90, otherwise whole days, or hours and minutes.
 */
function span(minutes: number): string {
  const { due } = t();
  if (minutes < 90) return due.minutes(minutes);
  return minutes % 1440 === 0 ? due.days(minutes / 1440) : due.hours(Math.floor(minutes / 60), minutes % 60);
}

function Times({ of }: { of: Settings }) {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  const rows = STEPS.flatMap((step) => {
    const minutes = of.slaMinutes?.[step];
    const name = texts.steps[step];
    return [
      [name, minutes === undefined ? undefined : span(minutes)] as const,
      ...ownMinutes(of, step).map((own) => [`${name} · ${t().types[own.type]}`, span(own.minutes)] as const),
    ];
  });
  return (
    <section class="card stack tight">
      <h2>{own.late}</h2>
      <p class="small quiet">{own.lateHint}</p>
      <Facts of={rows} />
    </section>
  );
}

function AtTheCounter({ of, stores }: { of: Settings; stores: readonly Store[] }) {
  const { pin, handOverProof = 'NONE' } = of;
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  return (
    <section class="card stack tight">
      <h2>{own.counter}</h2>
      <Facts
        of={[
          [own.pinRule, pin?.required === true ? own.yes : own.no],
          [texts.proof, texts.proofKinds[handOverProof]],
          ...ofStores(own.returnDays, of, stores, ({ windowDays }) => windowDays).map(
            ([name, days]) => [name, days === undefined ? undefined : t().due.days(days)] as const,
          ),
          ...ofStores(own.blind, of, stores, ({ blind }) => blind && own.blindKinds[blind]),
        ]}
      />
    </section>
  );
}

function Boxes({ of: { boxes = [] } }: { of: Settings }) {
  const { settings: texts } = o();
  return (
    <section class="card stack tight">
      <h2>{texts.boxes}</h2>
      {boxes.length === 0 ? (
        <p class="quiet">{texts.noBoxes}</p>
      ) : (
        <Facts
          of={boxes.map(({ name, length, width, height, sizeUnit, weight, weightUnit }) => [
            name,
            [
              `${[length, width, height].map(number).join(' × ')} ${sizeUnit}`,
              weight !== undefined && `${number(weight)} ${weightUnit}`,
            ]
              .filter(Boolean)
              .join(' · '),
          ])}
        />
      )}
    </section>
  );
}

function Targets({ of: { targets = {} } }: { of: Settings }) {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  const names = ['linesPerHour', 'shortPercent', 'late'] as const;
  const rows = names.flatMap((name) => {
    const target = targets[name];
    return target === undefined ? [] : [[texts.targetNames[name], number(target)] as const];
  });
  return (
    <section class="card stack tight">
      <h2>{texts.targets}</h2>
      {rows.length === 0 ? <p class="quiet">{own.noTargets}</p> : <Facts of={rows} />}
    </section>
  );
}

function Words({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <section class="card stack tight">
      <h2>{title}</h2>
      <ul>
        {of.map((one) => (
          <li>{one}</li>
        ))}
      </ul>
    </section>
  );
}
