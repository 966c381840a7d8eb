/** Home of users without work in a store: the next step of the setup, then all screens. */
import { SetupList } from '../office/setup.tsx';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { t } from '../texts/index.ts';
import { NavIcon, openScreens } from '../ui/menu.tsx';

export default function OfficeHome() {
  return (
    <>
      {may('client', 'installation') && <SetupList />}
      <ScreenList />
    </>
  );
}

/** The screens that the user can open, as rows. */
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
