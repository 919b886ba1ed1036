import { apply } from '../../../src/polyfill/index.js';

apply();
