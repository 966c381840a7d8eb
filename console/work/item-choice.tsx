/** The item of a scanned code. Several items can have one code, for example the same goods in two catalogs. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { feedback } from '../scan/feedback.ts';
import { lazy } from '../ui/lazy.tsx';
import type { FoundItem } from './item-choice-dialog.tsx';

const ChoiceDialog = lazy(async () => (await import('./item-choice-dialog.tsx')).ChoiceDialog);

interface Asked {
  items: readonly FoundItem[];
  decide: (item: FoundItem | undefined) => void;
}

/**
 * Returns `choose` and its `dialog`. `choose` resolves to one of the items of a code. It asks the user only if the code
 * has several items and the screen does not expect exactly one of them. It resolves to undefined if there is no item,
 * or if the user closes the dialog or leaves the screen.
 */
export function useItemChoice() {
  const [asked, setAsked] = useState<Asked | undefined>();
  const open = useRef<Asked | undefined>(undefined);
  const set = (next: Asked | undefined) => {
    open.current?.decide(undefined);
    open.current = next;
    setAsked(next);
  };
  // A screen that closes ends its open choice without an item, because later codes wait for the decision.
  useEffect(() => () => open.current?.decide(undefined), []);
  const choose = (items: readonly FoundItem[], expected: readonly string[] = []): Promise<FoundItem | undefined> => {
    const own = items.filter(({ itemId }) => expected.includes(itemId));
    if (own.length === 1) return Promise.resolve(own[0]);
    if (items.length < 2) return Promise.resolve(items[0]);
    feedback('wrong');
    return new Promise((decide) => set({ items, decide }));
  };
  const onChoose = (item: FoundItem | undefined) => {
    open.current?.decide(item);
    set(undefined);
  };
  return { choose, dialog: asked !== undefined && <ChoiceDialog items={asked.items} onChoose={onChoose} /> };
}
