import { describe, expect, it } from 'vitest';
import { createDigest } from '../../../src/engine/index.ts';
import type { Observed } from '../../../src/controlplane/runtime/observation.ts';
import { ObserverBus } from '../../../src/controlplane/runtime/observer-bus.ts';

const status = (message: string) => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 409 }) as const;
/** The digest of a run that observed only this, at a time. */
function digestOf(observed: Observed, at = 1_000): string {
  const digest = createDigest();
  new ObserverBus({ now: () => at, digest, listening: () => false, publish: () => undefined }).observe(observed);
  return digest.text();
}

const causes: readonly number[] = [];
const process = { type: 'process', causes, process: 'scheduler', what: 'crashed' } as const;
const refusal = { type: 'refusal', causes, actor: 'a', request: 'r', status: status('one') } as const;
const timer = { type: 'timer', causes, process: 'p', controller: 'c', key: 'a', because: 'delay' } as const;

describe('the digest of a run', () => {
  it.each<readonly [string, Observed, Observed]>([
    ['what happened to a process', process, { ...process, what: 'stopped' }],
    ['which process it was', process, { ...process, process: 'controller-manager' }],
    ['why a request was refused', refusal, { ...refusal, status: status('two') }],
    ['whose timer it was', timer, { ...timer, key: 'b' }],
    ['which operation ran', { type: 'operation', causes, label: 'a' }, { type: 'operation', causes, label: 'b' }],
    ['which fault came', { type: 'fault', causes, fault: 'a', detail: '' }, { type: 'fault', causes, fault: 'b', detail: '' }],
    ['of which detail', { type: 'fault', causes, fault: 'a', detail: '' }, { type: 'fault', causes, fault: 'a', detail: 'b' }],
  ])('has %s', (_what, one, other) => {
    expect(digestOf(one)).toBe(digestOf(one));
    expect(digestOf(one)).not.toBe(digestOf(other));
    expect(digestOf(one)).not.toBe(digestOf(one, 2_000));
  });
});
