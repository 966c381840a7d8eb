/** The users of a demo: a tap signs in. Only a demo has them, and only for a browser on the same machine. */
import { User } from 'lucide';
import { ApiError, SERVICE } from '../api.ts';
import { sendSession } from '../send-session.ts';
import { type Session, signedIn } from '../session.ts';
import { shellTexts as t, word } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

interface TryPerson {
  role: string;
  clientId?: string;
  userId: string;
  name: string;
  password: string;
}

/** Returns whether this page is the page of a demo. */
export function isDemo(): boolean {
  return document.querySelector('meta[name="backroom-demo"]') !== null;
}

async function findPeople(signal: AbortSignal): Promise<readonly TryPerson[]> {
  const response = await fetch(`${SERVICE}/console/demo-people`, { signal });
  if (!response.ok) throw new ApiError(response.status, {});
  return ((await response.json()) as { people: TryPerson[] }).people;
}

export function TryPeople() {
  const { signIn, roles } = t();
  const loaded = useLoad('demo people', findPeople);
  const enter = useAction(async ({ clientId, userId, password }: TryPerson) => {
    signedIn(await sendSession<Session>('POST', '', { ...(clientId !== undefined && { clientId }), userId, password }));
  });
  const people = loaded.data.value ?? [];
  if (people.length === 0) return null;
  return (
    <section class="stack tight" aria-label={signIn.tryDemo}>
      <h2>{signIn.tryDemo}</h2>
      <p class="quiet">{signIn.tryDemoHint}</p>
      <div class="list">
        {people.map((person) => (
          <button
            type="button"
            class="row"
            key={person.userId}
            aria-busy={enter.isBusy ? 'true' : undefined}
            onClick={() => void enter.run(person)}
          >
            <Icon of={User} />
            <span class="grow">
              <span class="strong">{word(roles, person.role)}</span>
              <br />
              <span class="quiet small">{signIn.tryAs[person.role] ?? person.name}</span>
            </span>
            <span class="small">{person.name}</span>
          </button>
        ))}
      </div>
      {enter.error !== undefined && <ErrorNotice error={enter.error} />}
    </section>
  );
}
