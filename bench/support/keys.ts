/**
 * The keys that a load requests. The same seed gives the same sequence, so both sides of a ratio get the same requests.
 */

export interface Keys {
  /** Number of items. The keys are the ids of items 0 to `count` - 1. */
  count: number;
  /** Exponent of the Zipf distribution; 0 is uniform. */
  skew: number;
  seed: number;
}

const SEQUENCE = 200_000;

/** Returns the id of the n-th item of the benches. */
export function itemKey(n: number): string {
  return `21-SKU${String(n).padStart(8, '0')}`;
}

/** Returns 200,000 item ids that are drawn from the distribution. */
export function keySequence({ count, skew, seed }: Keys): string[] {
  const random = generator(seed);
  if (skew === 0) return Array.from({ length: SEQUENCE }, () => itemKey(Math.floor(random() * count)));
  const pick = zipf(count, skew, random);
  // The shuffle spreads popular items over the table. Otherwise all popular items would be at the beginning of the
  // table.
  const place = shuffled(count, random);
  return Array.from({ length: SEQUENCE }, () => itemKey(place[pick()]!));
}

/** Returns a generator of random numbers from 0 to below 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function zipf(count: number, skew: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1) ** skew;
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function shuffled(count: number, random: () => number): Uint32Array {
  const places = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [places[last], places[other]] = [places[other]!, places[last]!];
  }
  return places;
}
