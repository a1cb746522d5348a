/** Elided lease renewals are shown like other writes: the last renewal, and its author. */
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

const LEASE = 'Lease/orch-node-lease/node-0';
const FILE =
  'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: beats }\nspec:\n  until: 2m\n  steps:\n    - { at: 1m, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }, note: A minute. }\n';
const say = async (...args: string[]): Promise<string> => {
  const { out, code } = await cli(args, { cwd: folderWith({ 'a.yaml': FILE }) });
  expect(code).toBe(0);
  return out;
};

describe('a lease with elided renewals', () => {
  it('has its last renewal in state', async () => {
    expect(await say('state', LEASE, 'a.yaml', '--at', '1m')).toContain('renewTime: "2024-03-01T00:00:50.500000Z"');
    expect(await say('state', LEASE, 'a.yaml', '--at', '1m45s')).toContain('renewTime: "2024-03-01T00:01:40.500000Z"');
  });

  it('has its author and its renewal in why, even without another write', async () => {
    const out = await say('why', LEASE, 'a.yaml', '--at', '1m');
    expect(out).toMatch(/renewed {2}by agent\/node-0 every 10 s, last at 50\.500s \(rv \d+\)/);
    expect(out).toContain('decided by node-registration in agent/node-0');
    expect(JSON.parse(await say('why', LEASE, 'a.yaml', '--at', '1m', '--json'))).toMatchObject({
      renewed: { process: 'agent/node-0', controller: 'node-registration', everyMs: 10_000 },
    });
  });

  it('has them in diff', async () => {
    const out = await say('diff', LEASE, 'a.yaml', '--from', '30s', '--to', '1m');
    expect(out).toContain('~ spec.renewTime 2024-03-01T00:00:20.500000Z → 2024-03-01T00:00:50.500000Z');
    expect(out).toMatch(/renewed by agent\/node-0 every 10 s \(rv \d+\), without entries in the trace/);
  });

  it('has them in walks', async () => {
    const out = await say('walk', 'a.yaml', '--script', `next; state ${LEASE}; why ${LEASE}; diff ${LEASE}`);
    expect(out).toContain('renewTime: "2024-03-01T00:00:50.500000Z"');
    expect(out).toMatch(/renewed {2}by agent\/node-0 every 10 s, last at 50\.500s/);
    expect(out).toMatch(/renewed by agent\/node-0 every 10 s \(rv \d+\), without entries in the trace/);
  });
});
