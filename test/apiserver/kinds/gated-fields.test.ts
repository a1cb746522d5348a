/** Fields behind gates: they are dropped from writes while their gate is off, unless the stored object has them. */
import { describe, expect, it } from 'vitest';
import { gatedHooks } from '../../../src/apiserver/machinery/gated.ts';
import { list, obj, str } from '../../../src/schema/shape/index.ts';
import type { Facets, ObjectShape, Schema } from '../../../src/schema/shape/index.ts';

const since = <S extends Schema>(schema: S, gate: NonNullable<Facets['since']>): S => ({ ...schema, since: gate });
const SHAPE = obj('Thing', {
  plain: str(),
  top: since(str(), 'Top'),
  spec: obj('ThingSpec', {
    field: since(str(), 'Field'),
    mode: since(str(), { gate: 'Mode', becomes: 'Old' }),
    strict: since(str(), { gate: 'Strict', ruled: true }),
    inner: obj('Inner', { deep: since(str(), 'Field') }),
    items: list(obj('Item', { name: str(), extra: since(str(), 'Item') })),
  }),
  status: obj('ThingStatus', { seen: since(str(), 'Seen') }),
});
const WHOLE = {
  plain: 'p',
  top: 't',
  spec: { field: 'f', mode: 'New', strict: 's', inner: { deep: 'd' }, items: [{ name: 'a', extra: 'x' }, { name: 'b' }] },
  status: { seen: 'y' },
  metadata: {},
};
const GATES = ['Top', 'Field', 'Mode', 'Strict', 'Item', 'Seen'];
const contextOf = (on: readonly string[] = [], rules = 'specification') =>
  ({ gates: Object.fromEntries(GATES.map((gate) => [gate, on.includes(gate)])), rules }) as never;

type Hook = 'create' | 'update' | 'updateStatus';
const hookOf = (name: Hook, shape: ObjectShape = SHAPE) =>
  gatedHooks(shape)[name] as unknown as
    | { readonly reads: readonly string[]; concerns(object: unknown, context: never): boolean; run(...given: readonly unknown[]): void }
    | undefined;
const hooks = { create: hookOf('create'), update: hookOf('update'), updateStatus: hookOf('updateStatus') };

/** What is left of the whole object. */
function left(name: Hook, context: never, old: unknown = { spec: {}, status: {}, metadata: {} }): object {
  const draft = structuredClone(WHOLE);
  if (name === 'create') hooks.create?.run(draft, context);
  else hooks[name]?.run(draft, old, context);
  return draft;
}

describe('a new object', () => {
  it('has no field of a gate that is off', () => {
    expect(left('create', contextOf())).toEqual({
      plain: 'p',
      spec: { mode: 'Old', inner: {}, items: [{ name: 'a' }, { name: 'b' }] },
      status: {},
      metadata: {},
    });
    expect(left('create', contextOf(GATES))).toEqual(WHOLE);
    expect(left('create', contextOf(['Item', 'Mode', 'Top']))).toEqual({
      plain: 'p',
      top: 't',
      spec: { mode: 'New', inner: {}, items: [{ name: 'a', extra: 'x' }, { name: 'b' }] },
      status: {},
      metadata: {},
    });
  });

  it('keeps what is dropped only by the rules of the specification', () => {
    expect((left('create', contextOf([], 'recorded')) as typeof WHOLE).spec.strict).toBe('s');
    expect((left('create', contextOf()) as Partial<typeof WHOLE>).spec?.strict).toBeUndefined();
  });

  it('concerns the hook where it has such a field', () => {
    const concerned = (object: object, ...on: readonly string[]) => hooks.create?.concerns(object, contextOf(on));
    expect([
      concerned(WHOLE),
      concerned(WHOLE, ...GATES),
      concerned({ spec: {} }),
      concerned({ spec: { items: [{ name: 'a' }, { extra: 'x' }] } }),
      concerned({ spec: { items: [{ extra: 'x' }] } }, 'Item'),
      concerned({ spec: { mode: 'Old' } }),
      concerned({ spec: { mode: 'New' } }),
      concerned({ top: 't' }),
      concerned({ status: { seen: 'y' } }),
      concerned({ spec: { inner: { deep: 'd' } } }),
      concerned({ spec: { inner: 'x', items: 'y' } }),
    ]).toEqual([true, false, false, true, false, false, true, true, true, true, false]);
  });
});

