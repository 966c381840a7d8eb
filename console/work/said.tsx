/** The result of the last scan or tap: a sound immediately, and a message in the band above the buttons. */
import { useRef, useState } from 'preact/hooks';
import { type Feedback, feedback } from '../scan/feedback.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Band, type Look } from '../ui/notice.tsx';
import { whole } from '../ui/whole.tsx';

export interface Said {
  look: Look;
  title: string;
  detail?: string | undefined;
  /** The tote for the scanned unit. The user must put the unit into it before the next scan. */
  tote?: string | undefined;
  /** Undoes the scan or tap. */
  undo?: (() => void) | undefined;
  /** The key for the undo. */
  undoKey?: string | undefined;
}

/** Shows the result of a scan or tap, with its sound. */
export function useSaid(first?: Said) {
  const [said, setSaid] = useState(first);
  const latest = useRef(said);
  const say = (next: Said | undefined, sound?: Feedback) => {
    if (sound !== undefined) feedback(sound);
    latest.current = next;
    setSaid(next);
  };
  return {
    said,
    latest,
    say,
    right: (title: string, more: Partial<Said> = {}) => say({ look: 'right', title, ...more }, 'right'),
    wrong: (title: string, detail?: string) => say({ look: 'wrong', title, detail }, 'wrong'),
  };
}

export function SaidBand({ said }: { said: Said | undefined }) {
  if (said === undefined) return null;
  const { look, title, detail, tote, undo, undoKey } = said;
  return (
    <div class="work-said">
      <Band
        look={look}
        action={
          undo !== undefined && (
            <Button shortcut={undoKey} onClick={undo}>
              {t().actions.undo}
            </Button>
          )
        }
      >
        {tote !== undefined && <span class="work-tote">{tote}</span>}
        {whole(title)}
        {detail !== undefined && <span class="work-detail">{whole(detail)}</span>}
      </Band>
    </div>
  );
}
