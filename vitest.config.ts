import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/properties.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Modules have no state that tests could spoil for each other; loading them anew for each file costs a third of the time.
    isolate: false,
    maxWorkers: '100%',
    // For what hangs. Nothing takes half as long, but machines may be busy.
    testTimeout: 120_000,
  },
});
