/**
 * The place of goods, by scan, tap or text: it accepts a place, rejects another known code, and asks the user about an
 * unknown text.
 */
import { useRef, useState } from 'preact/hooks';
import { contentOf } from '../scan/codes.ts';
import { feedback } from '../scan/feedback.ts';
import { ScanTarget } from '../scan/target.tsx';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type JobCodes, placeVerdict } from './place-verdict.ts';
import { useScan } from './use-scan.ts';

/**
 * Returns `isPlace` and `question`. If the text is a place, `isPlace` runs `use` and resolves to true. For another
 * known code, it shows why the code is no place. For an unknown text, the screen shows `question`, and `use` runs if
 * the user insists.
 */
export function usePlace(wrong: (title: string, detail: string) => void) {
  const [asked, setAsked] = useState<{ text: string; use: (place: string) => unknown } | undefined>();
  /** The text that the user has confirmed as a place. */
  const insisted = useRef<string | undefined>(undefined);
  const isPlace = async (
    text: string,
    { codes = {}, isAsking = true, use }: { codes?: JobCodes; isAsking?: boolean; use: (place: string) => unknown },
  ): Promise<boolean> => {
    const place = contentOf(text);
    const verdict =
      place === insisted.current ? { kind: 'place' as const, place } : await placeVerdict(text, codes, isAsking);
    if (verdict.kind === 'place') {
      await use(verdict.place);
      return true;
    }
    if (verdict.kind === 'unknown') {
      feedback('wrong');
      setAsked({ text: place, use });
    } else wrong(t().pick.noPlaces[verdict.kind], text);
    return false;
  };
  const question = asked !== undefined && (
    <AskPlace
      place={asked.text}
      onUse={() => {
        insisted.current = asked.text;
        setAsked(undefined);
        void asked.use(asked.text);
      }}
      onClose={() => setAsked(undefined)}
    />
  );
  return { isPlace, question };
}

/**
 * Asks whether to use a text that is not a known place. A code that is scanned while the dialog is open is handled as
 * the next place.
 */
function AskPlace({ place, onUse, onClose }: { place: string; onUse: () => void; onClose: () => void }) {
  const { pick, actions } = t();
  useScan(({ command }) => {
    if (command === 'OK') {
      onUse();
      return undefined;
    }
    onClose();
    return command === undefined ? false : undefined;
  });
  return (
    <Dialog
      title={pick.askPlace(place)}
      onClose={onClose}
      actions={
        <>
          <Button look="main" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button onClick={onUse}>{pick.usePlace}</Button>
        </>
      }
    >
      <p>{pick.askPlaceHint}</p>
      <ScanTarget label={pick.scanPlace} hasCamera={false} />
    </Dialog>
  );
}
