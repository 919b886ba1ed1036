// The site of bench/attacks.mjs, in a separate process that sends its port to the parent.
import { createServer } from 'node:http';
import { answerWithCookies, hostileAnswer, hostileAnswers, hostilePage, hostilePages } from './attack-pages.mjs';

const html = { 'content-type': 'text/html; charset=utf-8' };
const prepared = new Map([
  ...Object.keys(hostilePages).map((name) => [`GET /${name}.html`, hostilePage(name)]),
  ...Object.keys(hostileAnswers).map((name) => [`POST /${name}`, hostileAnswer(name)]),
]);

const special = {
  '/cookies'(response) {
    const cookies = Array.from({ length: 40 }, (_, index) => `c${index}=${crypto.randomUUID().repeat(6)}`);
    response.writeHead(200, { ...html, 'set-cookie': cookies }).end(answerWithCookies);
  },
  '/json': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(2_400_000) + ']'.repeat(2_400_000)),
  '/redirects': (response) => response.writeHead(303, { location: `/redirects?${crypto.randomUUID()}` }).end(),
};

const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  request.resume();
  const [path] = request.url.split('?');
  const text = prepared.get(`${request.method} ${path}`);
  if (text !== undefined) response.writeHead(200, html).end(text);
  else if (special[path]) special[path](response);
  else response.writeHead(200, html).end('<main>Thank you</main>');
});

process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
