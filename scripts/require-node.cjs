// Old syntax on purpose: this file must run, and explain itself, on any Node.
var major = parseInt(process.versions.node.split('.')[0], 10);
if (major < 24) {
  console.error(
    'Backroom needs Node.js 24 or newer; this is ' +
      process.version +
      '.\n' +
      'Run it through npm ("npm run ...", which uses the Node pinned in package.json) after "npm ci",\n' +
      'or install Node.js 24 or newer.',
  );
  process.exit(1);
}
