/** Wire shapes of the sandbox clock. */
import { dateTime, integer, named, object, type Static, Type, text } from '../../platform/schema.ts';

const { Optional } = Type;
const TEN_YEARS_S = 315_576_000;

export const ClockAdvance = named(
  'ClockAdvance',
  object({
    advanceBy: Optional(integer(1, TEN_YEARS_S, { description: 'Seconds to move on' })),
    advanceTo: Optional(dateTime({ description: 'Instant to move to, not before now' })),
    next: Optional(
      Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Move to the instant of the next due thing' }),
    ),
  }),
);
export type ClockAdvance = Static<typeof ClockAdvance>;

export const Clock = named(
  'Clock',
  object({
    now: dateTime({ description: 'The sandbox’s time' }),
    next: Optional(
      object(
        {
          at: dateTime({ description: 'When it becomes due' }),
          kind: text(1, 40, { description: 'What the scheduler does then' }),
          clientId: text(0, 32),
          id: text(0, 128, { description: 'Of the order, the ticket, ...' }),
        },
        { description: 'What becomes due next; left out where nothing does' },
      ),
    ),
  }),
);
export type Clock = Static<typeof Clock>;

export const sandboxSchemas = [ClockAdvance, Clock];
