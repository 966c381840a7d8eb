#!/usr/bin/env node
// The command of the package. An older Node cannot even read the program, so the check comes first, in syntax that
// every Node reads.
require('../scripts/require-node.cjs');
import('../dist/main.js');
