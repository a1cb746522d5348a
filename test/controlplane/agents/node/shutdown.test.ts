/** A machine that is shut down, and what its agent does first: shutdownGracePeriod, with the gate GracefulNodeShutdown. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const pod = (name: string, more = ''): string =>
  `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { terminationGracePeriodSeconds: 60, nodeName: a, ${more} containers: [{ name: c, image: "c:1" }] } } }`;
const CRITICAL = 'priorityClassName: system-node-critical,';
const GRACE = 'agent: { shutdownGracePeriod: 20s, shutdownGracePeriodCriticalPods: 5s }';

/** What pods and their node say so many seconds after the shutdown, which comes at 10 s. */
const after = (seconds: number, agent = `, ${GRACE}`, { delay = '8s', more = '' } = {}) => {
  const { cluster, failures } = simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: shutdown }
spec:
  until: ${10 + seconds}s
  cluster: { bootstrap: true, podBehaviors: [{ terminationDelay: ${delay} }], nodes: [{ name: a${agent} }] }
  steps: [${pod('plain')}, ${pod('critical', CRITICAL)}, { at: 10s, fault: { nodeDown: a, shutdown: true } }${more}]`),
  );
  expect(failures).toEqual([]);
  const phaseOf = (name: string) => {
    const found = cluster.store.get('Pod', `default/${name}`) as Pod | undefined;
    return [found?.status.phase, found?.status.reason].filter((word) => word !== undefined).join(' ');
  };
  const ready = (cluster.store.get('Node', 'a') as Node).status.conditions?.find(({ type }) => type === 'Ready');
  return {
    plain: phaseOf('plain'),
    critical: phaseOf('critical'),
    late: phaseOf('late'),
    ready,
    up: cluster.runtime.process('agent/a')?.up,
  };
};

describe('an agent whose machine is shut down', () => {
  it('ends its pods first, the critical ones last', () => {
    expect(after(2)).toMatchObject({ plain: 'Running', critical: 'Running', up: true });
    // The plain pod ends within eight seconds of fifteen; the critical one gets five.
    expect(after(10)).toMatchObject({ plain: 'Failed Terminated', critical: 'Running', up: true });
    expect(after(16)).toMatchObject({ plain: 'Failed Terminated', critical: 'Failed Terminated', up: false });
  });

  it('says that its node is not ready, and lets nobody in', () => {
    const late = `, { at: 11s, ${pod('late').slice(2)}`;
    expect(after(3, undefined, { more: late })).toMatchObject({
      late: 'Failed NodeShutdown',
      ready: { status: 'False', reason: 'AgentNotReady', message: 'node is shutting down' },
    });
  });

  it('is given no longer than shutdownGracePeriod, of which the critical pods have their part', () => {
    // Fifteen seconds for the one, five for the other, whatever they ask for.
    expect(after(14, undefined, { delay: '50s' })).toMatchObject({ plain: 'Running', critical: 'Running' });
    expect(after(17, undefined, { delay: '50s' })).toMatchObject({ plain: 'Failed Terminated', critical: 'Running', up: true });
    expect(after(22, undefined, { delay: '50s' })).toMatchObject({ critical: 'Failed Terminated', up: false });
  });

  it('falls silent at once where no period is stated', () => {
    for (const agent of ['', ', agent: {}', ', agent: { shutdownGracePeriod: 0s }'])
      expect(after(2, agent)).toMatchObject({ plain: 'Running', critical: 'Running', up: false, ready: { status: 'True' } });
  });

  it('knows nothing of it when it starts again', () => {
    const back = `, { at: 40s, fault: { nodeUp: a } }, { at: 42s, ${pod('late').slice(2)}`;
    expect(after(35, undefined, { more: back })).toMatchObject({ late: 'Running', ready: { status: 'True' }, up: true });
  });
});

describe('shutdownGracePeriod', () => {
  it('needs the gate GracefulNodeShutdown', () => {
    expect(() => after(1, `, agent: { shutdownGracePeriod: 20s, featureGates: { GracefulNodeShutdown: false } }`)).toThrow(
      'shutdownGracePeriod requires feature gate GracefulNodeShutdown',
    );
  });

  it.each([
    ['shutdownGracePeriod: 500ms', 'shutdownGracePeriod 500ms must be either zero or at least 1s'],
    ['shutdownGracePeriod: -2s', 'shutdownGracePeriod -2s must be either zero or at least 1s'],
    [
      'shutdownGracePeriod: 2s, shutdownGracePeriodCriticalPods: 3s',
      'shutdownGracePeriodCriticalPods 3s must be at most shutdownGracePeriod 2s',
    ],
  ])('is refused out of bounds: %s', (agent, problem) => {
    expect(() => after(1, `, agent: { ${agent} }`)).toThrow(problem);
  });
});
