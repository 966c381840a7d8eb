/** One line of a job: picture, description, quantity, special notes and actions of the item. */
import { Flame } from 'lucide';
import type { ComponentChildren } from 'preact';
import { t } from '../texts/index.ts';
import { State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';

interface Instruction {
  type?: string | undefined;
  text: string;
}

/** Notes of the service on a line: data that does not come from the item. */
interface LineNotes {
  instructions?: readonly Instruction[] | undefined;
  components?: readonly { itemDesc: string; quantity: number }[] | undefined;
  hazmat?: string | undefined;
}

interface WorkLineProps extends LineNotes {
  /** The kind of job, which determines the widths. */
  look: 'hand' | 'check-in' | 'receive';
  name: string;
  code: ComponentChildren;
  picture: string | undefined;
  count: ComponentChildren;
  countLabel: string;
  /** States below the name. */
  states?: ComponentChildren;
  buttons?: ComponentChildren;
  /** True if the line has no open units. */
  isNone?: boolean;
  isDone?: boolean;
}

export function WorkLine(props: WorkLineProps) {
  const { look, name, code, picture, count, countLabel, states, buttons, isNone = false, isDone = false } = props;
  return (
    <li class={`row work-line ${look}-line`} data-none={isNone ? '' : undefined} data-done={isDone ? '' : undefined}>
      <Picture url={picture} label={name} isSmall />
      <span class="grow stack tight">
        <span>
          <span class="strong">{name}</span> <span class="small quiet code">{code}</span>
        </span>
        {states}
        <Notes {...props} />
      </span>
      <span class={`big work-count ${look}-count`} role="img" aria-label={countLabel}>
        {count}
      </span>
      {buttons !== undefined && <span class="work-buttons">{buttons}</span>}
    </li>
  );
}

function Notes({ instructions, components, hazmat }: LineNotes) {
  const { counter, pack } = t();
  return (
    <>
      {hazmat !== undefined && (
        <State look="risk" icon={Flame}>
          {pack.hazmat(hazmat)}
        </State>
      )}
      {instructions?.map(({ type, text }) => (
        <span class="hand-note">
          <span class="strong">{type === 'GIFT_MESSAGE' ? counter.giftMessage : counter.instructions}:</span> {text}
        </span>
      ))}
      {components !== undefined && (
        <span class="small quiet">
          {counter.components}: {components.map(({ itemDesc, quantity }) => `${quantity} × ${itemDesc}`).join(', ')}
        </span>
      )}
    </>
  );
}
