/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { deletePerson } from './delete-person.ts';
import { createDeviceCode, enrollDevice } from './enroll.ts';
import { endUserSessions, giveBadge, givePin } from './givers.ts';
import { listSignInProviders } from './list-providers.ts';
import { lockSession } from './lock.ts';
import { listDevices, revokeDevice, unlockDevice } from './manage-devices.ts';
import { changePassword, changePin, changePreferences } from './own.ts';
import { deletePasskey, listPasskeys } from './passkeys/own.ts';
import { addPasskey, registerPasskey } from './passkeys/register.ts';
import { passkeySchemas } from './passkeys/schema.ts';
import { challengePasskey, signInWithPasskey } from './passkeys/sign-in.ts';
import { getPerson, listPeople } from './person.ts';
import { putPerson } from './put-person.ts';
import { readSession } from './read-session.ts';
import { peopleSchemas } from './schema.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { unlockSession } from './unlock.ts';

export const peopleSlice: Slice = {
  schemas: [...peopleSchemas, ...passkeySchemas],
  operations: {
    Sessions: [
      signIn,
      readSession,
      signOut,
      listSignInProviders,
      challengePasskey,
      signInWithPasskey,
      registerPasskey,
      addPasskey,
      listPasskeys,
      deletePasskey,
      lockSession,
      unlockSession,
      changePassword,
      changePin,
      changePreferences,
      enrollDevice,
    ],
    'Credentials and users': [
      givePin,
      giveBadge,
      endUserSessions,
      createDeviceCode,
      listDevices,
      revokeDevice,
      unlockDevice,
      putPerson,
      getPerson,
      listPeople,
      deletePerson,
    ],
  },
};
