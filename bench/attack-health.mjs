// Asks /healthz every 50 ms in a thread of its own, until the parent ends it, and reports the slowest answer.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true });
const waiting = new Set();
const outcome = { asked: 0, failed: 0, slowest: 0 };

function finish(began, isOk) {
  if (!waiting.delete(began)) return;
  if (!isOk) outcome.failed++;
  outcome.slowest = Math.max(outcome.slowest, performance.now() - began);
}

function ask() {
  const began = performance.now();
  waiting.add(began);
  outcome.asked++;
  get(new URL('healthz', workerData.url), { agent }, (response) => {
    response.resume();
    response.on('end', () => finish(began, response.statusCode === 200));
  }).on('error', () => finish(began, false));
}

const timer = setInterval(ask, 50);
ask();
parentPort.once('message', () => {
  clearInterval(timer);
  for (const began of waiting) finish(began, true);
  parentPort.postMessage(outcome);
  process.exit();
});
