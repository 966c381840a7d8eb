/** Search of the guide: an index over the sections of its pages, made in memory when it is first asked for. */
import { anchorOf, escaped } from './html-page.ts';

/** A section that has the words, best first. */
interface Found {
  href: string;
  page: string;
  heading: string;
  /** HTML with the words marked. */
  excerpt: string;
}

export type GuideSearch = (query: string) => Found[];

interface Section {
  id: string;
  page: string;
  heading: string;
  text: string;
}

const MOST_FOUND = 20;
const EXCERPT = 220;

/** Indexes pages of Markdown by their path in the package. */
export async function openSearch(pages: readonly { path: string; text: string }[]): Promise<GuideSearch> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text'],
    // A name such as pickTicketId or WAITING_FOR_PICK is found by its whole and by its parts.
    processTerm: (term) => [term.toLowerCase(), ...partsOf(term)],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      // Pages of the guide before the reasons and the history of the project.
      boostDocument: (id) => (/decisions\/|CHANGELOG/.test(String(id)) ? 0.2 : 1),
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      processTerm: (term) => term.toLowerCase(),
    },
  });
  index.addAll(pages.flatMap(sectionsOf));
  return (query) =>
    index
      .search(query)
      .slice(0, MOST_FOUND)
      .map((hit) => ({
        href: `/guide/${String(hit.id)}`,
        page: String(hit['page']),
        heading: String(hit['heading']),
        excerpt: excerptOf(String(hit['text']), hit.terms),
      }));
}

function partsOf(term: string): string[] {
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.length > 1 ? parts : [];
}

/** A page cut at its headings; the text before the first heading belongs to the page's title. */
function sectionsOf({ path, text }: { path: string; text: string }): Section[] {
  const withoutCode: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    // A comment of a shell in a block is no heading.
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

/** Markdown as the words that a reader sees. */
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
