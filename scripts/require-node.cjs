// Ends a program on a Node.js that is too old, with one sentence; package.json names the oldest minor version.
// Old syntax on purpose: this file must run on every Node.
var fs = require('fs');
var path = require('path');

var folder = path.dirname(__dirname);
var oldest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).engines.node.replace('>=', '');
var needed = oldest.split('.').map(Number);
var found = process.versions.node.split('.').map(Number);
var how = fs.existsSync(path.join(folder, 'src'))
  ? ' In a checkout, run "npm ci" once and start with "npm run": npm then uses the Node.js that package.json pins.'
  : '';

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error('backroom: Node.js ' + oldest + ' or newer is needed; this is ' + process.versions.node + '.' + how);
  process.exit(1);
}
