/** The responses of processes in a scenario, by their configuration files and flags and the roles in the cluster. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const failures = (spec: string): readonly string[] =>
  simulate(scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  until: 10m\n${spec}`)).failures.map(
    ({ message, detail = [] }) => [message, ...detail].join('\n'),
  );
/** Expects these answers: `path: /metrics, is: 200`. */
const answers = (cluster: string, ...said: readonly string[]): readonly string[] =>
  failures(`  cluster: ${cluster}\n  steps: [{ expect: [${said.map((each) => `{ answer: { ${each} } }`).join(', ')}] }]`);

const ROLES = `
    - apply:
        - { apiVersion: rbac.authorization.orch.io/v1, kind: ClusterRole, metadata: { name: metrics }, rules: [{ apiGroups: [""], resources: [nodes/metrics], verbs: [get] }] }
        - { apiVersion: rbac.authorization.orch.io/v1, kind: ClusterRoleBinding, metadata: { name: metrics }, roleRef: { apiGroup: rbac.authorization.orch.io, kind: ClusterRole, name: metrics }, subjects: [{ kind: User, name: watcher, apiGroup: rbac.authorization.orch.io }] }`;
const FILE = 'authentication: { x509: { clientCAFile: /ca.crt } }';

describe('an agent', () => {
  it('with flags alone allows everything; one with a file authorizes requests', () => {
    expect(answers('{ nodes: [{ name: a }] }', 'process: agent/a, path: /pods, is: 200')).toEqual([]);
    expect(
      answers(
        `{ nodes: [{ name: a, agent: { ${FILE} } }] }`,
        'process: agent/a, path: /pods, is: 401',
        'process: agent/a, path: /pods, token: invalid, is: 401',
        'process: agent/a, path: /pods, cert: somebody, is: 403',
      ),
    ).toEqual([]);
  });

  it('has other ports, which its settings open and close', () => {
    expect(
      answers(
        '{ nodes: [{ name: a, agent: { readOnlyPort: 10255, healthzPort: 0 } }, { name: b }] }',
        'process: agent/a, listener: read-only, path: /pods, is: 200',
        'process: agent/a, listener: health, path: /healthz, is: 0',
        'process: agent/b, listener: read-only, path: /pods, is: 0',
        'process: agent/b, listener: health, path: /healthz, is: 200',
      ),
    ).toEqual([]);
  });

  it('requests the sub-resource of its node for a path, and caches the answer for a while', () => {
    const asked = (at: string, user: string, path: string, is: number): string =>
      `\n    - { at: ${at}, expect: { answer: { process: agent/a, path: ${path}, cert: ${user}, is: ${is} } } }`;
    const spec = `  cluster: { nodes: [{ name: a, agent: { ${FILE}, authorization: { webhook: { cacheAuthorizedTTL: 1m } } } }] }\n  steps:${ROLES}`;
    expect(
      failures(
        spec +
          asked('1s', 'watcher', '/metrics/cadvisor', 200) +
          asked('1s', 'watcher', '/pods', 403) +
          asked('1s', 'other', '/metrics', 403) +
          '\n    - { at: 10s, delete: ClusterRoleBinding/metrics }' +
          asked('30s', 'watcher', '/metrics/cadvisor', 200) +
          asked('62s', 'watcher', '/metrics/cadvisor', 403),
      ),
    ).toEqual([]);
  });

  it('that is down does not respond, and a restart applies its present file', () => {
    const spec = `  cluster: { nodes: [{ name: a }] }
  steps:
    - fault: { configure: agent/a, flags: [--anonymous-auth=false] }
    - expect: { answer: { process: agent/a, path: /pods, is: 200 } }
    - fault: { crash: agent/a, restartAfter: 5s }
    - expect: { answer: { process: agent/a, path: /pods, is: 0 } }
    - at: 10s
      expect: { answer: { process: agent/a, path: /pods, is: 401 } }`;
    expect(failures(spec)).toEqual([]);
  });
});

