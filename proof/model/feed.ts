/**
 * Reads the feed of a world's client page by page, as a consumer does. Records gaps, the last state of each order,
 * ticket and request, and the items on hold.
 */
import type { Ask } from '../../town/call.ts';
import { faultOfEvent } from './contract.ts';

export interface FeedEvent {
  eventId: string;
  position: number;
  type: string;
  resourceType: string;
  resourceId: string;
  sequence: number;
  data: Record<string, unknown>;
}

interface Page {
  events: FeedEvent[];
  nextAfter: number;
  head: number;
}

const PAGE = 7;

export class Feed {
  readonly #call: Ask;
  readonly #faults: string[];
  #after = 0;
  readonly #sequences = new Map<string, number>();
  /** Descriptions of events whose position or sequence number does not follow the previous one. */
  readonly gaps: string[] = [];
  readonly orders = new Map<string, number>();
  readonly tickets = new Map<string, { state: string; user: string }>();
  readonly requests = new Map<string, string>();
  readonly holds = new Set<string>();
  readonly all: FeedEvent[] = [];

  /** `faults` collects errors in the data of events. */
  constructor(call: Ask, faults: string[]) {
    this.#call = call;
    this.#faults = faults;
  }

  /** Reads the events since the last call. */
  async read(): Promise<FeedEvent[]> {
    const all: FeedEvent[] = [];
    for (;;) {
      const answer = await this.#call('GET', `/operator/v1/events?after=${this.#after}&limit=${PAGE}`);
      const { events, nextAfter, head } = answer.body as Page;
      for (const event of events) this.#take(event);
      all.push(...events);
      if (nextAfter !== this.#after) this.gaps.push(`nextAfter is ${nextAfter} behind ${this.#after}`);
      if (this.#after === head || events.length === 0) return all;
    }
  }

  #take(event: FeedEvent): void {
    const { position, type, resourceType, resourceId, sequence } = event;
    const resource = `${resourceType} ${resourceId}`;
    const before = this.#sequences.get(resource) ?? 0;
    if (position !== this.#after + 1) this.gaps.push(`${type} has position ${position} behind ${this.#after}`);
    if (sequence !== before + 1) this.gaps.push(`${type} of ${resource} has sequence ${sequence} behind ${before}`);
    const fault = faultOfEvent(event);
    if (fault !== undefined) this.#faults.push(fault);
    this.#after = position;
    this.all.push(event);
    this.#sequences.set(resource, sequence);
    if (resourceType === 'order') this.#takeOrder(event);
    if (resourceType === 'pickTicket') this.#takeTicket(event);
    if (type === 'resource.requested') this.requests.set(resourceId, 'OPEN');
    if (type === 'resource.answered') {
      this.requests.set(resourceId, event.data['outcome'] === 'RESOURCE' ? 'RESOURCED' : 'CANCELED');
    }
    if (type === 'nodeItem.held') this.holds.add(resourceId);
    if (type === 'nodeItem.released') this.holds.delete(resourceId);
  }

  #takeOrder({ resourceId, data }: FeedEvent): void {
    if ('status' in data) this.orders.set(resourceId, Number(data['status']));
  }

  #takeTicket({ type, resourceId, data }: FeedEvent): void {
    const before = this.tickets.get(resourceId) ?? { state: 'NEW', user: '' };
    const user = data['userId'] as string;
    const after: Record<string, Partial<typeof before>> = {
      'pickTicket.generated': { state: 'NEW', user },
      'pickTicket.reverseGenerated': {},
      'pickTicket.opened': { state: 'IN_PROGRESS', user },
      'pickTicket.progressSaved': { state: 'IN_PROGRESS', user },
      'pickTicket.takenOver': { user },
      'pickTicket.confirmed': { state: 'CONFIRMED' },
      'pickTicket.reverseConfirmed': { state: 'CONFIRMED' },
      'pickTicket.reset': { state: 'RESET' },
      'pickTicket.givenBack': { state: 'NEW', user: '' },
    };
    this.tickets.set(resourceId, { ...before, ...after[type] });
  }
}
