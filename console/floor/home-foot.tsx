/** The foot of work home: what the user has done today, and the sign-out. */
import SignOutButton from '../offline/sign-out.tsx';
import { number, percent, shellTexts as t } from '../texts/index.ts';
import type { Work } from '../work/node-work.ts';

export default function HomeFoot({ linesPerHour, unitsPicked, unitsShort }: Work['today']) {
  const { home } = t();
  const units = unitsPicked + unitsShort;
  return (
    <>
      {units > 0 && (
        <p class="inline dotted quiet">
          <span>{home.picked(number(unitsPicked))}</span>
          {linesPerHour !== undefined && <span>{home.linesPerHour(Math.round(linesPerHour))}</span>}
          <span>{home.short(percent(unitsShort / units))}</span>
        </p>
      )}
      <SignOutButton />
    </>
  );
}