describe('certificates of an agent', () => {
  const found = (signers: string, at: string, more = '') =>
    failures(
      `  cluster: { nodes: [{ name: a, ${more}agent: { serverTLSBootstrap: true, ${FILE} } }], certificateSigners: ${signers} }\n  steps: [{ at: ${at}, expect: { answer: { process: agent/a, path: /pods, cert: u, is: 200 } } }]`,
    );
  const none = (why: string): string => `expected status 200 at agent/a for /pods, found no response\n  ${why}`;

  it('decide whether it listens', () => {
    expect(found('[{ signs: serving }]', '10s')).toEqual([expect.stringContaining('found status 403')]);
    expect(found('[]', '10s')).toEqual([none('agent/a has no serving certificate: its request was not approved')]);
    expect(found('[{ signs: serving, lasts: 1m, until: 10s }]', '59s')).toEqual([expect.stringContaining('found status 403')]);
    expect(found('[{ signs: serving, lasts: 1m, until: 10s }]', '60s')).toEqual([none('agent/a has no serving certificate that is valid')]);
    expect(found('[]', '10s', 'agentFlags: [--bootstrap-orchconfig=/etc/bootstrap], ')).toEqual([
      none('no listener: agent/a waits for its client certificate'),
    ]);
  });
});

describe('a scheduler', () => {
  it('answers its listed paths to any user, and nothing else without a kubeconfig', () => {
    expect(answers('{}', 'process: scheduler, path: /healthz, is: 200', 'process: scheduler, path: /metrics, is: 403')).toEqual([]);
    expect(answers('{ scheduler: [--secure-port=0] }', 'process: scheduler, path: /healthz, is: 0')).toEqual([]);
    const flags = '{ scheduler: [--authorization-kubeconfig=/k, --authentication-kubeconfig=/k, --requestheader-allowed-names=front] }';
    expect(
      answers(
        flags,
        'process: scheduler, path: /metrics, proxy: front, user: admin, groups: ["system:masters"], is: 200',
        'process: scheduler, path: /metrics, proxy: other, user: admin, groups: ["system:masters"], is: 401',
        'process: scheduler, path: /metrics, token: who, review: allowed, is: 200',
      ),
    ).toEqual([]);
  });
});

