/** The console compares the reasons of a client with its table of default reasons to find changed descriptions. */
import { expect, it } from 'vitest';
import { DEFAULT_MEANINGS } from '../../console/default-reasons.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';

it('has the reasons of the service with their descriptions', () => {
  const ofService = DEFAULT_SETTINGS.cancelReasons.map(({ code, description }) => [code, description]);
  expect(Object.entries(DEFAULT_MEANINGS)).toEqual(ofService);
});
