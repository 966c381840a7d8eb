/** The lines of a count. */
import { href } from '../../router.ts';
import { leadTexts, number, t, word } from '../../texts/index.ts';
import { LinkButton } from '../../ui/button.tsx';
import { State } from '../../ui/notice.tsx';
import { nameOf } from '../receive/receiving.ts';
import type { StockCount } from './stock-data.ts';

/**
 * Shows the counted units of each line and the difference. With `isAgain`, a waiting line has a link to another count
 * of its item.
 */
export function CountLines({ of, isAgain = false }: { of: StockCount; isAgain?: boolean }) {
  const { stock } = t();
  return (
    <ul class="list">
      {of.lines.map((line) => (
        <li class="row plan-line" key={`${line.itemId} ${line.place}`}>
          <span class="grow stack tight">
            <span class="strong">{nameOf(line)}</span>
            <span class="inline">
              <span class="small quiet">{word(stock.places, line.place)}</span>
              {line.newerCountId !== undefined ? (
                <State look="risk">{stock.countOlder}</State>
              ) : line.difference === 0 ? (
                <State look="right">{stock.countAgrees}</State>
              ) : (
                <State look="risk">{stock.countDiffers(line.difference)}</State>
              )}
              {line.state === 'WAITING' && <State look="info">{stock.countWaiting}</State>}
            </span>
          </span>
          <span class="big">{number(line.counted)}</span>
          {isAgain && line.state === 'WAITING' && (
            <LinkButton to={href('/stock/count', { itemId: line.itemId, place: line.place })}>
              {leadTexts().plans.recount}
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}
