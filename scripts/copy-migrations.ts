// The compiler leaves SQL behind; the built package needs it beside the compiled code.
import { cpSync } from 'node:fs';

cpSync('src/storage/migrations', 'dist/storage/migrations', { recursive: true });
