/** The stages of the writes of a kind, in their order, as people read them. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { plansOf } from '../../../src/apiserver/write/index.ts';

const registry = kindsFor(namesFor('k8s.io'));
const plugin = (name: string) => ({ name, verbs: [], mutate: () => {}, validate: () => {} });

/** A line for each write: its stages. The plug-ins are named after the write that they are asked for. */
function linesOf(name: string): readonly string[] {
  const kind = registry.byKind(name);
  if (kind === undefined) throw new Error(name);
  const plans = plansOf(kind, (...of) => ({ mutating: [plugin(`M ${of.join()}`)], validating: [plugin(`V ${of.join()}`)] }));
  return [...plans].map(([write, plan]) => `${write}: ${plan.map((stage) => stage.name.replace('admission: ', '')).join(' > ')}`);
}

it.each<[kind: string, lines: readonly string[]]>([
  [
    'ConfigMap',
    [
      'create: managed fields > name > M create > duplicate owner references > server metadata > complete > validation > rules of the specification > V create > name is free > commit',
      'update: managed fields > M update > resourceVersion > server metadata > shared members > complete > validation > rules of the specification > V update > commit',
    ],
  ],
  [
    'Job',
    [
      'create: defaults > managed fields > name > M create > duplicate owner references > server metadata > prepare for create > prepare for create > complete > validation > rules of the specification > V create > name is free > warnings > commit',
      'update: defaults > managed fields > M update > resourceVersion > server metadata > prepare for update > prepare for update > shared members > generation > complete > validation > rules of the specification > V update > warnings > commit',
      'update of the status: defaults > managed fields > M update,status > resourceVersion > status isolation > server metadata > complete > validation > rules of the specification > V update,status > warnings > commit',
    ],
  ],
  [
    'CustomResourceDefinition',
    [
      'create: managed fields > name > M create > duplicate owner references > server metadata > prepare for create > complete > validation > rules of the specification > V create > name is free > commit',
      'update: managed fields > M update > resourceVersion > server metadata > prepare for update > shared members > generation > complete > validation > rules of the specification > V update > commit',
      'update of the status: managed fields > M update,status > resourceVersion > server metadata > prepare for update > complete > validation > rules of the specification > V update,status > commit',
    ],
  ],
])('of a %s', (kind, lines) => expect(linesOf(kind)).toEqual(lines));
