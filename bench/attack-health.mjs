// Requests /healthz of a gateway and of an idle server every 50 ms in a separate thread, until the parent sends a
// message, and reports the slowest responses. The responses of the idle server show the delay by the load of the
// machine.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

function watch(url) {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Set();
  const outcome = { failed: 0, slowest: 0 };
  const finish = (began, isOk) => {
    if (!waiting.delete(began)) return;
    if (!isOk) outcome.failed++;
    outcome.slowest = Math.max(outcome.slowest, performance.now() - began);
  };
  const ask = () => {
    const began = performance.now();
    waiting.add(began);
    get(new URL('healthz', url), { agent }, (response) => {
      response.resume();
      response.on('end', () => finish(began, response.statusCode === 200));
    }).on('error', () => finish(began, false));
  };
  const end = () => {
    for (const began of [...waiting]) finish(began, true);
    return outcome;
  };
  return { ask, end };
}

const [gateway, idle] = [watch(workerData.url), watch(workerData.idleUrl)];
const askBoth = () => [gateway, idle].forEach(({ ask }) => ask());
const timer = setInterval(askBoth, 50);
askBoth();
parentPort.once('message', () => {
  clearInterval(timer);
  parentPort.postMessage({ ...gateway.end(), idleSlowest: idle.end().slowest });
  process.exit();
});
