/** Request and response schemas of the sandbox clock. */
import { dateTime, integer, named, object, type Static, Type, text } from '../../platform/schema.ts';

const { Optional } = Type;
const TEN_YEARS_S = 315_576_000;

export const ClockAdvance = named(
  'ClockAdvance',
  object({
    advanceBy: Optional(integer(1, TEN_YEARS_S, { description: 'Seconds to move forward' })),
    advanceTo: Optional(dateTime({ description: 'Instant to move to, not before now' })),
    next: Optional(
      Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Move to the instant of the next due work' }),
    ),
  }),
);
export type ClockAdvance = Static<typeof ClockAdvance>;

export const Clock = named(
  'Clock',
  object({
    now: dateTime({ description: 'Time of the sandbox' }),
    next: Optional(
      object(
        {
          at: dateTime({ description: 'Time at which the work becomes due' }),
          kind: text(1, 40, { description: 'Kind of the work' }),
          clientId: text(0, 32),
          id: text(0, 128, { description: 'Id of the resource that becomes due, for example an order or a ticket' }),
        },
        { description: 'The next due work. Absent if no work is due later' },
      ),
    ),
  }),
);
export type Clock = Static<typeof Clock>;

export const sandboxSchemas = [ClockAdvance, Clock];
