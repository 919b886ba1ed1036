// One file, because the packages are packed once for all of it.
import './contents.js';
import './side-effects.js';
import './installed.js';
import './node-versions.js';
