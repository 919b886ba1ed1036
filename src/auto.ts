import { start } from './polyfill/start.js';

start();
