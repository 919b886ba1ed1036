import { startAll } from './auto-start.js';
import { baseSettings } from './browser/base-settings.js';

if (typeof document !== 'undefined') startAll(baseSettings);
