/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { readClientSettings } from './client-in-force.ts';
import { createCredential } from './create-credential.ts';
import { deleteIdentityProvider } from './delete-identity-provider.ts';
import { getClient } from './get-client.ts';
import { getCredential } from './get-credential.ts';
import { getNodeItem } from './get-node-item.ts';
import { getUser } from './get-user.ts';
import { getIdentityProvider, listIdentityProviders } from './identity-provider.ts';
import { listClients } from './list-clients.ts';
import { listCredentials } from './list-credentials.ts';
import { listUsers } from './list-users.ts';
import { readMe } from './me.ts';
import { getNode, listNodes } from './node.ts';
import { getPrinters, printerSchemas, putPrinters } from './printers.ts';
import { putClient } from './put-client.ts';
import { putIdentityProvider } from './put-identity-provider.ts';
import { putNode } from './put-node.ts';
import { putNodeItem } from './put-node-item.ts';
import { putNodeItems } from './put-node-items.ts';
import { putStore } from './put-store.ts';
import { putUser } from './put-user.ts';
import { revokeCredential } from './revoke-credential.ts';
import { provisioningSchemas } from './schema.ts';
import { getStore, listStores } from './store.ts';
import { readWorkSettings } from './work-settings.ts';

export const provisioningSlice: Slice = {
  schemas: [...provisioningSchemas, ...printerSchemas],
  operations: {
    'Clients, stores and nodes': [
      putClient,
      getClient,
      readClientSettings,
      listClients,
      putStore,
      getStore,
      listStores,
      putNode,
      getNode,
      listNodes,
      readWorkSettings,
      putPrinters,
      getPrinters,
    ],
    'Node items': [putNodeItem, putNodeItems, getNodeItem],
    'Credentials and users': [
      readMe,
      createCredential,
      getCredential,
      listCredentials,
      revokeCredential,
      putUser,
      getUser,
      listUsers,
      putIdentityProvider,
      getIdentityProvider,
      listIdentityProviders,
      deleteIdentityProvider,
    ],
  },
};
