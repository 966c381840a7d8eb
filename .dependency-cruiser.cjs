/**
 * The rules for imports between folders (docs/architecture.md, docs/decisions/206). The layers of src/, from the top:
 * service, the slices of the business, kernel, events with shared and sla, platform. No file imports from a higher
 * layer, imports never form a circle, and a slice imports only the `PUBLISHED` files of other slices. The rules apply
 * to types too. The folders test, proof, bench and scripts import from town/ and src/, but not from each other, except
 * in `TESTS_OF_PLAYERS`.
 */
const SLICES = [
  'access',
  'alerts',
  'checkin',
  'contact',
  'handover',
  'items',
  'orders',
  'packing',
  'people',
  'picking',
  'provisioning',
  'receiving',
  'returns',
  'sourcing',
  'stock',
  'webhooks',
  'work',
];
/** Files of a slice that other slices can import. */
const PUBLISHED = [
  '^src/items/(access|candidates|find|schema|store|sub-types|rules|terms)\\.ts$',
  '^src/access/schema\\.ts$',
];

/** Folders with programs that test, measure and build the service. They are not part of the product. */
const PLAYERS = '^(test|proof|bench|scripts)/';
/** These tests import from proof/, bench/ or scripts/ the code that they test. */
const TESTS_OF_PLAYERS = [
  '^test/(proof|bench)/',
  '^test/console/support/releases\\.ts$',
  '^test/contract/openapi\\.test\\.ts$',
  '^test/(deploy|release)\\.test\\.ts$',
  '^test/docs/(citations|links)\\.test\\.ts$',
  '^test/import/real-data\\.test\\.ts$',
  '^test/storage/migrate\\.test\\.ts$',
];

const room = (...names) => `^src/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'If two files import each other, join them, or move the shared code to a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'players-share-the-town',
      comment:
        'Put code that two of test, proof, bench and scripts need into town/. Only tests of a campaign or command import its code.',
      severity: 'error',
      from: { path: PLAYERS, pathNot: TESTS_OF_PLAYERS },
      to: { path: PLAYERS, pathNot: '^$1/' },
    },
    {
      name: 'town-knows-no-player',
      comment: 'test, proof, bench and scripts import from town/, but town/ does not import from them.',
      severity: 'error',
      from: { path: '^town/' },
      to: { path: [PLAYERS, '^console/'] },
    },
    {
      name: 'the-product-knows-no-player',
      comment: 'Users get only src/ and console/, so their code cannot need the other folders.',
      severity: 'error',
      from: { path: '^(src|console)/' },
      to: { path: [PLAYERS, '^town/'] },
    },
    {
      name: 'no-screen-knows-the-screens',
      comment:
        'Only the frame imports the table of screens. Types of a screen are in console/ui/route.ts, paths in console/help/screens.ts.',
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/shell\\.tsx$' },
      to: { path: '^console/routes\\.ts$' },
    },
    {
      name: 'caches-grow',
      comment: 'Make caches with lru(): with a `max` of its own the library allocates room for all entries at once.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/lru\\.ts$' },
      to: { path: 'node_modules/lru-cache/' },
    },
    {
      name: 'no-slice-to-slice',
      comment: 'A slice imports only what another publishes. Put what several slices need into kernel/ or shared/.',
      severity: 'error',
      from: { path: `^src/(${SLICES.join('|')})/` },
      to: { path: room(...SLICES), pathNot: ['^src/$1/', ...PUBLISHED] },
    },
    {
      name: 'slices-know-no-service',
      comment: 'The service imports the slices; no other folder of src/ imports from the service.',
      severity: 'error',
      from: { path: room(...SLICES, 'kernel', 'events', 'shared', 'sla', 'platform') },
      to: { path: '^src/(service/|main\\.ts)' },
    },
    {
      name: 'kernel-knows-no-slice',
      comment: 'Operations import the kernel, which has the rules of each action; the kernel does not import slices.',
      severity: 'error',
      from: { path: room('kernel', 'events', 'shared', 'sla') },
      to: { path: room(...SLICES) },
    },
    {
      name: 'events-and-shared-know-no-kernel',
      comment: 'The kernel uses the types of events/, shared/ and sla/; they do not import the kernel.',
      severity: 'error',
      from: { path: room('events', 'shared', 'sla') },
      to: { path: room('kernel') },
    },
    {
      name: 'shared-knows-no-sla',
      comment: 'shared/ has only data, such as settings. sla/ computes due times from this data.',
      severity: 'error',
      from: { path: room('shared') },
      to: { path: room('sla', 'events') },
    },
    {
      name: 'platform-knows-no-business',
      comment: 'The platform has nothing of this business, so another service could use it too.',
      severity: 'error',
      from: { path: room('platform') },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'x12-is-syntax',
      comment:
        'Pure functions over bytes, without database, HTTP, clock and partners. Only pace.ts is imported, for long work.',
      severity: 'error',
      from: { path: '^src/platform/x12/' },
      to: { path: '^src/(?!platform/(x12/|pace\\.ts))' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
