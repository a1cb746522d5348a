/** The checks of each rule about processes, by its name in the table. */
import { describe, expect, it } from 'vitest';
import { accessToScheduler, configSpecification, parseAgentConfig, parseSchedulerFlags } from '../../../src/controlplane/config/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const HEAD = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'AgentConfiguration' };
const errorsOf = (file: object, rules: 'specification' | 'recorded') =>
  parseAgentConfig({ ...HEAD, ...file }, { rules }).errors.map(({ path }) => path);

const CHECKS: Readonly<Record<string, () => void>> = {
  'agent-configuration/server-is-said'() {
    expect(errorsOf({}, 'specification')).toEqual(['enableServer']);
    expect(errorsOf({}, 'recorded')).toEqual([]);
    expect(parseAgentConfig({}, { rules: 'specification', fragment: true }).errors).toEqual([]);
  },
  'agent-configuration/zero-is-said'() {
    expect(errorsOf({ enableServer: true, nodeLeaseDurationSeconds: 0 }, 'specification')).toEqual(['nodeLeaseDurationSeconds']);
    expect(errorsOf({ enableServer: true, nodeLeaseDurationSeconds: 0 }, 'recorded')).toEqual([]);
  },
  'agent-configuration/fields-are-known'() {
    expect(errorsOf({ enableServer: true, maxPod: 1 }, 'specification')).toEqual(['maxPod']);
    expect(errorsOf({ enableServer: true, maxPod: 1 }, 'recorded')).toEqual([]);
  },
  'agent-configuration/leases-are-renewed-at-a-quarter'() {
    // The number of renewals of a node's lease within ten seconds.
    const renewals = (rules: string, seconds: number): number =>
      new Set(
        Array.from({ length: 10 }, (_, at) => {
          const spec = `rules: ${rules}\n  until: ${20 + at}s\n  cluster: { nodes: [{ name: a, agent: { nodeLeaseDurationSeconds: ${seconds} } }] }`;
          const scenario = scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  ${spec}\n`);
          return [...simulate(scenario).cluster.store.values('Lease')].find(({ metadata }) => metadata.name === 'a')?.spec.renewTime;
        }),
      ).size;
    for (const rules of ['specification', 'recorded']) {
      expect(renewals(rules, 40)).toBe(2);
      expect(renewals(rules, 8)).toBeGreaterThan(4);
    }
  },
  'scheduler/names-that-are-not-allowed-are-rejected'() {
    const flags = ['--requestheader-client-ca-file=h.crt', '--requestheader-allowed-names=front'];
    const codeOf = (proxy: string) => accessToScheduler(parseSchedulerFlags(flags).config, { path: '/healthz', proxy, user: 'eve' }).code;
    expect([codeOf('front'), codeOf('other')]).toEqual([200, 401]);
  },
};

describe('each rule about processes', () => {
  it('has a test, and each test a rule', () => {
    expect(Object.keys(CHECKS).sort()).toEqual(configSpecification.map(({ name }) => name).sort());
  });

  it.each(Object.entries(CHECKS))('%s', (_, check) => {
    check();
  });
});
