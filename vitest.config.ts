import { defineConfig } from 'vitest/config';
import ClosingLine from './test/support/reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/properties.ts'],
    // Made here, because the main process imports like Node, which knows no types.
    reporters: ['default', new ClosingLine()],
    // Modules have no state that tests could spoil for each other; loading them anew for each file costs a third of the time.
    isolate: false,
    // Modules are Node's own: vitest's, where each use of an import is a look-up, take a third more time. Nothing here mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Collecting on threads of its own costs more than it saves where each core has a worker.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=32', '--import', './test/support/typescript.mjs'],
    maxWorkers: '100%',
    // For what hangs. Nothing takes half as long, but machines may be busy.
    testTimeout: 120_000,
  },
});
