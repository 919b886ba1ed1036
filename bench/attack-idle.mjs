// An idle server. Its response times show the delay by the load of the machine.
import { createServer } from 'node:http';

const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => response.end('ok'));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