describe('an update', () => {
  it('drops what the stored object does not have', () => {
    expect(left('update', contextOf())).toEqual({
      plain: 'p',
      spec: { mode: 'Old', inner: {}, items: [{ name: 'a' }, { name: 'b' }] },
      status: { seen: 'y' },
      metadata: {},
    });
    expect(left('update', contextOf(), { spec: { inner: { deep: 'old' } }, metadata: {} })).toEqual({
      plain: 'p',
      spec: { field: 'f', mode: 'Old', inner: { deep: 'd' }, items: [{ name: 'a' }, { name: 'b' }] },
      status: { seen: 'y' },
      metadata: {},
    });
    expect(left('update', contextOf(), { spec: { items: [{}, { extra: 'old' }], mode: 'Newer' }, top: 'old', metadata: {} })).toEqual({
      plain: 'p',
      top: 't',
      spec: { mode: 'New', inner: {}, items: [{ name: 'a', extra: 'x' }, { name: 'b' }] },
      status: { seen: 'y' },
      metadata: {},
    });
    expect(left('update', contextOf(), { spec: { mode: 'Old' }, metadata: {} })).toEqual({
      plain: 'p',
      spec: { mode: 'Old', inner: {}, items: [{ name: 'a' }, { name: 'b' }] },
      status: { seen: 'y' },
      metadata: {},
    });
  });

  it('of the status drops its fields alone', () => {
    expect(left('updateStatus', contextOf())).toEqual({
      plain: 'p',
      top: 't',
      spec: { field: 'f', mode: 'New', strict: 's', inner: { deep: 'd' }, items: [{ name: 'a', extra: 'x' }, { name: 'b' }] },
      status: {},
      metadata: {},
    });
    expect(left('updateStatus', contextOf(), { status: { seen: 'old' } })).toEqual(WHOLE);
  });

  it('reads the parts that have such fields', () => {
    expect([hooks.create?.reads, hooks.update?.reads, hooks.updateStatus?.reads]).toEqual([
      ['other', 'spec', 'status'],
      ['other', 'spec'],
      ['status'],
    ]);
    expect(gatedHooks(obj('Plain', { spec: obj('PlainSpec', { a: str() }) }))).toEqual({
      create: undefined,
      update: undefined,
      updateStatus: undefined,
    });
  });
});

it('a struct that contains itself is searched once', () => {
  const fields: Record<string, Schema> = { gated: since(str(), 'Field') };
  const self = obj('Self', fields);
  fields['self'] = self;
  expect(hookOf('create', obj('K', { spec: self }))?.concerns({ spec: { gated: 'x' } }, contextOf())).toBe(true);
});

it('profiles of containers are dropped from pods and from templates of them', () => {
  const pod = (metadata: object) =>
    obj('Pod', {
      spec: obj('PodSpec', { containers: list(obj('Container', { extra: since(str(), 'Item') })) }),
      metadata: obj('Meta', metadata as never),
    });
  const hook = hookOf('create', pod({}));
  const draft = {
    metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'x', other: 'y' } },
    spec: { containers: [{}] },
  };
  const context = { gates: { Item: true, ProfileConfinement: false } } as never;
  expect(hook?.concerns(draft, context)).toBe(true);
  hook?.run(draft, context);
  expect(draft.metadata.annotations).toEqual({ other: 'y' });
  expect([hook?.concerns({ metadata: { annotations: { other: 'y' } }, spec: {} }, context), hook?.reads]).toEqual([
    false,
    ['spec', 'annotations'],
  ]);
  const kept = { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'x' } }, spec: { containers: [{}] } };
  hook?.run(kept, { gates: { Item: true, ProfileConfinement: true } });
  expect(Object.keys(kept.metadata.annotations)).toHaveLength(1);
});
