import { run } from './cli.js';

// Writers handle stream errors themselves. An unhandled 'error' event would end the process with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, cwd: process.cwd(), env });
