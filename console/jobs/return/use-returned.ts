/** An announced return on the screen: kept on this device, reloaded while it is open, received through the outbox. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newId } from '../../api.ts';
import type { ReturnSubject } from '../../offline/commands.ts';
import { bookedIn, type Came, type ReturnedReceipt } from '../../offline/returned.ts';
import { addReceipt, keepReturn, viewOfReturn } from '../../offline/returns.ts';
import { feedback } from '../../scan/feedback.ts';
import { place, whenBack } from '../../session.ts';
import { t, takeBackTexts } from '../../texts/index.ts';
import { explain } from '../../ui/notice.tsx';
import type { useSaid } from '../../work/said.tsx';

/** Interval for reading a return again, because other users may receive it too. */
const EVERY_MS = 15_000;

/** Returns the identity of an announced return of this node in the outbox. */
export function subjectOf(storeId: string, number: string): ReturnSubject {
  const { clientId, nodeId } = place.peek()!;
  return { kind: 'return', clientId, nodeId, storeId, id: number };
}

/** Loads a return and keeps the screen up to date. */
export function useReturned(storeId: string, number: string) {
  const subject = useMemo(() => subjectOf(storeId, number), [storeId, number]);
  const [error, setError] = useState<unknown>(undefined);
  const isReading = useRef(false);
  const reload = async () => {
    isReading.current = true;
    try {
      await keepReturn(subject);
      setError(undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      isReading.current = false;
    }
  };
  useEffect(() => {
    void reload();
    // During a read, no tab sends commands. So the interval starts no further read while one is running.
    return whenBack((isTick) => {
      if (!isTick || !isReading.current) void reload();
    }, EVERY_MS);
  }, [subject]);
  const view = viewOfReturn(subject);
  const rejected = useRef(view?.conflicts.length ?? 0);
  useEffect(() => {
    const now = view?.conflicts.length ?? 0;
    if (now > rejected.current) {
      feedback('wrong');
      // Reads the return again, because another user may have counted the units.
      void reload();
    }
    rejected.current = now;
  }, [view?.conflicts.length]);
  return { subject, view, error, reload, fresh: () => viewOfReturn(subject) };
}

export type Returning = ReturnType<typeof useReturned>;

/** Manages the receipts of a return. The device stores a receipt before the beep. */
export function useReceipts({ subject, fresh }: Returning, said: ReturnType<typeof useSaid>) {
  const texts = takeBackTexts();
  const lastId = useRef('');
  const keep = async (work: () => Promise<unknown>) => {
    try {
      await work();
      return true;
    } catch (error) {
      said.wrong(explain(error, t().pick.noStorage).what);
      return false;
    }
  };
  const takeBack = (part: string, undoes: string, of: Came[], isKnown: boolean) =>
    keep(() => {
      const { returnId } = fresh()!.returned;
      const own = { ...subject, part };
      return addReceipt({ kind: 'unreceiveReturn', subject: own, returnId, at: Date.now(), undoes, of, isKnown });
    });
  return {
    lastId,
    /** Counts one unit. `isOver`: the user confirmed that the unit arrived although it was not announced. */
    add: async (came: Came, words: string, isOver: boolean) => {
      const part = newId();
      let id = '';
      const isKept = await keep(async () => {
        const { returnId } = fresh()!.returned;
        const over = isOver && { over: true };
        const own = { ...subject, part };
        id = await addReceipt({
          kind: 'receiveReturn',
          subject: own,
          returnId,
          at: Date.now(),
          lines: [came],
          ...over,
        });
      });
      if (!isKept) return;
      lastId.current = id;
      let isUndoing = false;
      const undo = async () => {
        // The button stays until the device has stored the undo, so a double tap is one undo.
        if (isUndoing) return;
        isUndoing = true;
        const receipt = fresh()?.returned.receipts.find(({ receiptId }) => receiptId === id);
        const of = receipt === undefined ? [came] : bookedIn(receipt);
        if (await takeBack(part, id, of, receipt !== undefined))
          said.say({ look: 'info', title: texts.undone }, 'right');
        else isUndoing = false;
      };
      const isLast = fresh()?.returned.totals.open === 0;
      const more = { undo: () => void undo() };
      said.say({ look: 'right', title: words, ...more }, isLast ? 'done' : 'right');
    },
    /** Undoes units of a receipt that the service has. */
    correct: async (receipt: ReturnedReceipt, came: Came) => {
      if (await takeBack(newId(), receipt.receiptId, [came], true)) {
        said.say({ look: 'info', title: texts.undone }, 'right');
      }
    },
  };
}
