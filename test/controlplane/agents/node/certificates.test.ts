/** Certificates of agents: requested, approved or not, renewed, expired. */
import { describe, expect, it } from 'vitest';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const run = (node: string, signers: string, until: string, steps = '[]', invariants = '["*", node/writes-with-a-good-certificate]'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: certificates }
spec:
  until: ${until}
  invariants: ${invariants}
  cluster: { nodes: [{ name: a, ${node} }], certificateSigners: ${signers} }
  steps: ${steps}`),
    { trace: true },
  );
/** The seconds at which the agent recorded matching decisions about its certificates. */
const reported = ({ trace, cluster }: Run, what: RegExp): readonly number[] =>
  (trace?.entries ?? []).flatMap((entry) =>
    entry.type === 'reconcile' && entry.process === 'agent/a' && what.test(entry.why)
      ? [Math.round((entry.at - cluster.startAt) / 1_000)]
      : [],
  );
const refusedAt = ({ trace, cluster }: Run): readonly number[] =>
  (trace?.entries ?? []).flatMap((entry) =>
    entry.type === 'refusal' && entry.actor === 'agent/a' && entry.status.code === 401
      ? [Math.round((entry.at - cluster.startAt) / 1_000)]
      : [],
  );
const ready = ({ cluster }: Run): string | undefined =>
  cluster.store.get('Node', 'a')?.status.conditions?.find(({ type }) => type === 'Ready')?.status;
const messages = ({ failures }: Run): readonly string[] => failures.map(({ message }) => message);
const BOOTSTRAP = 'agentFlags: [--bootstrap-orchconfig=/etc/bootstrap]';

describe('--bootstrap-orchconfig', () => {
  it('makes an agent wait for its first client certificate before it registers its node', () => {
    const ran = run(
      BOOTSTRAP,
      '[{ signs: client, delay: 20s }]',
      '1m',
      '[{ at: 10s, expect: [{ count: { of: { kind: Node }, is: 0 } }] }]',
    );
    expect(messages(ran)).toEqual([]);
    expect(reported(ran, /request for a client certificate was approved/)).toHaveLength(1);
    expect(ready(ran)).toBe('True');
  });

  it('waits indefinitely without a signer, and for a signer that becomes active later', () => {
    expect(ready(run(BOOTSTRAP, '[]', '2h'))).toBeUndefined();
    expect(ready(run(BOOTSTRAP, '[{ signs: serving }, { nodes: [b] }]', '10m'))).toBeUndefined();
    const later = run(BOOTSTRAP, '[{ from: 5m, delay: 1s }]', '10m');
    expect(reported(later, /was approved/)).toEqual([301]);
    expect(ready(later)).toBe('True');
  });

  it('asks again a minute after a denial', () => {
    const ran = run(BOOTSTRAP, '[{ denies: true, until: 90s }, { from: 90s }]', '5m');
    expect(reported(ran, /was denied/).length).toBeGreaterThan(1);
    expect(ready(ran)).toBe('True');
  });

  it('is used again by an agent that restarts with an expired certificate', () => {
    const ran = run(BOOTSTRAP, '[{ lasts: 5m }]', '20m');
    // After five minutes of refusals the agent exits and is restarted.
    const refused = refusedAt(ran);
    expect(Math.max(...refused.filter((at) => at < 620))).toBeLessThanOrEqual(600);
    expect(reported(ran, /expired five minutes ago/).length).toBeGreaterThan(0);
    // One at the start, and one at each restart.
    const approved = reported(ran, /was approved/);
    expect(approved.length).toBe(reported(ran, /expired five minutes ago/).length + 1);
    expect(messages(ran)).toEqual([]);
  });
});

describe('a client certificate', () => {
  it('that expires leads to 401 for its agent, and its node becomes silent', () => {
    const ran = run('clientCertificate: 2m', '[{}]', '4m');
    const refused = refusedAt(ran);
    expect(Math.min(...refused)).toBeGreaterThanOrEqual(120);
    expect(refused.length).toBeGreaterThan(3);
    expect(ready(ran)).toBe('Unknown');
  });

  it('is renewed with rotateCertificates after 70 to 90 % of its validity', () => {
    const ran = run('clientCertificate: 10m, agent: { rotateCertificates: true }', '[{ delay: 5s, lasts: 10m }]', '40m');
    expect(refusedAt(ran)).toEqual([]);
    const requested = reported(ran, /: request the next one$/).filter((at, i, all) => at !== all[i - 1]);
    expect(requested[0]).toBeGreaterThanOrEqual(420);
    expect(requested[0]).toBeLessThanOrEqual(540);
    expect(reported(ran, /was approved/).length).toBeGreaterThanOrEqual(3);
    expect(ready(ran)).toBe('True');
  });

  it('expires when the response comes too late', () => {
    const ran = run('clientCertificate: 10m, agent: { rotateCertificates: true }', '[{ from: 11m }]', '14m');
    expect(Math.min(...refusedAt(ran))).toBeGreaterThanOrEqual(600);
    expect(ready(ran)).toBe('Unknown');
  });

  it('that is not configured never expires', () => {
    expect(refusedAt(run('agent: { rotateCertificates: true }', '[]', '10m'))).toEqual([]);
  });
});

describe('serverTLSBootstrap', () => {
  const ask = (at: string, is: number): string =>
    `{ at: ${at}, expect: { answer: { process: agent/a, path: /pods, cert: somebody, is: ${is} } } }`;
  const FILE = 'agent: { serverTLSBootstrap: true, authentication: { x509: { clientCAFile: /ca.crt } } }';

  it('answers no request before a signer has approved, and decides access after that', () => {
    const ran = run(FILE, '[{ signs: serving, from: 20s }]', '1m', `[${ask('10s', 0)}, ${ask('30s', 403)}]`, '["*"]');
    expect(messages(ran)).toEqual([]);
    expect(ready(ran)).toBe('True');
  });

  it('needs its gate', () => {
    expect(() => run('agent: { serverTLSBootstrap: true, featureGates: { RotateAgentServerCertificate: false } }', '[]', '1m')).toThrow(
      /serverTLSBootstrap true requires feature gate RotateAgentServerCertificate/,
    );
  });
});
