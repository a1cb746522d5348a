/**
 * The rules of the specification in the user interface: the table, a run in either mode, a served cluster that refuses or warns,
 * configuration files.
 */
import { describe, expect, it } from 'vitest';
import { allRules } from '../../../src/surfaces/cli/commands/listings.ts';
import { notBuilt, startServing } from '../http/process/serving.ts';
import { cli, folderWith } from './cli.ts';

const UNRULY = (spec = ''): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: unruly }
spec:
${spec}  steps:
    - apply: { apiVersion: networking.orch.io/v1, kind: NetworkPolicy, metadata: { name: x }, spec: {} }
`;
const RULE = 'rule network-policy/pod-selector-is-there: spec.podSelector: Required value';

describe('rules', () => {
  it('lists every rule with its place, and what v1.24 does', async () => {
    const { out } = await cli(['rules']);
    for (const { name, statement, place, recorded } of allRules())
      for (const text of [name, statement, place, recorded]) expect(out).toContain(text);
    const listed = JSON.parse((await cli(['rules', '--json'])).out) as readonly { readonly name: string; readonly effect: string }[];
    expect(listed.map(({ name }) => name)).toEqual(allRules().map(({ name }) => name));
    expect(listed.filter(({ effect }) => effect === '')).toEqual([]);
  });

  it('refuse in the neutral domain; a scenario may override the mode, and the command line overrides both', async () => {
    const cwd = folderWith({ 'a.yaml': UNRULY(), 'b.yaml': UNRULY('  rules: recorded\n') });
    const refused = await cli(['run', 'a.yaml'], { cwd });
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('spec.podSelector: Required value')]);
    for (const words of [['b.yaml'], ['a.yaml', '--rules', 'recorded']]) {
      const { code, out } = await cli(['run', ...words], { cwd });
      expect(code, out).toBe(0);
      expect(out).toContain(`note ${words[0]}:`);
      expect(out).toContain(RULE);
    }
    const again = await cli(['run', 'b.yaml', '--rules', 'specification'], { cwd });
    expect(again.code).toBe(1);
    expect(again.out).toContain('npx orchsim run b.yaml --seed 1 --rules specification -v');
    expect((await cli(['state', 'NetworkPolicy/x', 'a.yaml', '--rules', 'recorded'], { cwd })).code).toBe(0);
    expect((await cli(['run', 'a.yaml', '--rules', 'none'], { cwd })).err).toBe(
      '--rules: expected specification or recorded, found "none"\n',
    );
  });

  it('apply to configuration files of the agent', async () => {
    const cwd = folderWith({ 'agent.yaml': 'apiVersion: agent.config.orch.io/v1beta1\nkind: AgentConfiguration\nmaxPods: 20\n' });
    const refused = await cli(['config', 'agent', 'agent.yaml', '--changed'], { cwd });
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('enableServer is required')]);
    const reported = await cli(['config', 'agent', 'agent.yaml', '--changed', '--rules', 'recorded'], { cwd });
    expect([reported.code, reported.err]).toEqual([0, expect.stringContaining('rule agent-configuration/server-is-said: enableServer')]);
  });

  it.skipIf(notBuilt !== undefined)('make a served cluster warn, or refuse', { timeout: 60_000 }, async () => {
    const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
    const body = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'x' }, spec: {} };
    const recorded = await startServing();
    const strict = await startServing('--rules', 'specification');
    try {
      const passed = await recorded.ask('POST', path, body);
      expect([passed.status, passed.headers.get('warning')]).toEqual([201, `299 - "${RULE}"`]);
      const refused = await strict.ask('POST', path, body);
      expect([refused.status, refused.headers.get('warning'), refused.body['reason']]).toEqual([422, null, 'Invalid']);
      expect((await strict.ask('GET', `${path}/x`)).status).toBe(404);
    } finally {
      await Promise.all([recorded.stop(), strict.stop()]);
    }
  });
});
