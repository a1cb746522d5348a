/** The registries with a user's definitions, and kinds from manifests. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { controllers as registered } from '../../../src/controlplane/controllers/index.ts';
import { faults as registeredFaults } from '../../../src/lab/faults/index.ts';
import { invariants as registeredInvariants } from '../../../src/lab/invariants/index.ts';
import * as lab from '../../../src/lab/definitions/index.ts';

const names = namesFor('orch.io');
const manifest = (kind: string, more = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
${more}`;
const one = { name: 'one', reconcile: () => undefined } as never;
const invariant = { name: 'test/one' } as never;
const userFault = {
  name: 'hiccup',
  description: 'It does something.',
  subject: { type: 'string', description: 'A process.' },
  parameters: {},
  apply: () => ({ detail: 'x' }),
} as never;

describe('the registries', () => {
  it('have the definitions of a user after the built-in ones', () => {
    const kinds = kindsFor(names);
    const builtIn = registered(kinds).map(({ name }) => name);
    const seen: unknown[] = [];
    const made = lab.controllersWith({
      controllers: [one, (given) => (seen.push(given), { ...(one as object), name: 'two' }) as never],
      without: ['job'],
    })(kinds);
    expect(made.map(({ name }) => name)).toEqual([...builtIn.filter((name) => name !== 'job'), 'one', 'two']);
    expect(seen).toEqual([kinds]);
    expect(
      lab
        .controllersWith({})(kinds)
        .map(({ name }) => name),
    ).toEqual(builtIn);
    const wrapped = lab.controllersWith({ controllers: [one] }, (controller, given) => ({
      ...controller,
      name: `${controller.name} of ${given.list().length}`,
    }))(kinds);
    expect(wrapped.map(({ name }) => name)).toEqual([...builtIn, `one of ${kinds.list().length}`]);
    expect([lab.invariantsWith({}), lab.invariantsWith({ invariants: [invariant] })]).toEqual([
      registeredInvariants,
      [...registeredInvariants, invariant],
    ]);
    expect(lab.faultsWith({})).toEqual(registeredFaults);
    expect(lab.faultsWith({ faults: [userFault] }).slice(registeredFaults.length)).toMatchObject([
      { name: 'hiccup', subject: { type: 'string', says: 'A process.' }, parameters: {} },
    ]);
    expect(lab.kindsWith(names, {})).toBe(lab.kindsWith(names, {}));
  });

  it('of several definitions have those of each, in order', () => {
    const definitions = { controllers: [one], without: ['job'], invariants: [invariant], faults: [userFault], kinds: [] };
    expect(lab.joinDefinitions([])).toBe(lab.NO_DEFINITIONS);
    expect(lab.joinDefinitions([definitions])).toBe(definitions);
    expect(lab.joinDefinitions([{}, definitions, { controllers: [one], without: ['cron-job'] }])).toEqual({
      ...definitions,
      controllers: [one, one],
      without: ['job', 'cron-job'],
    });
    expect(lab.defineConfig(definitions)).toBe(definitions);
  });
});

describe('kinds from manifests', () => {
  it('are those of all documents', () => {
    const text = `${manifest('Widget')}---\n${manifest('Gadget')}`;
    expect(lab.customKinds(text).map((made) => (typeof made === 'function' ? '' : made.kind))).toEqual(['Widget', 'Gadget']);
  });

  it('have all problems, each with its place', () => {
    const problems = (text: string): unknown => {
      const read = lab.readCustomKinds(text, 'widget.yaml');
      return 'problems' in read ? read.problems : read;
    };
    expect(problems('')).toEqual(['widget.yaml: expected a CustomResourceDefinition, found nothing']);
    expect(problems('a: [')).toEqual([expect.stringMatching(/^widget\.yaml:\d+:\d+: /)]);
    expect(problems(`${manifest('Widget')}---\nkind: Pod\n`)).toEqual(['widget.yaml:10: kind: expected CustomResourceDefinition']);
    expect(() => lab.customKinds('kind: Pod')).toThrow(/^custom resources:1: /);
    expect(() => lab.customKinds('', 'x.yaml')).toThrow('x.yaml: expected a CustomResourceDefinition, found nothing');
  });
});
