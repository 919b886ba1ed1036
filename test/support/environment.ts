import { statSync } from 'node:fs';

// The runner sets these for itself. Vite, Express and others behave differently with them.
for (const name of ['NODE_ENV', 'TEST', 'VITEST', 'VITEST_MODE']) Reflect.deleteProperty(process.env, name);

// Node.js 20 imports packages without resolving their links if the last file whose type it read is a socket or a pipe, such as
// one that the tests before in this process have removed. Vite 6 would then use another version of esbuild.
statSync(import.meta.dirname);
