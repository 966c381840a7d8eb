/** Operations and named schemas of the event feed. */
import type { Slice } from '../shared/slice.ts';
import { listEvents } from './feed.ts';
import { EventPage, FeedEvent } from './schema.ts';

export const eventsSlice: Slice = {
  schemas: [FeedEvent, EventPage],
  operations: {
    Events: [listEvents],
  },
};
