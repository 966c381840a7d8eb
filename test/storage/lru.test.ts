import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { lru } from '../../src/platform/lru.ts';

it('a cache evicts only when it is full', () => {
  const cache = lru<string, number>(10_000);
  const room = () => LRUCache.unsafeExposeInternals(cache).keyList.length;
  expect(room()).toBe(0);
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);
  expect(room()).toBeLessThan(10);
});

it('a full cache evicts the entry that was used longest ago', () => {
  const cache = lru<string, number>(2);
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
});

it('a cache of weighed entries holds as much as its bound, and no entry that is larger', () => {
  const cache = lru<string, string>(5, { weigh: (text) => text.length });
  cache.set('a', 'xxx').set('b', 'xxx').set('c', 'x'.repeat(6));
  expect([...cache.keys()]).toEqual(['b']);
});
