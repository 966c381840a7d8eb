/** The settings of the client: the form for the operator, and a list to read for other users. */
import { may } from '../session.ts';
import { lazy } from '../ui/lazy.tsx';

// A user sees either the form or the list, so each loads on demand.
const SettingsForm = lazy(async () => (await import('./settings-form.tsx')).SettingsForm);
const SettingsShown = lazy(async () => (await import('./settings-shown.tsx')).SettingsShown);

export default function Settings() {
  return may('installation') ? <SettingsForm /> : <SettingsShown />;
}
