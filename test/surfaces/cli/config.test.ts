import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './cli.ts';

const AGENT =
  'apiVersion: agent.config.orch.io/v1beta1\nkind: AgentConfiguration\nenableServer: true\nmaxPods: 20\nmaxPodz: 3\nfeatureGates:\n  Nope: true\n';
const PROVIDERS = `apiVersion: agent.config.orch.io/v1beta1
kind: CredentialProviderConfig
providers:
  - name: one
    apiVersion: credentialprovider.agent.orch.io/v1beta1
    matchImages: ["*.example.com"]
    defaultCacheDuration: 12h
  - name: two
    apiVersion: credentialprovider.agent.orch.io/v1
    matchImages: []
    defaultCacheDuration: 1h
`;

describe('config', () => {
  it('shows each value of the agent with its source: default, file with place, flag', async () => {
    const cwd = folderWith({ 'agent.yaml': AGENT.replace(/maxPodz[\s\S]*/, '') });
    const { code, out, err } = await cli(['config', 'agent', '--config', 'agent.yaml', '--node-ip=10.0.0.1'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^maxPods +20 +agent\.yaml:4:1$/m);
    expect(out).toMatch(/^--node-ip +10\.0\.0\.1 +flag --node-ip$/m);
    expect(out).toMatch(/^syncFrequency +1m0s +default$/m);
  });

  it('warns and refuses with places and the nearest name', async () => {
    const cwd = folderWith({ 'agent.yaml': AGENT });
    const { code, err } = await cli(['config', 'agent', 'agent.yaml', '--changed'], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^warning: agent\.yaml:5:1: unknown field maxPodz, it is not read; did you mean "maxPods"\?$/m);
    expect(err).toMatch(/^error: agent\.yaml:7:3: unrecognized feature gate: Nope$/m);
  });

  it("reads the scheduler's flags", async () => {
    const { code, out, err } = await cli(['config', 'scheduler', '--leader-elect-lease-duration', '5s', '--changed']);
    expect(code).toBe(2);
    expect(out).toMatch(/^--leader-elect-lease-duration +5s +flag --leader-elect-lease-duration$/m);
    expect(err).toContain('--leader-elect-renew-deadline 10s must be at most --leader-elect-lease-duration 5s');
    const json = JSON.parse((await cli(['config', 'scheduler', '--json'])).out) as { config: Record<string, unknown>; values: unknown[] };
    expect(json.config['secure-port']).toBe(10259);
  });

  it('reads credential providers, and says whom an image asks', async () => {
    const cwd = folderWith({ 'p.yaml': PROVIDERS });
    const { code, out, err } = await cli(['config', 'credential-provider', 'p.yaml', '--image', 'a.example.com/x:1'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('a.example.com/x:1 asks one\n');
    expect(err).toMatch(/^error: p\.yaml:9:5: providers\[1\]\.apiVersion: Unsupported value/m);
    expect(err).toMatch(/^error: p\.yaml:10:5: providers\[1\]\.matchImages: Required value/m);
  });

  it.each([
    [['agnet'], 'config: expected one of agent, scheduler, credential-provider, found "agnet"; did you mean agent?'],
    [['agent', '--config', 'nope.yaml'], 'nope.yaml: no such file or folder'],
    [['credential-provider'], 'expected one file'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cli(['config', ...words]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
