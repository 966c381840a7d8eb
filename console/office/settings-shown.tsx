/** Shows the client's settings in force, read-only: only the operator can change them. */
import { api, send } from '../api.ts';
import { ownWord, reasonText } from '../choices.ts';
import { clientId, ownClient } from '../session.ts';
import { deskTexts, number, o, t } from '../texts/index.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from './page.tsx';
import { type Settings, STEPS } from './settings-values.ts';

export function SettingsShown() {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  const loaded = useLoad(`settings in force ${clientId.value}`, (signal) =>
    send(api.GET('/operator/v1/clients/{clientId}/settings', { params: { path: { clientId: ownClient() } }, signal })),
  );
  return (
    <Page title={t().nav.settings}>
      <Notice look="info" title={own.readOnly} />
      <Show of={loaded}>
        {(settings) => (
          <div class="settings-shown">
            <Times of={settings} />
            <AtTheCounter of={settings} />
            <Boxes of={settings} />
            <Targets of={settings} />
            <Words title={texts.reasons} of={(settings.cancelReasons ?? []).map(reasonText)} />
            <Words title={own.returnReasons} of={(settings.returns?.reasons ?? []).map((one) => ownWord(one))} />
            <Words title={own.conditions} of={(settings.returns?.conditions ?? []).map((one) => ownWord(one))} />
          </div>
        )}
      </Show>
    </Page>
  );
}

/**
 * Returns a number of minutes as text: minutes if there are fewer than 90, otherwise whole days, or hours and minutes.
 */
function span(minutes: number): string {
  const { due } = t();
  if (minutes < 90) return due.minutes(minutes);
  return minutes % 1440 === 0 ? due.days(minutes / 1440) : due.hours(Math.floor(minutes / 60), minutes % 60);
}

function Times({ of: { slaMinutes = {} } }: { of: Settings }) {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  const rows = STEPS.flatMap((step) => {
    const minutes = slaMinutes[step];
    return minutes === undefined ? [] : [[texts.steps[step], span(minutes)] as const];
  });
  return (
    <section class="card stack tight">
      <h2>{own.late}</h2>
      <p class="small quiet">{own.lateHint}</p>
      <Facts of={rows} />
    </section>
  );
}

function AtTheCounter({ of: { pin, handOverProof = 'NONE', returns } }: { of: Settings }) {
  const { settings: texts } = o();
  const { settingsShown: own } = deskTexts();
  return (
    <section class="card stack tight">
      <h2>{own.counter}</h2>
      <Facts
        of={[
          [own.pinRule, pin?.required === true ? own.yes : own.no],
          [texts.proof, texts.proofKinds[handOverProof]],
          [own.returnDays, returns?.windowDays === undefined ? undefined : t().due.days(returns.windowDays)],
          [own.blind, returns?.blind && own.blindKinds[returns.blind]],
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
