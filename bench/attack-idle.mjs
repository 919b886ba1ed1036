// An idle server, whose response times show the share of the machine's load in those of a gateway.
import { createServer } from 'node:http';

const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => response.end('ok'));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
