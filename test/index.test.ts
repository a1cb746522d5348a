/** The entry points of the package, of the library, the browser and tests, work as documented. */
import { describe, expect, it } from 'vitest';
import * as browser from '../src/browser.ts';
import * as library from '../src/index.ts';
import * as internals from '../src/internals.ts';
import * as testing from '../src/testing.ts';
import { STORY } from './lab/trace/run.ts';

const read = (): library.Scenario => {
  const found = library.readScenarios(STORY, { file: 'story.yaml' });
  const [scenario] = 'scenarios' in found ? found.scenarios : [];
  if (scenario === undefined) throw new Error('no scenario');
  return scenario;
};

describe('the library', () => {
  it('reads, runs, walks a trace and asserts', () => {
    const run = library.simulate(read(), { seed: 7, trace: true });
    testing.assertHeld(run);
    const { trace } = run;
    if (trace === undefined) throw new Error('no trace');
    expect(internals.cursorAt(trace, 5).get('Job', 'default', 'pi')).toBeDefined();
    expect(internals.formatLine(trace, 2)).toContain('create Job');
  });

  it('answers problems with places instead of scenarios', () => {
    const found = library.readScenarios('kind: Scenario\n', { file: 'x.yaml' });
    expect('problems' in found ? found.problems.map(library.formatProblem) : []).toEqual(
      expect.arrayContaining([expect.stringMatching(/^x\.yaml:1:1: /) as unknown]),
    );
  });

  it('reports places of a text without a file name', () => {
    const found = library.readScenarios('kind: Scenario\n');
    expect('problems' in found ? found.problems.map(({ file }) => file) : []).toContain('<text>');
    expect('problems' in found ? found.problems.map(library.formatProblem).join('\n') : '').toMatch(/^<text>:1:1: /);
  });

  it('drives a cluster by hand', () => {
    const cluster = library.createCluster({ seed: 1, nodes: [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '10' } }] });
    const answer = cluster.request('me', {
      verb: 'create',
      kind: 'Namespace',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } },
      user: { name: 'me', groups: ['system:masters'] },
    });
    expect(answer.ok).toBe(true);
    cluster.runUntil(cluster.startAt + 5_000);
    expect(cluster.store.get('Namespace', 'mine')).toBeDefined();
  });

  it('has the same digest through every entry point', () => {
    const { digest } = testing.simulate(read());
    expect(browser.digestsOf(STORY)).toEqual([{ scenario: 'story', digest, verdict: 'held' }]);
    expect(() => browser.digestsOf('a: b')).toThrow('expected a document');
  });

  it('exports only the public names', () => {
    expect(Object.keys(library).sort()).toEqual(
      [
        ['readScenarios', 'formatProblem', 'formatScenario', 'simulate', 'search', 'assertHeld', 'describeFailures', 'createCluster'],
        ['defineConfig', 'defineController', 'defineKind', 'customKinds', 'schema', 'OrchsimError'],
        ['create', 'update', 'writeStatus', 'remove', 'record', 'write', 'idle', 'wakeAt', 'watch', 'watchOnly'],
      ]
        .flat()
        .sort(),
    );
    expect(Object.keys(internals).filter((name) => name in library)).toEqual([]);
  });
});
