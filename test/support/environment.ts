// The runner sets these for itself. Vite, Express and others behave differently with them.
for (const name of ['NODE_ENV', 'TEST', 'VITEST', 'VITEST_MODE']) Reflect.deleteProperty(process.env, name);
