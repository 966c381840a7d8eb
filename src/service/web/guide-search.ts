/** Search of the guide: an index over the sections of its pages, built in memory at the first search. */
import { lru } from '../../platform/lru.ts';
import { Pace } from '../../platform/pace.ts';
import { anchorOf, escaped } from './html-page.ts';

/** A section that contains the words. */
interface Found {
  href: string;
  page: string;
  heading: string;
  /** HTML with the words marked. */
  excerpt: string;
}

export type GuideSearch = (query: string) => readonly Found[];

interface Section {
  id: string;
  page: string;
  heading: string;
  text: string;
}

/**
 * The cost of a word grows with its number of matches. A search therefore uses at most MOST_WORDS words, each with at
 * least LEAST_LETTERS letters. A word with at least LEAST_OF_PREFIX letters also matches as a prefix.
 */
const MOST_WORDS = 5;
const LEAST_LETTERS = 2;
const LEAST_OF_PREFIX = 3;

/** Number of searches whose results are cached. */
const KEPT = 200;

const MOST_FOUND = 20;
const EXCERPT = 220;

/** Indexes Markdown pages by their path in the package, with pauses for other requests. */
export async function openSearch(paths: readonly string[], read: (path: string) => string): Promise<GuideSearch> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text'],
    // A name such as pickTicketId is indexed as a whole and by its parts.
    processTerm: (term) => [term.toLowerCase(), ...partsOf(term)],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      // Decisions and the changelog come after the pages of the guide.
      boostDocument: (id) => (/decisions\/|CHANGELOG/.test(String(id)) ? 0.2 : 1),
      combineWith: 'AND',
      prefix: (term) => term.length >= LEAST_OF_PREFIX,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      processTerm: (term) => term.toLowerCase(),
    },
  });
  const pace = new Pace();
  for (const path of paths) {
    index.addAll(sectionsOf({ path, text: read(path) }));
    await pace.rest();
  }
  const tokenize = MiniSearch.getDefault('tokenize') as (text: string) => string[];
  const kept = lru<string, readonly Found[]>(KEPT);
  return (query) => {
    const asked = wordsOf(tokenize(query.toLowerCase())).join(' ');
    const known = kept.get(asked);
    if (known !== undefined) return known;
    const found = index
      .search(asked)
      .slice(0, MOST_FOUND)
      .map((hit) => ({
        href: `/guide/${String(hit.id)}`,
        page: String(hit['page']),
        heading: String(hit['heading']),
        excerpt: excerptOf(String(hit['text']), hit.terms),
      }));
    kept.set(asked, found);
    return found;
  };
}

/** Returns the words of a query that the search uses. */
function wordsOf(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word.length >= LEAST_LETTERS).slice(0, MOST_WORDS);
}

function partsOf(term: string): string[] {
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.length > 1 ? parts : [];
}

/** Splits a page at its headings. The text before the first heading belongs to the title of the page. */
function sectionsOf({ path, text }: { path: string; text: string }): Section[] {
  const withoutCode: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    // In a code block, # begins a shell comment, not a heading.
    withoutCode.push(isCode && line.startsWith('#') ? ` ${line}` : line);
  }
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const ids = new Set<string>();
  return withoutCode
    .join('\n')
    .split(/^(?=#{1,4} )/m)
    .flatMap((part) => {
      const [, heading] = /^#{1,4} (.+)$/m.exec(part) ?? [];
      const id = heading === undefined || heading === title ? path : `${path}#${anchorOf(heading)}`;
      if (ids.has(id)) return [];
      ids.add(id);
      return [
        { id, page: plain(title), heading: plain(heading ?? title), text: plain(part.replace(/^#{1,4} .+$/m, '')) },
      ];
    });
}

/** Returns a Markdown text without its markup. */
function plain(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^```.*$/gm, ' ')
    .replace(/\|?\s*:?-{3,}:?\s*\|/g, ' ')
    .replace(/[`*|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function excerptOf(text: string, terms: readonly string[]): string {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const at = Math.max(0, text.search(new RegExp(words, 'i')) - EXCERPT / 3);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const cut = text.slice(start, start + EXCERPT);
  const marked = escaped(cut).replace(new RegExp(`(?:${words})(?![^&]*;)`, 'gi'), (word) => `<mark>${word}</mark>`);
  return `${start > 0 ? '… ' : ''}${marked}${start + EXCERPT < text.length ? ' …' : ''}`;
}
