/** People: their accounts, devices, sessions and ways to sign in. */

export interface UserRow {
  client_id: string;
  user_id: string;
  name: string;
  password_hash: string;
  role: string;
  node_ids: string;
  created_at: number;
  updated_at: number;
  state: 'ACTIVE' | 'DISABLED';
  language: string | null;
  pin_hash: string | null;
  /** Not null: a one-time PIN, good until then. */
  pin_once_until: number | null;
  badge_hash: string | null;
}

/** A person of the operator; `client_id` is ''. */
export interface PersonRow {
  client_id: string;
  user_id: string;
  name: string;
  password_hash: string;
  state: 'ACTIVE' | 'DISABLED';
  language: string | null;
  created_at: number;
  updated_at: number;
}

interface SessionRow {
  /** '': a person of the operator. */
  client_id: string;
  token_hash: string;
  session_id: string;
  user_id: string;
  method: string;
  device_id: string | null;
  created_at: number;
  /** When the whole secret was last given (password, OIDC, passkey); null: never in this session. */
  full_at: number | null;
  seen_at: number;
  ends_at: number;
  locked_at: number | null;
  must_change_pin: number;
  provider_id: string | null;
  provider_subject: string | null;
  provider_session: string | null;
}

export interface DeviceRow {
  client_id: string;
  device_id: string;
  node_id: string;
  name: string;
  token_hash: string;
  created_at: number;
  created_by: string;
  seen_at: number;
  revoked_at: number | null;
  /** JSON list of instants. */
  wrong_pins: string;
  locked_at: number | null;
}

interface DeviceCodeRow {
  client_id: string;
  code_hash: string;
  node_id: string;
  created_by: string;
  expires_at: number;
}

export interface SignInAttemptRow {
  client_id: string;
  kind: 'PIN' | 'PASSWORD';
  subject: string;
  attempts: number;
  locks: number;
  locked_until: number | null;
  updated_at: number;
}

interface OutboxTicketRow {
  client_id: string;
  ticket_hash: string;
  user_id: string;
  device_id: string;
  session_id: string;
  expires_at: number;
}

/** A provider of a client that says who somebody is (OpenID Connect). */
export interface IdentityProviderRow {
  client_id: string;
  provider_id: string;
  name: string;
  issuer: string;
  oidc_client_id: string;
  /** Sealed. */
  client_secret: string;
  scopes: string;
  role_claim: string | null;
  /** Claim value -> role, as JSON; the first that matches counts. */
  roles: string;
  create_users: number;
  node_ids: string;
  created_at: number;
  updated_at: number;
}

interface UserIdentityRow {
  client_id: string;
  provider_id: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** A passkey of a person; `client_id` '' is a person of the operator. */
export interface PasskeyRow {
  client_id: string;
  passkey_id: string;
  user_id: string;
  name: string;
  /** As its browser names it, base64url; so is the key. */
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  used_at: number | null;
}

/** A redirect or challenge that has come back: it counts once. */
interface SpentRoundTripRow {
  client_id: string;
  trip_id: string;
  expires_at: number;
}

/** A town of a training; `client_id` is that of the town. */
export interface TrainingRow {
  client_id: string;
  of_client_id: string;
  user_id: string;
  /** Session that waits until the training ends. */
  of_token_hash: string;
  slot: number;
  started_at: number;
  ends_at: number;
}

export interface PeopleTables {
  users: UserRow;
  people: PersonRow;
  sessions: SessionRow;
  devices: DeviceRow;
  device_codes: DeviceCodeRow;
  sign_in_attempts: SignInAttemptRow;
  outbox_tickets: OutboxTicketRow;
  identity_providers: IdentityProviderRow;
  user_identities: UserIdentityRow;
  passkeys: PasskeyRow;
  spent_round_trips: SpentRoundTripRow;
  trainings: TrainingRow;
}
