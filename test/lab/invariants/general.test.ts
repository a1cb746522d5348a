import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { controllers } from '../../../src/controlplane/controllers/index.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { generalInvariants, uidLivesOnce } from '../../../src/lab/invariants/general.ts';
import type { Facts, Violation } from '../../../src/lab/invariants/index.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';
import { withMutant } from '../../support/mutants.ts';

/** An envelope for writes whose author does not matter. */
const WATCH_ONLY = envelopeOf('test', { verb: 'list', kind: '' });

/** Owners are deleted in every way, and names are used again. */
const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: 10m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms }] }
  steps:
    - create: &jobs
        - { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 10s, delete: { target: Job/a, propagationPolicy: Background } }
    - { at: 20s, create: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: 30s, delete: { target: Job/a, propagationPolicy: Foreground } }
    - { at: 40s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: orphan, ownerReferences: [{ apiVersion: batch/v1, kind: Job, name: a, uid: 00000000-0000-4000-8000-000000000000 }] } } }
`.replace('&jobs', '');

function run(mutant?: Controller): Run {
  return runScenario(STORY, { invariants: generalInvariants, controllers: withMutant(mutant) });
}

describe('invariants of all objects', () => {
  it('hold, and are exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    for (const { name, exercised } of invariants) expect(exercised, name).toBeGreaterThan(0);
  });

  it('general/owners-exist notices a collector that collects nothing', () => {
    const collector = controllers(kindsFor(namesFor('orch.io'))).find(({ name }) => name === 'garbage-collector');
    if (collector === undefined) throw new Error('there is no collector');
    const idle: Controller = { ...collector, reconcile: () => ({ why: 'it looks away', writes: [] }) };
    expect(run(idle).failures.map(({ invariant, message }) => `${invariant ?? ''}: ${message}`)).toEqual([
      expect.stringMatching(/^general\/owners-exist: Pod default\/a-\w+ has outlived all its owners \(Job a\)$/),
    ]);
  });

  it.each<[string, (commit: (type: 'ADDED' | 'MODIFIED' | 'DELETED', uid: string) => void) => void, RegExp]>([
    [
      'changes a uid in place',
      (commit) => {
        commit('ADDED', 'one');
        commit('MODIFIED', 'two');
      },
      /^Pod default\/p changed its uid from one to two$/,
    ],
    [
      'writes to the dead',
      (commit) => {
        commit('ADDED', 'one');
        commit('DELETED', 'one');
        commit('MODIFIED', 'one');
      },
      /^a write has the uid one, which was deleted with Pod default\/p$/,
    ],
    [
      'brings a uid back to life',
      (commit) => {
        commit('ADDED', 'one');
        commit('DELETED', 'one');
        commit('ADDED', 'one');
      },
      /^a new object has the uid one, which was deleted with Pod default\/p$/,
    ],
  ])('general/uid-lives-once notices a store that %s', (_, play, says) => {
    const store = createStore();
    const checker = uidLivesOnce.check();
    const found: (Violation | undefined)[] = [];
    store.onChange((change) => {
      found.push(checker.onChange?.(change, {} as Facts));
    });
    play((type, uid) => {
      store.commit(
        {
          type,
          kind: 'Pod',
          key: 'default/p',
          at: 0,
          entry: 0,
          object: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'p', namespace: 'default', uid, resourceVersion: String(store.revision + 1), creationTimestamp: '' },
          },
        },
        WATCH_ONLY,
      );
    });
    expect(found.filter((violation) => violation !== undefined).map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});
