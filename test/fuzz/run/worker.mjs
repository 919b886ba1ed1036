// Worker threads of Node.js 20 do not inherit a loader for TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
