/** Which parts of a line are read: bodies are most of a log, and those that say nothing are skipped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/lab/incident/read-line.ts';
import { recordOf } from '../../../src/lab/incident/records.ts';
import { controller, eventOf, KINDS, type Sent } from './log.ts';

const kindOf = ({ group, resource }: { readonly group: string; readonly resource: string }): string | undefined =>
  KINDS.byPlural(group, resource)?.kind;
const NODE = 'system:node:n';
const POD = { kind: 'Pod', metadata: { name: 'p' } };
const bodies = (sent: Partial<Sent> = {}): Sent => ({
  verb: 'update',
  of: 'pods',
  name: 'p',
  user: NODE,
  body: { kind: 'Pod', spec: {} },
  answer: POD,
  ...sent,
});

/** Which of the bodies of a request are read. */
const readOf = (sent: Sent): readonly string[] =>
  ['requestObject', 'responseObject'].filter((name) => Object.hasOwn(parseLine(JSON.stringify(eventOf(sent, 0)), kindOf) as object, name));
const BOTH = ['requestObject', 'responseObject'];

describe('the bodies of a line', () => {
  it.each([
    ['of a client are read', { user: 'jane' }, BOTH],
    ["of a component's write are its answer", {}, ['responseObject']],
    ["of a component's report are its answer", { of: 'pods/status' }, ['responseObject']],
    ['beneath an object are read', { of: 'pods/binding', verb: 'create' }, BOTH],
    ['of a deletion are read', { verb: 'delete' }, BOTH],
    ['of a refusal are read', { code: 300 }, BOTH],
    ['of the last answer that is none are not', { code: 299 }, ['responseObject']],
    ['of an unknown code are read', { more: { responseStatus: {} } }, BOTH],
    ['with another answer are read', { answer: { kind: 'Status' } }, BOTH],
    ['of a kind that says nothing are skipped', { of: 'endpoints', answer: { kind: 'Endpoints' } }, []],
    ['of a request for a lease are skipped', { of: 'leases', group: 'coordination.k8s.io', user: 'jane' }, []],
    ['of another stage are skipped', { more: { stage: 'RequestReceived' } }, []],
    ['of a request without an answer are read', { answer: undefined }, ['requestObject']],
    ['of a request without a body are read', { body: undefined }, ['responseObject']],
    ["of a controller by its program's name are its answer", { user: 'system:kube-controller-manager' }, ['responseObject']],
  ] as readonly (readonly [string, Partial<Sent>, readonly string[]])[])('%s', (_, sent, read) => {
    expect(readOf(bodies(sent))).toEqual(read);
    const event = JSON.stringify(eventOf(bodies(sent), 0));
    if (read.length > 0) expect(recordOf(parseLine(event, kindOf), 'p', kindOf)).toEqual(recordOf(JSON.parse(event), 'p', kindOf));
  });

  it('stand between who asked and when, in a line of a server; others are read whole', () => {
    const { requestReceivedTimestamp, verb, user, ...rest } = eventOf(bodies({ more: { stage: 'RequestReceived' } }), 0) as Readonly<
      Record<string, unknown>
    >;
    const whole = (line: object): void => {
      expect(parseLine(JSON.stringify(line), kindOf)).toEqual(JSON.parse(JSON.stringify(line)));
    };
    whole({ requestReceivedTimestamp, ...rest, verb, user });
    whole({ verb, ...rest, user, requestReceivedTimestamp });
    whole({ verb, user, objectRef: rest['objectRef'], requestReceivedTimestamp });
    whole({ verb, user, stage: 'RequestReceived', requestObject: {}, timestamp: 1 });
    whole({ verb: '', user, requestObject: {} });
  });

  it('are no JSON in a line that is cut', () => {
    const line = JSON.stringify(eventOf(bodies({ user: 'jane' }), 0));
    expect(parseLine(line, kindOf)).toBeDefined();
    expect([parseLine(line.slice(0, -1), kindOf), parseLine(line.slice(0, 40), kindOf), parseLine('', kindOf)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what a line says of its object', () => {
  const read = (sent: Sent): object => recordOf(JSON.parse(JSON.stringify(eventOf(sent, 0))), 'p', kindOf) as object;
  const labelled = (kind: string, more: object = {}): object => ({ kind, metadata: { name: 'a', labels: { x: 'y' }, ...more } });

  it('is the answer, or what was created', () => {
    const labels = (sent: Partial<Sent>) => {
      const {
        name,
        labels: found,
        identity,
      } = read(bodies({ name: undefined as never, ...sent })) as { name?: string; labels: object; identity?: object };
      return [name, found, identity];
    };
    expect(labels({ answer: labelled('Pod') })).toEqual(['a', { x: 'y' }, { namespace: 'default', name: 'a' }]);
    expect(labels({ verb: 'create', body: labelled('Pod'), answer: undefined })).toEqual([
      'a',
      { x: 'y' },
      { namespace: 'default', name: 'a' },
    ]);
    expect(labels({ verb: 'create', of: 'pods/binding', body: labelled('Pod'), answer: undefined })).toEqual(['a', {}, undefined]);
    expect(labels({ verb: 'patch', body: labelled('Pod'), answer: undefined })).toEqual(['a', {}, undefined]);
    expect(labels({ verb: 'patch', body: {}, answer: labelled('Pod'), code: 300 })).toEqual([undefined, {}, undefined]);
    expect(labels({ of: 'widgets', answer: labelled('Widget'), body: {} })).toEqual([undefined, {}, undefined]);
    expect(labels({ of: 'widgets', verb: 'create', answer: {}, body: labelled('Widget') })).toEqual(['a', { x: 'y' }, undefined]);
  });

  it('is its state, also of its replicas; of other requests there is none', () => {
    const facts = (sent: Partial<Sent>) => [...(read(bodies(sent)) as { facts: ReadonlyMap<string, string> }).facts];
    expect(facts({ of: 'pods/status', answer: { ...POD, status: { phase: 'Running' } } })).toEqual([['phase', 'Running']]);
    expect(
      facts({
        of: 'deployments/scale',
        group: 'apps',
        verb: 'patch',
        body: { spec: { replicas: 3 } },
        answer: { kind: 'Scale', spec: { replicas: 4 } },
      }),
    ).toEqual([['replicas', '3']]);
    expect(
      facts({ of: 'deployments', group: 'apps', verb: 'patch', body: {}, answer: { kind: 'Deployment', spec: { replicas: 4 } } }),
    ).toEqual([['replicas', '4']]);
    expect(facts({ of: 'pods/eviction', verb: 'create', body: {}, answer: { ...POD, status: { phase: 'Running' } } })).toEqual([]);
    expect(facts({ of: 'pods/status', body: { target: { name: 'n' } }, answer: POD })).toEqual([]);
  });

  it('is a query where the path has one', () => {
    const query = (requestURI: string | undefined) =>
      (read({ ...bodies({ user: 'jane' }), more: { requestURI } }) as { query?: URLSearchParams }).query?.toString();
    expect([query(undefined), query('/a'), query('?x=1'), query('/a?'), query('/a?b=c&d')]).toEqual([
      undefined,
      undefined,
      'x=1',
      '',
      'b=c&d=',
    ]);
  });

  it('is at the time of the stage where none was received, and no dry run by its name alone', () => {
    expect(
      read({ ...bodies(), more: { requestReceivedTimestamp: undefined, stageTimestamp: '2024-03-01T00:00:09.000000Z' } }),
    ).toMatchObject({ time: '2024-03-01T00:00:09.000000Z' });
    expect(read({ ...bodies(), more: { requestURI: '/dryRun=/a?b=c' } })).toMatchObject({ verb: 'update' });
    expect(read({ ...bodies(), more: { requestURI: '/a?xdryRun=All' } })).toMatchObject({ verb: 'update' });
  });
});

it('the record of a line is that of the whole line, whatever its bodies say', () => {
  const object = fc.record({
    kind: fc.constantFrom('Pod', 'Status', 'Job', 'ConfigMap'),
    metadata: fc.record({ name: fc.constantFrom('a', 'b') }),
    status: fc.constantFrom(undefined, { phase: 'Running' }, { phase: 'Failed' }),
    text: fc.constantFrom('', ',"responseObject":', ',"requestReceivedTimestamp":"z"', '}{', '"', ',"requestObject":{'),
  });
  const sent: fc.Arbitrary<Sent> = fc.record({
    verb: fc.constantFrom('create', 'update', 'patch', 'delete', 'get'),
    of: fc.constantFrom('pods', 'pods/status', 'pods/binding', 'jobs', 'configmaps', 'unknowns'),
    name: fc.constantFrom('a', 'b'),
    user: fc.constantFrom('jane', 'system:node:n', 'system:kube-scheduler', controller('job'), 'system:apiserver'),
    code: fc.constantFrom(200, 201, 404),
    body: fc.option(object, { nil: undefined }),
    answer: fc.option(object, { nil: undefined }),
    more: fc.constantFrom({}, { stage: 'RequestReceived' }, { requestURI: '/x?dryRun=All' }),
  });
  fc.assert(
    fc.property(sent, (each) => {
      const text = JSON.stringify(eventOf(each, 1));
      expect(recordOf(parseLine(text, kindOf), 'p', kindOf)).toEqual(recordOf(JSON.parse(text), 'p', kindOf));
    }),
    { numRuns: 1500, seed: 20_261_128 },
  );
});
