/** When a node becomes silent, and its conditions then. */
import { describe, expect, it } from 'vitest';
import type { Node, NodeCondition } from '../../../../src/apiserver/kinds/index.ts';
import { silentAt, unknownConditions } from '../../../../src/controlplane/controllers/node-lifecycle/health.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT, nodeOf } from '../../../support/objects.ts';

/** A condition that has not changed for a while. */
const since0 = (type: string, status: string): NodeCondition => ({ type, status, lastHeartbeatTime: AT, lastTransitionTime: AT });
const withConditions = (...conditions: readonly NodeCondition[]): Node => ({ ...nodeOf('n'), status: { conditions } }) as unknown as Node;

describe('a node', () => {
  const health = { renewTime: undefined, heartbeat: undefined, probeAt: at(10), beating: false };

  it.each([
    ['that has reported is silent 40 s after its last sign of life', withConditions(since0('Ready', 'True')), health, at(0), 50],
    ['that has never reported gets 60 s to begin', nodeOf('n'), health, at(0), 70],
    ['gets its time anew when all were silent', withConditions(since0('Ready', 'True')), health, at(100), 140],
  ])('%s', (_, node, known, recoveredAt, seconds) => {
    expect(silentAt(known, node, recoveredAt)).toBe(at(seconds));
  });

  it('whose lease is being renewed is never silent', () => {
    expect(silentAt({ ...health, beating: true }, withConditions(since0('Ready', 'True')), at(0))).toBe(Infinity);
  });
});

describe('the conditions of a silent node', () => {
  const since = (node: Node): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      unknownConditions(node, 'agent', at(60)).map(({ type, status, lastTransitionTime }) => [type, [status, lastTransitionTime]]),
    );

  it('become Unknown now; those that are Unknown already keep their time', () => {
    expect(since(withConditions(since0('Ready', 'True'), since0('MemoryPressure', 'Unknown'), since0('DiskPressure', 'False')))).toEqual({
      Ready: ['Unknown', formatTime(at(60))],
      MemoryPressure: ['Unknown', AT],
      DiskPressure: ['Unknown', formatTime(at(60))],
      PIDPressure: ['Unknown', formatTime(at(60))],
    });
  });

  it('exclude conditions of other clients', () => {
    expect(since(withConditions(since0('NetworkUnavailable', 'False')))['NetworkUnavailable']).toEqual(['False', AT]);
  });
});
