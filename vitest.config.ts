import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Nothing below the surfaces has state of its own, so files may share a worker: half of the time goes otherwise into loading anew.
    pool: 'threads',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
  },
});