describe('settings of authorization', () => {
  const MASTERS = 'groups: ["system:masters"]';
  it.each([
    ['enableServer: false', 'path: /pods, cert: u', 0],
    [`${FILE}, authorization: { mode: AlwaysAllow }`, 'path: /pods, cert: u', 200],
    ['authentication: { webhook: { enabled: false } }', `path: /pods, token: u, ${MASTERS}`, 401],
    ['authentication: { webhook: { enabled: true } }', `path: /pods, token: u, ${MASTERS}`, 200],
    ['authentication: { anonymous: { enabled: true } }', 'path: /pods', 403],
    [`${FILE}, authorization: { mode: AlwaysAllow }`, 'path: /containerLogs/default/p/c, cert: u', 200],
    [`${FILE}, authorization: { mode: AlwaysAllow }, enableDebuggingHandlers: false`, 'path: /containerLogs/default/p/c, cert: u', 405],
    [`${FILE}, authorization: { mode: AlwaysAllow }, enableDebuggingHandlers: false`, 'path: /pods, cert: u', 200],
    ['readOnlyPort: 10255', 'path: /exec/default/p/c, listener: read-only', 405],
  ])('of an agent decide: %s', (file, request, is) => {
    expect(answers(`{ nodes: [{ name: a, agent: { ${file} } }] }`, `process: agent/a, ${request}, is: ${is}`)).toEqual([]);
  });

  it.each([
    ['--profiling=true', 200],
    ['--profiling=false', 404],
    ['--profiling=false, --config=/c', 200],
  ])('of profiles decide: %s', (flags, is) => {
    const cluster = `{ scheduler: ["--authorization-always-allow-paths=/debug/*", ${flags}] }`;
    expect(answers(cluster, `process: scheduler, path: /debug/pprof/heap, is: ${is}`)).toEqual([]);
  });

  const ASKS = '--authorization-kubeconfig=/k';
  it.each([
    ['--authorization-always-allow-paths=/metrics', '', 200],
    [`${ASKS}, --client-ca-file=/ca`, `, cert: u, ${MASTERS}`, 200],
    [ASKS, `, cert: u, ${MASTERS}`, 403],
    [`${ASKS}, --authentication-kubeconfig=/k`, `, cert: u, ${MASTERS}`, 200],
    [`${ASKS}, --authentication-kubeconfig=/k, --authentication-skip-lookup=true`, `, cert: u, ${MASTERS}`, 403],
    [`${ASKS}, --requestheader-client-ca-file=/ca`, `, proxy: front, user: u, ${MASTERS}`, 200],
    [ASKS, `, proxy: front, user: u, ${MASTERS}`, 403],
  ])('of a scheduler decide: %s', (flags, request, is) => {
    expect(answers(`{ scheduler: [${flags}] }`, `process: scheduler, path: /metrics${request}, is: ${is}`)).toEqual([]);
  });

  it.each([
    [
      'cacheUnauthorizedTTL',
      `{ nodes: [{ name: a, agent: { ${FILE}, authorization: { webhook: { cacheUnauthorizedTTL: 1m } } } }] }`,
      'process: agent/a, path: /metrics, cert: watcher',
    ],
    [
      '--authorization-webhook-cache-unauthorized-ttl',
      '{ scheduler: [--authorization-kubeconfig=/k, --client-ca-file=/c, --authorization-webhook-cache-unauthorized-ttl=1m] }',
      'process: scheduler, path: /metrics, cert: watcher',
    ],
  ])('set how long a refusal is cached: %s', (_, cluster, request) => {
    const asked = (at: string, is: number): string => `\n    - { at: ${at}, expect: { answer: { ${request}, is: ${is} } } }`;
    const all = ROLES.replace('    - apply:', '    - at: 10s\n      apply:').replace(
      'verbs: [get] }',
      'verbs: [get] }, { nonResourceURLs: ["/metrics"], verbs: [get] }',
    );
    expect(failures(`  cluster: ${cluster}\n  steps:${asked('1s', 403)}${all}${asked('30s', 403)}${asked('62s', 200)}`)).toEqual([]);
  });

  it('--authorization-webhook-cache-authorized-ttl sets how long a permission is cached', () => {
    const request = 'process: scheduler, path: /metrics, cert: watcher';
    const roles = ROLES.replace('verbs: [get] }', 'verbs: [get] }, { nonResourceURLs: ["/metrics"], verbs: [get] }');
    const spec = `  cluster: { scheduler: [--authorization-kubeconfig=/k, --client-ca-file=/c, --authorization-webhook-cache-authorized-ttl=1m] }
  steps:${roles}
    - { at: 1s, expect: { answer: { ${request}, is: 200 } } }
    - { at: 10s, delete: ClusterRoleBinding/metrics }
    - { at: 50s, expect: { answer: { ${request}, is: 200 } } }
    - { at: 62s, expect: { answer: { ${request}, is: 403 } } }`;
    expect(failures(spec)).toEqual([]);
  });
});

describe('another answer', () => {
  it('is reported with its steps', () => {
    const [reported = ''] = answers('{ nodes: [{ name: a }] }', 'process: agent/a, path: /pods, is: 401');
    expect(reported).toMatch(/^expected status 401 at agent\/a for \/pods, found status 200/);
    expect(reported).toContain('AlwaysAllow');
    expect(answers('{ nodes: [{ name: a }] }', 'process: agent/b, path: /pods, is: 401')[0]).toMatch(
      /^there is no process agent\/b; did you mean "agent\/a"/,
    );
    expect(answers('{}', 'process: controller-manager, path: /x, is: 0')[0]).toMatch(/is no agent and no scheduler/);
  });
});
