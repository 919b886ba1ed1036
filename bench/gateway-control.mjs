// Unrelated work in a separate process, to measure the effect of many processes on a machine. Fork it; it starts when it
// receives a number, and sends the processor time of one piece in milliseconds.
import { parse } from 'parse5';
import { largePage } from './gateway-pages.mjs';

const html = largePage('Booked for Guest');
const milliseconds = ({ user, system }) => (user + system) / 1000;

function work(pieces) {
  for (let piece = 0; piece < pieces; piece++) JSON.stringify(parse(html).childNodes.length);
}

process.on('message', (pieces) => {
  work(pieces);
  const before = process.cpuUsage();
  work(pieces);
  process.send(milliseconds(process.cpuUsage(before)) / pieces);
});
process.on('disconnect', () => process.exit());
process.send('ready');
