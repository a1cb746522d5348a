import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS, type Said } from './cli.ts';

describe('questions', () => {
  const ask = async (words: readonly string[], cwd = folderWith({ 'a.yaml': HOLDS })): Promise<Said> => cli(words, { cwd });

  it("why names the write, the decision's sentence and the causes down to the operation", async () => {
    const { code, out } = await ask(['why', 'Job/pi', 'a.yaml', '--at', '0s']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Job pi at 0\.000s \(step #\d+\)$/m);
    expect(out).toMatch(/^ {2}because {2}0 active, 0 succeeded, 0 failed: 2 more pods to create$/m);
    expect(out).toMatch(/^ +decided by job in controller-manager, step #\d+$/m);
    expect(out).toMatch(/scenario +apply Job\/pi\n$/);
  });

  it('why finds the write that changed a field, and every cause on request', async () => {
    const { out } = await ask(['why', 'job/pi', 'a.yaml', '--field', 'status.startTime']);
    expect(out).toMatch(/#\d+ +job +pi +update Job: status\.active = 2/);
    const all = await ask(['why', 'Job/pi', 'a.yaml', '--all', '--json']);
    const chain = await ask(['why', 'Job/pi', 'a.yaml', '--json']);
    const causes = ({ out: text }: Said): number => (JSON.parse(text) as { causes: unknown[] }).causes.length;
    expect(causes(all)).toBeGreaterThan(causes(chain));
  });

  it('why explains a step', async () => {
    expect((await ask(['why', '#2', 'a.yaml'])).out).toContain('create Job');
  });

  it('diff tells what changed, and which writes did it', async () => {
    const { out } = await ask(['diff', 'Job/pi', 'a.yaml']);
    expect(out).toContain('it came into being; since then');
    expect(out).toMatch(/^ {2}\+ status\.succeeded = 3$/m);
    expect(out).toMatch(/^ {2}\d+ writes in between:$/m);
    const later = JSON.parse((await ask(['diff', 'Job/pi', 'a.yaml', '--from', '500ms', '--json'])).out) as {
      existed: boolean;
      changes: { path: string; before: unknown; after: unknown }[];
    };
    expect(later.existed).toBe(true);
    expect(later.changes).toContainEqual({
      path: 'status.conditions[Complete]',
      after: expect.objectContaining({ status: 'True' }) as unknown,
    });
  });

  it('state --inside shows what a pod was given on its node, and what runs on a node', async () => {
    const text = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: dns }
spec:
  cluster: { nodes: [{ name: a, agent: { clusterDNS: [10.96.0.10], clusterDomain: cluster.local } }] }
  steps: [{ apply: { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "c:1" }] } } }]
`;
    const cwd = folderWith({ 'dns.yaml': text });
    const { out } = await ask(['state', 'Pod/web', 'dns.yaml', '--inside'], cwd);
    expect(out).toContain('hostname: web\n');
    expect(out).toContain(
      '  search default.svc.cluster.local svc.cluster.local cluster.local\n  nameserver 10.96.0.10\n  options ndots:5\n',
    );
    expect(JSON.parse((await ask(['state', 'Pod/web', 'dns.yaml', '--inside', '--json'], cwd)).out)).toMatchObject({ node: 'a' });
    const node: unknown = JSON.parse((await ask(['state', 'Node/a', 'dns.yaml', '--inside', '--json'], cwd)).out);
    expect(node).toMatchObject({ containers: [{ pod: 'default/web', stage: 'running', restarts: 0 }] });
    for (const target of ['Node/b', 'Service/a'])
      expect(await ask(['state', target, 'dns.yaml', '--inside'], cwd)).toMatchObject({ code: 2 });
  });

  it("state shows tables with the kinds' columns, one kind, or one object", async () => {
    const all = await ask(['state', 'a.yaml']);
    expect(all.out).toMatch(/^jobs\nNAME +COMPLETIONS +DURATION +AGE\npi +3\/3 /m);
    expect(all.out).toMatch(/^NAME +STATUS +ROLES +AGE +VERSION$/m);
    const pods = await ask(['state', 'po', 'a.yaml', '--at', '500ms']);
    expect(pods.out.match(/^pi-[a-z0-9]{5} /gm)).toHaveLength(2);
    const job = await ask(['state', 'Job/pi', 'a.yaml', '--at', '#2']);
    expect(job.out).toMatch(/^apiVersion: batch\/v1\nkind: Job\nmetadata:\n {2}name: pi\n/);
    expect(job.out).toContain('completions: 3');
  });

  it.each([
    [['why', 'Job/pii', 'a.yaml'], 'there never was a Job default/pii; did you mean Job/pi?'],
    [['why', 'Jop/pi', 'a.yaml'], 'there is no kind "Jop"; did you mean Job?'],
    [['why', 'pi', 'a.yaml'], 'expected a target such as Job/pi'],
    [['why', 'Pod', 'a.yaml'], 'there were 3 of kind Pod: name one of Pod/pi-'],
    [['why', 'Ingress', 'a.yaml'], 'there never was a Ingress'],
    [['why', 'Lease/node-00', 'a.yaml'], 'there never was a Lease default/node-00; did you mean Lease/orch-node-lease/node-0?'],
    [['state', 'a.yaml', '--at', 'noon'], '--at: expected a time such as 5s or 1h30m, a step such as #212, start or end, found "noon"'],
    [['state', 'a.yaml', '--at', '#99999'], '--at: expected a step up to #'],
    [['state', 'Job/pi', 'a.yaml', '--at', 'start'], 'Job pi is not there at 0.000s (the start)'],
    [['state', 'b.yaml'], 'b.yaml: no such file or folder'],
    [['why', 'Node/node-0', 'a.yaml', '--field', 'spec.taints'], 'nothing changed spec.taints of Node node-0 between the start and'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await ask(words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  describe('of a saved trace', () => {
    const files = (): string => folderWith({ 'a.yaml': HOLDS, 'bad.jsonl': '{"trace":"orchsim/v1","startAt":0}\n{"type":"wirte"}\n' });

    it.each([
      ['why', 'Job/pi'],
      ['diff', 'Job/pi'],
      ['state', 'Job/pi'],
      ['state', 'Pod'],
      ['why', '#5'],
    ])('%s %s answers as of its scenario', async (question, target) => {
      const cwd = files();
      await cli(['run', 'a.yaml', '--trace', 't.jsonl'], { cwd });
      expect(await ask([question, target, 't.jsonl'], cwd)).toEqual(await ask([question, target, 'a.yaml'], cwd));
    });

    it('names the line that is none', async () => {
      const { code, err } = await ask(['state', 'bad.jsonl'], files());
      expect({ code, err }).toEqual({ code: 2, err: 'bad.jsonl:2:1: expected a trace entry with id, at and a known type\n' });
    });

    it('needs one scenario', async () => {
      const folder = folderWith({ 'a.yaml': HOLDS, 'b.yaml': HOLDS.replaceAll('holds', 'other') });
      expect((await ask(['state', '.'], folder)).err).toContain(
        'expected one scenario, found 2 (holds, other); choose with --scenario NAME',
      );
      expect((await ask(['state', folder, '--scenario', 'other'], folder)).code).toBe(0);
    });
  });
});
