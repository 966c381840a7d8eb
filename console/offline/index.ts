/**
 * The outbox and the snapshots of this console. All work without the network uses this module:
 * - `await outbox.add(command)` stores and shows a command; the outbox sends it later. The caller beeps after it
 *   resolves.
 * - `outbox.snapshot.ticket(subject)`, in a component or `computed`, is the ticket with all waiting commands applied.
 */
import { effect } from '@preact/signals';
import { call, SERVICE } from '../api.ts';
import { online } from '../preferences.ts';
import { isLocked, session, sessionRefused } from '../session.ts';
import { language } from '../texts/index.ts';
import { createOutbox } from './outbox.ts';
import { EVERY_MS } from './sender.ts';

export const outbox = createOutbox({
  service: SERVICE,
  language: () => language.peek(),
  onReach: (isReached) => {
    online.value = isReached;
  },
  onSignedOut: sessionRefused,
});

// Asks the service at an interval while it cannot be reached, because a screen may make no request of its own. `call`
// sets `online`.
setInterval(() => {
  if (!online.peek()) call('GET', '/livez').catch(() => undefined);
}, EVERY_MS);

// Waiting commands are sent in the name of the user who gave them, even after another user has signed in. `invalid` is
// the outbox ticket of a user who must choose a PIN. Until then the ticket is not valid, and it must not replace a
// valid one.
let invalid: { userId: string | undefined; ticket: string | undefined } | undefined;
effect(() => {
  const who = session.value;
  if (who === undefined) return;
  const { clientId, userId, name } = who?.user ?? {};
  const ticket = who?.outboxTicket ?? (invalid?.userId === userId ? invalid?.ticket : undefined);
  invalid = who?.mustChangePin === true ? { userId, ticket } : undefined;
  const owner =
    userId === undefined ? undefined : { userId, name: name ?? userId, ...(clientId !== undefined && { clientId }) };
  void outbox.as(owner, invalid === undefined ? ticket : undefined).catch(() => undefined);
});

// While the device is locked, the disk keeps only the snapshots that unsent commands need.
let wasLocked = false;
effect(() => {
  const is = isLocked.value;
  if (is !== wasLocked) void outbox.lock(is).catch(() => undefined);
  wasLocked = is;
});
