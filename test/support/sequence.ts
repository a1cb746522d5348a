/** The order of test files: the slowest first, so that at the end no core waits for the last file of the other. */
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take seconds, the slowest first, as measured; all others are ordered by size, the only thing known about them in a new clone.
 */
export const LONGEST: readonly string[] = [
  'test/surfaces/page/page.test.ts',
  'test/golden.test.ts',
  'test/package.test.ts',
  'test/lab/explore/properties.test.ts',
  'test/lab/simulation/orders.test.ts',
  'test/surfaces/page/lesson.test.ts',
  'test/surfaces/http/cost.test.ts',
  'test/controlplane/controllers/conformance.test.ts',
  'test/surfaces/http/clients.test.ts',
  'test/surfaces/http/process/bounds.test.ts',
  'test/lab/explore/search.test.ts',
  'test/conformance/tests/api.test.ts',
  'test/surfaces/page/runs.test.ts',
  'test/additions.test.ts',
  'test/lab/trace/views.test.ts',
  'test/surfaces/cli/interruption.test.ts',
  'test/conformance/tests/cases.test.ts',
  'test/lab/search/incidents/incidents.test.ts',
  'test/surfaces/page/serve.test.ts',
  'test/surfaces/cli/search.test.ts',
  'test/surfaces/cli/help.test.ts',
  'test/lessons.test.ts',
  'test/surfaces/cli/completion.test.ts',
  'test/surfaces/cli/search-exhaustive.test.ts',
  'test/surfaces/cli/sweep.test.ts',
  'test/lab/search/search.test.ts',
  'test/performance/growth.test.ts',
  'test/mutants.test.ts',
  'test/surfaces/page/futures.test.ts',
  'test/surfaces/page/traces.test.ts',
  'test/surfaces/page/link.test.ts',
  'test/browser.test.ts',
  'test/conformance/tests/scheduler.test.ts',
  'test/lab/incidents/found-rollouts.test.ts',
  'test/surfaces/page/cache-lens.test.ts',
  'test/lab/search/exhaustive.test.ts',
  'test/surfaces/cli/serve-tls.test.ts',
  'test/performance/exact.test.ts',
  'test/lab/simulation/leases.test.ts',
  'test/apiserver/handlers/fuzz.test.ts',
  'test/surfaces/cli/run-livelock.test.ts',
  'test/lab/search/liveness.test.ts',
  'test/surfaces/cli/kept.test.ts',
  'test/apiserver/kinds/admission.test.ts',
  'test/lab/explore/canary.test.ts',
  'test/apiserver/handlers/transcripts.test.ts',
  'test/performance/rollouts.test.ts',
  'test/controlplane/controllers/stateful-set/scale.test.ts',
  'test/lab/simulation/limits.test.ts',
  'test/surfaces/http/fuzz.test.ts',
  'test/surfaces/page/classes.test.ts',
  'test/apiserver/kinds/round-trip.test.ts',
  'test/layers.test.ts',
  'test/performance/syncs.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId).split(sep).join('/'));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
