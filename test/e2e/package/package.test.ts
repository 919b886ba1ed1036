// One file, so that the packages are packed only once.
import './contents.js';
import './side-effects.js';
import './installed.js';
import './node-versions.js';
