/**
 * All rules in which the specification and v1.24 differ: a violation is refused in one mode and gives a warning in the other; the
 * conforming object is accepted in both.
 */
import { describe, expect, it } from 'vitest';
import { kindsFor, specificationOf } from '../../../../src/apiserver/kinds/index.ts';
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { type ApiObject, isRuleWarning, isWriteRule, namesFor, type RulesMode } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';
import { behaviors } from './behaviors.ts';
import { EXAMPLES, type RuleExample } from './examples.ts';

const GATES = { NetworkPolicyStatus: true };
const names = namesFor('orch.io');
const kinds = kindsFor(names);
const rules = specificationOf(names);

/** Returns the object of an example as a client writes it. */
const objectOf = (kind: string, fields: Readonly<Record<string, unknown>>): ApiObject => {
  const found = kinds.byKind(kind);
  if (found === undefined) throw new Error(`no kind is named ${kind}`);
  const { metadata = {}, ...rest } = fields as { readonly metadata?: object };
  return { apiVersion: kinds.apiVersionOf(found), kind, metadata: { name: 'x', ...metadata }, ...rest } as ApiObject;
};

/** Writes an object of an example in a mode, and returns the response. */
function write({ kind, status, before = [] }: RuleExample, fields: Readonly<Record<string, unknown>>, rulesMode: RulesMode) {
  const { server, ok } = setup('orch.io', GATES, { rules: rulesMode });
  const place = kinds.byKind(kind)?.namespaced === true ? { namespace: 'default' } : {};
  for (const body of before as unknown as readonly ApiObject[]) ok({ verb: 'create', kind: body.kind, namespace: 'default', body });
  if (status === undefined)
    return { response: server.handle(envelopeOf('client', { verb: 'create', kind, ...place, body: objectOf(kind, fields) })) };
  const base = objectOf(kind, status);
  const { name } = ok({ verb: 'create', kind, ...place, body: base }).metadata;
  // The current object: the server may have written it again after the creation.
  const { metadata } = ok({ verb: 'get', kind, ...place, name });
  const body = { ...base, metadata, ...fields };
  return {
    response: server.handle(envelopeOf('client', { verb: 'update', kind, ...place, name: metadata.name, subresource: 'status', body })),
  };
}

describe('each rule that refuses', () => {
  const refusing = rules.filter(isWriteRule);

  it('has an example, and each example a rule', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(refusing.map(({ name }) => name).sort());
  });

  it.each(refusing.map(({ name, kind }) => [name, kind] as const))('%s', (name, kind) => {
    const example = EXAMPLES[name];
    if (example === undefined) throw new Error(`test/apiserver/kinds/specification/examples.ts has none for the rule ${name}`);
    expect(example.kind).toBe(kind);

    const refused = write(example, example.refused, 'specification').response;
    expect(refused.ok, 'it was let pass').toBe(false);
    if (refused.ok) return;
    expect([refused.code, refused.status.reason]).toEqual([422, 'Invalid']);
    expect(refused.status.details?.causes?.map(({ field }) => field)).toEqual(example.names);

    const reported = write(example, example.refused, 'recorded').response;
    expect(reported.ok, reported.ok ? '' : reported.status.message).toBe(true);
    expect(reported.warnings?.filter(isRuleWarning).map((text) => text.split(': ').slice(0, 2))).toEqual(
      example.names.map((field) => [`rule ${name}`, field]),
    );

    for (const mode of ['specification', 'recorded'] as const) {
      const accepted = write(example, example.accepted, mode).response;
      expect(accepted.ok, accepted.ok ? '' : accepted.status.message).toBe(true);
      expect(accepted.warnings?.filter(isRuleWarning) ?? []).toEqual([]);
    }
  });
});

describe('each rule about behavior', () => {
  const others = rules.filter((rule) => !isWriteRule(rule)).map(({ name }) => name);

  it('has a test, and each test a rule', () => {
    expect(Object.keys(behaviors).sort()).toEqual([...others].sort());
  });

  it.each(others)('%s', (name) => {
    const check = behaviors[name];
    if (check === undefined) throw new Error(`test/apiserver/kinds/specification/behaviors.ts has none for the rule ${name}`);
    check();
  });
});

