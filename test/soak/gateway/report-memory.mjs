// Loaded into a measured gateway by --import: answers each message with its memory after a garbage collection.
process.on('message', () => {
  globalThis.gc();
  process.send({ memory: process.memoryUsage() });
});
process.channel.unref();
