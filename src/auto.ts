import { connect } from './polyfill/exposure.js';
import { start } from './polyfill/start.js';

start({ connect });
