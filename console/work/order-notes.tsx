/** The notes that support writes on orders, for the users who pick, pack and hand over. The latest note is first. */
import { MessageSquareText } from 'lucide';
import { dateTime, t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';

/** Number of notes that are shown at first. */
const SHOWN = 2;

interface Note {
  note: string;
  notedDate: string;
  /** The order of the note, if the screen has several orders. */
  of?: string | undefined;
}

/** Shows notes above the work. `isBrief`: each note takes one line until it is tapped. */
export function OrderNotes({ notes, isBrief = false }: { notes: readonly Note[]; isBrief?: boolean }) {
  const { counter, actions } = t();
  if (notes.length === 0) return null;
  const row = (one: Note) => (isBrief ? <Brief of={one} /> : <Full of={one} />);
  return (
    <section class="order-notes" aria-label={counter.notes}>
      {notes.slice(0, SHOWN).map(row)}
      {notes.length > SHOWN && (
        <details>
          <summary>{actions.more}</summary>
          <div class="stack tight">{notes.slice(SHOWN).map(row)}</div>
        </details>
      )}
    </section>
  );
}

function Full({ of: { note, notedDate, of } }: { of: Note }) {
  return (
    <div class="order-note">
      <Icon of={MessageSquareText} />
      <div>
        <p class="order-note-text strong">{note}</p>
        <p class="small quiet">{[of, dateTime(notedDate)].filter(Boolean).join(' · ')}</p>
      </div>
    </div>
  );
}

function Brief({ of: { note, notedDate, of } }: { of: Note }) {
  return (
    <details class="order-note-brief">
      <summary>
        <Icon of={MessageSquareText} />
        <span class="order-note-text strong">{note}</span>
      </summary>
      <p class="small quiet">{[of, dateTime(notedDate)].filter(Boolean).join(' · ')}</p>
    </details>
  );
}

/** Returns the notes of an order, the latest first. The service lists the oldest first. */
export function notesOf({ notes = [] }: { notes?: readonly Note[] | undefined }): readonly Note[] {
  return notes.toReversed();
}
