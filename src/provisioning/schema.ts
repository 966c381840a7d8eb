import { Client, ClientPut } from './client.ts';
import { box, ClientSettings } from './client-settings.ts';
import { Credential, CredentialPost, NewCredential } from './credential.ts';
import { IdentityProvider, IdentityProviderPut } from './identity-provider.ts';
import { Node, NodeAddress, NodePut } from './node.ts';
import { NodeItem, NodeItemPut, NodeItemsPut, NodeItemsSet } from './node-item.ts';
import { Store, StorePut } from './store.ts';
import { User, UserPut } from './user.ts';
import { WorkSettings } from './work-settings.ts';

/** Named schemas of provisioning, for the OpenAPI document. */
export const provisioningSchemas = [
  box,
  ClientSettings,
  ClientPut,
  Client,
  StorePut,
  Store,
  NodeAddress,
  NodePut,
  Node,
  WorkSettings,
  NodeItemPut,
  NodeItem,
  NodeItemsPut,
  NodeItemsSet,
  CredentialPost,
  NewCredential,
  Credential,
  UserPut,
  User,
  IdentityProviderPut,
  IdentityProvider,
];