describe('rules', () => {
  it('have unique names that begin with their kind, and a source', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const { name, place, statement, recorded } of rules) {
      expect(name).toMatch(/^[a-z-]+\/[a-z-]+$/);
      expect(place).toMatch(/^resource-api\.md: /);
      expect([statement, recorded]).not.toContain('');
    }
  });

  it('are enforced in the neutral domain and give warnings in the other, unless configured otherwise', () => {
    const body = (domain: string) =>
      ({ apiVersion: `networking.${domain}/v1`, kind: 'NetworkPolicy', metadata: { name: 'x' }, spec: {} }) as unknown as ApiObject;
    const write = (domain: 'orch.io' | 'k8s.io', rulesMode?: RulesMode) =>
      setup(domain, {}, { rules: rulesMode }).server.handle(
        envelopeOf('client', { verb: 'create', kind: 'NetworkPolicy', namespace: 'default', body: body(domain) }),
      ).code;
    expect([write('orch.io'), write('k8s.io'), write('orch.io', 'recorded'), write('k8s.io', 'specification')]).toEqual([
      422, 201, 201, 422,
    ]);
  });

  it('apply to new or changed members', () => {
    const { ok, server } = setup('orch.io');
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { clusterIP: 'None' } } as unknown as ApiObject;
    ok({ verb: 'create', kind: 'Service', namespace: 'default', body: service });
    const example = EXAMPLES['stateful-set/service-comes-first'];
    const set = ok({ verb: 'create', kind: 'StatefulSet', namespace: 'default', body: objectOf('StatefulSet', example?.accepted ?? {}) });
    server.handle(envelopeOf('client', { verb: 'delete', kind: 'Service', namespace: 'default', name: 'web' }));
    const spec = { ...(set['spec'] as object), replicas: 2 };
    expect(ok({ verb: 'update', kind: 'StatefulSet', namespace: 'default', name: 'x', body: { ...set, spec } })['spec']).toMatchObject({
      replicas: 2,
    });
  });

  it.each([
    ['EndpointSlice', 'endpoints', (list: unknown) => ({ addressType: 'IPv4', endpoints: list }), [{ addresses: ['10.0.0.1'] }]],
    ['CSINode', 'spec.drivers', (list: unknown) => ({ spec: { drivers: list } }), [{ name: 'd', nodeID: 'n' }]],
  ] as const)('let the empty list of %s come back as it is shown, and refuse %s of null otherwise', (kind, field, of, full) => {
    const { server, ok } = setup('orch.io');
    const place = kind === 'CSINode' ? {} : { namespace: 'default' };
    const send = (verb: 'create' | 'update', name: string, list: unknown) => {
      const body = objectOf(kind, { metadata: { name }, ...of(list) });
      const envelope =
        verb === 'create'
          ? { verb, kind, ...place, body }
          : {
              verb,
              kind,
              ...place,
              name,
              body: { ...ok({ verb: 'get', kind, ...place, name }), ...body, metadata: ok({ verb: 'get', kind, ...place, name }).metadata },
            };
      return server.handle(envelopeOf('client', envelope));
    };
    const causesOf = (response: ReturnType<typeof send>) =>
      response.ok ? response.code : response.status.details?.causes?.map((one) => one.field);
    expect(causesOf(send('create', 'none', null))).toEqual([field]);
    expect(causesOf(send('create', 'none', undefined))).toEqual([field]);
    expect(causesOf(send('create', 'empty', []))).toBe(201);
    expect(causesOf(send('update', 'empty', null))).toBe(200);
    expect(causesOf(send('update', 'empty', undefined))).toEqual([field]);
    expect(causesOf(send('create', 'full', full))).toBe(201);
    expect(causesOf(send('update', 'full', null))).toEqual([field]);
  });

  it.each([
    ['StatefulSet', 'stateful-set/replicas-are-counted', { replicas: 0 }],
    ['VolumeAttachment', 'volume-attachment/attached-or-not', { attached: false }],
  ] as const)('apply to the status of a %s as sent, where the server would use the stored value', (kind, rule, status) => {
    const { server, ok } = setup('orch.io');
    const example = EXAMPLES[rule];
    for (const body of (example?.before ?? []) as unknown as readonly ApiObject[])
      ok({ verb: 'create', kind: body.kind, namespace: 'default', body });
    const place = { kind, ...(kinds.byKind(kind)?.namespaced === true ? { namespace: 'default' } : {}), name: 'x' };
    ok({ ...place, verb: 'create', body: objectOf(kind, example?.status ?? {}) });
    const send = (subresource: 'status' | undefined, sent: object) => {
      const body = { ...ok({ ...place, verb: 'get' }), status: sent };
      return server.handle(envelopeOf('client', { ...place, verb: 'update', ...(subresource === undefined ? {} : { subresource }), body }))
        .code;
    };
    expect(send('status', status)).toBe(200);
    expect(send('status', {})).toBe(422);
    // The document has no status.
    expect(send(undefined, {})).toBe(200);
    const stored = ok({ ...place, verb: 'get' });
    expect(stored['status']).toMatchObject(status);
    const patch = { verb: 'patch', patchType: 'merge', subresource: 'status', body: { metadata: { labels: { a: 'b' } } } } as const;
    expect(server.handle(envelopeOf('client', { ...place, ...patch })).code).toBe(200);
  });

  it('apply to patches and server-side apply as to any other write', () => {
    const { server, ok } = setup('orch.io');
    const body = objectOf('NetworkPolicy', { spec: { podSelector: { matchLabels: { a: 'b' } } } });
    ok({ verb: 'create', kind: 'NetworkPolicy', namespace: 'default', body });
    const patch = (patchType: 'merge' | 'strategic' | 'apply', name: string, sent: unknown) =>
      server.handle(
        envelopeOf('client', {
          verb: 'patch',
          kind: 'NetworkPolicy',
          namespace: 'default',
          name,
          patchType,
          body: sent,
          ...(patchType === 'apply' ? { fieldManager: 'me' } : {}),
        }),
      ).code;
    expect(patch('merge', 'x', { metadata: { labels: { c: 'd' } } })).toBe(200);
    expect(patch('merge', 'x', { spec: { podSelector: null } })).toBe(422);
    expect(patch('strategic', 'x', { spec: { podSelector: null } })).toBe(422);
    expect(patch('apply', 'y', { ...objectOf('NetworkPolicy', { spec: { ingress: [] } }), metadata: { name: 'y' } })).toBe(422);
  });
});
