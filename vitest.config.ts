import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import ClosingLine from './test/support/reporter.ts';
import { LongestFirst } from './test/support/sequence.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-folder.mjs'],
    setupFiles: ['test/support/properties.ts'],
    // Made here, because the main process imports like Node, which knows no types.
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: LongestFirst },
    // Modules have no state that tests could spoil for each other; loading them anew for each file costs a third of the time.
    isolate: false,
    // Modules are Node's own: vitest's, where each use of an import is a look-up, take a third more time. Nothing here mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Collecting on threads of its own costs more than it saves where each core has a worker.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=32', '--import', './test/support/typescript.mjs'],
    // One more than there are cores: a third of the files wait for a browser, a client or a program of their own for a good part of their time.
    maxWorkers: availableParallelism() + 1,
    // For what hangs. Nothing takes half as long, but machines may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
