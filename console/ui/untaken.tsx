/**
 * Shows in a dialog the code that neither the dialog nor its screen has handled. A tone alone does not tell the user
 * that the code had no effect.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { feedback } from '../scan/feedback.ts';
import { untaken } from '../scan/queue.ts';
import { t } from '../texts/index.ts';
import { Notice } from './notice.tsx';

export function Untaken() {
  const { counter } = t();
  const box = useRef<HTMLDivElement>(null);
  const scan = untaken.value!;
  useLayoutEffect(() => {
    feedback('wrong');
    box.current!.scrollIntoView({ block: 'nearest' });
  }, [scan]);
  return (
    <div ref={box}>
      <Notice look="wrong" title={counter.untaken(scan.text)}>
        <p>{counter.untakenHint}</p>
      </Notice>
    </div>
  );
}
