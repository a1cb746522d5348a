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
    expect(err).toMatch(/^error: agent\.yaml:5:1: unknown field maxPodz; did you mean "maxPods"\?$/m);
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

  it('reads credential providers, and names those of an image', async () => {
    const cwd = folderWith({ 'p.yaml': PROVIDERS });
    const { code, out, err } = await cli(['config', 'credential-provider', 'p.yaml', '--image', 'a.example.com/x:1'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('a.example.com/x:1 asks one\n');
    expect(err).toMatch(/^error: p\.yaml:9:5: providers\[1\]\.apiVersion: Unsupported value/m);
    expect(err).toMatch(/^error: p\.yaml:10:5: providers\[1\]\.matchImages: Required value/m);
  });

  it('reports all problems of files and flags at once', async () => {
    const cwd = folderWith({ 'broken.yaml': 'a: [\n' });
    const { code, err } = await cli(['config', 'scheduler', '--config', 'nope.yaml', '--bind-address=x', '--secure-portt=1'], { cwd });
    expect(code).toBe(2);
    expect(err.split('\n').slice(0, -1)).toEqual([
      'warning: the schema of the scheduler configuration file is not specified: its contents are not read',
      'error: nope.yaml: no such file or folder',
      'error: invalid argument "x" for "--bind-address" flag: failed to parse IP: "x"',
      'error: unknown flag: --secure-portt; did you mean "--secure-port"?',
    ]);
    const agent = await cli(['config', 'agent', '--config=broken.yaml', '--max-podz=1'], { cwd });
    expect([agent.code, agent.err]).toEqual([
      2,
      expect.stringMatching(/error: broken\.yaml:1:4: expected a ] that closes this \[, found none\n[^]*unknown flag: --max-podz/),
    ]);
  });

  it('shows listeners, access, gates, and settings without effect in a run', async () => {
    const { out } = await cli([
      'config',
      'scheduler',
      '--changed',
      '--tls-min-version=VersionTLS12',
      '--feature-gates=CronJobTimeZone=true',
    ]);
    for (const line of [
      /^server +https:\/\/0\.0\.0\.0:10259 \(all addresses\)/m,
      /^everything else +forbidden: 403 +no --authorization-kubeconfig$/m,
      /^CronJobTimeZone +alpha +off +on$/m,
      /^--tls-min-version +simulated processes open no sockets/m,
    ])
      expect(out).toMatch(line);
    const json = JSON.parse((await cli(['config', 'agent', '--json', '--cloud-provider=x'])).out) as Record<string, unknown>;
    expect(json).toMatchObject({
      outline: { listeners: [{ name: 'server' }, { name: 'read-only' }, { name: 'health' }] },
      deprecations: [{ flag: '--cloud-provider', removedIn: '1.24 or later' }],
      gates: { CPUManager: true },
    });
    const values = json['values'] as readonly { readonly path: string; readonly effect: unknown }[];
    expect(values.filter(({ effect }) => effect === undefined)).toEqual([]);
  });

  it('shows the answer of a process to a request, and why', async () => {
    const { code, out } = await cli(['config', 'scheduler', '--changed', '--request', 'path=/metrics,token=alice']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\/metrics: 403 for system:anonymous\n {2}the token is ignored: there is no --authentication-kubeconfig\n/m),
    ]);
    expect((await cli(['config', 'agent', '--request', 'path=/pods,tokn=a'])).err).toContain('found "tokn=a"; did you mean "token"?');
    expect((await cli(['config', 'agent', '--request', 'token=a'])).err).toContain('--request: expected a path');
  });

  it.each([
    [
      'agent',
      'path=/pods',
      [
        '/pods: 200 for system:anonymous',
        '  no method authenticates the request: system:anonymous of system:unauthenticated',
        '  AlwaysAllow: every authenticated request is allowed',
      ],
    ],
    ['agent', 'path=/metrics,listener=read-only', ['/metrics: no answer from its settings alone', '  no listener: readOnlyPort is 0']],
    [
      'scheduler',
      'path=/healthz,review=allowed',
      [
        '/healthz: 200 for system:anonymous',
        '  no method authenticates the request: system:anonymous of system:unauthenticated',
        '  /healthz is one of --authorization-always-allow-paths',
      ],
    ],
  ])('answers a request to the %s: %s', async (process, request, said) => {
    const { code, out } = await cli(['config', process, '--changed', '--request', request]);
    expect([code, out.split('\n\n').at(-1)]).toEqual([0, `${said.join('\n')}\n`]);
    const json = JSON.parse((await cli(['config', process, '--json', '--request', request])).out) as Record<string, unknown>;
    expect([json['request'], json['image'], json['answer']]).toEqual([request, undefined, said]);
  });

  it.each([
    ['pods', '--request: expected path=…, listener=…, token=…, cert=…, proxy=…, user=…, review=…, found "pods"'],
    ['=x', '--request: expected path=…, listener=…, token=…, cert=…, proxy=…, user=…, review=…, found "=x"'],
    ['path=/a,listener=sever', '--request: listener: expected server, read-only, health, found "sever"; did you mean "server"?'],
    ['path=/a,review=maybe', '--request: review: expected allowed, denied, found "maybe"'],
    ['path=a=b', '--request: expected a path, as in --request path=/metrics,token=alice'],
  ])('refuses the request %j', async (request, said) => {
    expect((await cli(['config', 'agent', '--request', request])).err).toBe(`${said}\n`);
  });

  it('names the providers of an image only where there are providers, and answers no request for them', async () => {
    const cwd = folderWith({ 'p.yaml': PROVIDERS.replace(/ {2}- name: two[^]*/, '') });
    const words = ['config', 'credential-provider', 'p.yaml'];
    const image = 'a.example.com/x:1';
    const named = JSON.parse((await cli([...words, '--json', '--image', image], { cwd })).out) as Record<string, unknown>;
    expect([named['image'], named['asked']]).toEqual([image, ['one']]);
    expect(JSON.stringify(named)).not.toContain('"effect"');
    expect((await cli([...words, '--image', 'other'], { cwd })).out).toMatch(/\nother asks no provider\n$/);
    const none = JSON.parse((await cli([...words, '--json'], { cwd })).out) as Record<string, unknown>;
    expect(['image', 'asked', 'request', 'answer'].filter((name) => name in none)).toEqual([]);
    expect((await cli(['config', 'agent', '--image', image])).out).not.toContain('asks');
    expect((await cli([...words, '--request', 'path=/'], { cwd })).err).toBe(
      '--request: a credential provider is asked by its agent alone\n',
    );
  });

  it('lists the flags of each process', async () => {
    const agent = (await cli(['config', 'agent', '--help'])).out;
    expect(agent).toMatch(/^--max-pods +int32 +deprecated: a field of the file +110$/m);
    expect(agent).toMatch(/^--cloud-provider +string +deprecated, removed in 1\.24 or later$/m);
    const scheduler = (await cli(['config', 'scheduler', '-h'])).out;
    expect(scheduler).toMatch(/^--orch-api-qps +float +deprecated, ignored beside --config +50$/m);
    expect((await cli(['config', 'credential-provider', '--help'])).out).toContain('--image-credential-provider-config');
    expect((await cli(['config', '--help'])).out).toContain('Usage: orchsim config');
  });

  it('prints the support status of every rule, of all processes or of one, and counts them', async () => {
    const { code, out } = await cli(['config', '--rules']);
    expect(code).toBe(0);
    const rules = JSON.parse((await cli(['config', '--rules', '--json'])).out) as readonly {
      readonly section: string;
      readonly parsed?: true;
      readonly defaulted?: true;
      readonly acts: { readonly holds: boolean };
    }[];
    const count = (is: (rule: (typeof rules)[number]) => boolean): number => rules.filter(is).length;
    const totals = [rules.length, count(({ parsed }) => parsed !== undefined), count(({ defaulted }) => defaulted !== undefined)];
    expect(out).toMatch(new RegExp(`^all +${totals.join(' +')} +${count(({ acts }) => acts.holds)}$`, 'm'));
    expect(out).toMatch(/^AgentConfiguration +maxPods .* yes +yes +yes$/m);
    expect(out).toMatch(/^AgentConfiguration +hairpinMode .* yes +yes +no: no traffic flows/m);
    for (const words of [
      ['--rules', 'scheduler'],
      ['scheduler', '--rules'],
    ]) {
      const listed = JSON.parse((await cli(['config', ...words, '--json'])).out) as typeof rules;
      expect(new Set(listed.map(({ section }) => section))).toEqual(new Set(['Scheduler command-line flags']));
    }
    expect((await cli(['config', 'agent', '--rules', 'never'])).err).toBe('--rules: expected specification or recorded, found "never"\n');
  });

  it.each([
    [['agnet'], 'config: expected one of agent, scheduler, credential-provider, found "agnet"; did you mean agent?'],
    [['agent', '--config', 'nope.yaml'], 'nope.yaml: no such file or folder'],
    [['credential-provider'], 'expected one file'],
    [[], 'config: expected one of agent, scheduler, credential-provider, found nothing'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cli(['config', ...words]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
