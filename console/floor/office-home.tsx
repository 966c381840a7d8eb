/** Home of users without work in a store: the next step of the setup, then all screens. */
import { href } from '../router.ts';
import { may } from '../session.ts';
import { loadTexts, shellTexts as t } from '../texts/index.ts';
import { lazy } from '../ui/lazy.tsx';
import { NavIcon, openScreens } from '../ui/menu.tsx';

const SetupList = lazy(async () => {
  const [{ SetupList: List }] = await Promise.all([import('../office/setup.tsx'), loadTexts('floor', 'office')]);
  return List;
});

export function OfficeHome() {
  return (
    <>
      {may('client', 'installation') && <SetupList />}
      <ScreenList />
    </>
  );
}

/** The screens that the user may open, as rows. */
function ScreenList() {
  return (
    <div class="list">
      {openScreens.value
        .filter((one) => one.nav !== undefined && one.pattern !== '/')
        .map((one) => (
          <a class="row" href={href(one.pattern)}>
            <NavIcon of={one} />
            {t().nav[one.nav!.name]}
          </a>
        ))}
    </div>
  );
}
