/**
 * Assigns work to a user. Lists the users of the node who can pick, each with the tickets and units that the user has
 * now.
 */
import { User } from 'lucide';
import { api, send } from '../api.ts';
import { place } from '../session.ts';
import { leadTexts, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Work that can be given to a user. */
export interface Gift {
  /** Name of the work: the name of a customer, or the number of a ticket. */
  what: string;
  /** The user who has the work now. The list leaves this user out. */
  without?: string | undefined;
  give: (userId: string) => Promise<unknown>;
}

export function GiveTo({
  what,
  without,
  give,
  onDone,
}: Gift & {
  /**
   * Closes the dialog. `name` is the name of the user who got the work; it is undefined if the user canceled the
   * dialog.
   */
  onDone: (name?: string) => void;
}) {
  const { roles, units } = t();
  const { exceptions } = leadTexts();
  const loaded = useLoad(`people ${place.value!.nodeId}`, (signal) =>
    send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/people', { params: { path: place.value! }, signal })),
  );
  const action = useAction(async (userId: string, name: string) => {
    await give(userId);
    onDone(name);
  });
  return (
    <Dialog
      title={exceptions.giveTitle(what)}
      onClose={() => onDone()}
      actions={<Button onClick={() => onDone()}>{t().actions.cancel}</Button>}
    >
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <Show of={loaded}>
        {({ people }) => {
          const others = people.filter(({ userId, canPick }) => canPick && userId !== without);
          if (others.length === 0) return <Empty title={exceptions.noPeople}>{exceptions.noPeopleHint}</Empty>;
          return (
            <div class="list">
              {others.map(({ userId, name, role, tickets, units: has }) => (
                <button
                  type="button"
                  class="row"
                  aria-busy={action.isBusy ? 'true' : undefined}
                  onClick={() => void action.run(userId, name)}
                >
                  <Icon of={User} />
                  <span class="grow">
                    <span class="strong">{name}</span>
                    <br />
                    <span class="quiet small">{word(roles, role)}</span>
                  </span>
                  <span class="small">
                    {tickets === 0 ? exceptions.isFree : `${units.tickets(tickets)} · ${units.units(has)}`}
                  </span>
                </button>
              ))}
            </div>
          );
        }}
      </Show>
    </Dialog>
  );
}
