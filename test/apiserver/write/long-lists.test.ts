/**
 * An update of a long list is decoded, frozen, validated and hashed where it differs from the stored list. Beside it runs a server that gets
 * a copy of each body, and so knows nothing of it: for random changes both give the same bytes, errors and warnings included.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDigest, createRandom } from '../../../src/engine/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor, type ObjectInput, RULES_MODES, type RulesMode } from '../../../src/apiserver/machinery/index.ts';
import { bootstrap, createServer } from '../../../src/apiserver/handlers/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { type Tape, tapeOf } from '../../support/hostile.ts';

const names = namesFor('k8s.io');
const LENGTH = 40;

function worldOf(rules: RulesMode) {
  const store = createStore();
  const digest = createDigest();
  const random = createRandom(7).stream('server');
  const server = createServer({ kinds: kindsFor(names), store, names, gates: {}, rules, random, now: () => 0, entry: () => 0 });
  bootstrap(server, names);
  store.onChange(({ object }) => digest.mixRevision(undefined, object));
  const handle = (request: ApiRequest, base?: ApiObject): string => {
    const envelope = envelopeOf('client', request);
    const answer = JSON.stringify(server.handle(base === undefined ? envelope : { ...envelope, base }));
    return `${answer} ${digest.text()}`;
  };
  return { store, handle };
}

type Item = Readonly<Record<string, unknown>>;

interface Subject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: (numbers: readonly number[]) => readonly Item[];
  /** What a change may put in place of an item. */
  readonly others: (number: number) => readonly unknown[];
  readonly bodyOf: (lists: readonly (readonly unknown[])[], tape: Tape) => Readonly<Record<string, unknown>>;
  readonly listsOf: (object: ApiObject) => readonly (readonly unknown[])[];
}

const ipOf = (number: number): string => `10.0.${number >> 8}.${number & 255}`;
const targetOf = (number: number): Item => ({ kind: 'Pod', namespace: 'default', name: `web-${number}`, uid: `u-${number}` });

type Subsets = readonly { readonly addresses?: readonly unknown[]; readonly notReadyAddresses?: readonly unknown[] }[];

const SUBJECTS: readonly Subject[] = [
  {
    kind: 'Endpoints',
    apiVersion: 'v1',
    items: (numbers) => numbers.map((number) => ({ ip: ipOf(number), nodeName: 'n', targetRef: targetOf(number) })),
    others: (number) => [
      { ip: '127.0.0.1' },
      { ip: ipOf(number), hostname: 'A_' },
      { nodeName: 'n', ip: ipOf(number) },
      null,
      7,
      { ip: ipOf(1) },
    ],
    bodyOf: ([addresses = [], notReadyAddresses = []]) => ({
      subsets: [{ addresses, notReadyAddresses, ports: [{ port: 80, protocol: 'TCP' }] }],
    }),
    listsOf: (object) => {
      const [subset] = object['subsets'] as Subsets;
      return [subset?.addresses ?? [], subset?.notReadyAddresses ?? []];
    },
  },
  {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    items: (numbers) =>
      numbers.map((number) => ({ addresses: [ipOf(number)], conditions: { ready: true }, targetRef: targetOf(number), zone: 'a' })),
    others: (number) => [
      { addresses: ['::1'], conditions: {} },
      { addresses: [ipOf(number)], conditions: { ready: true, terminating: true } },
      { addresses: [ipOf(number)], conditions: {}, deprecatedTopology: { a: 'b' } },
      { addresses: [ipOf(number), ipOf(number)], conditions: {} },
      { addresses: [ipOf(number)], conditions: {}, hints: { forZones: [{ name: '' }] } },
      { addresses: [ipOf(1)], conditions: {} },
      null,
    ],
    bodyOf: ([first = [], second = []], tape) => ({
      addressType: tape.once(20) ? 'IPv6' : 'IPv4',
      endpoints: [...first, ...second],
      ports: [],
    }),
    listsOf: (object) => [(object['endpoints'] ?? []) as readonly unknown[], []],
  },
];

/** The lists with a few changes: items that come, go, are replaced, repeated, or move to the other list. */
function edited(lists: readonly (readonly unknown[])[], { items, others }: Subject, tape: Tape): readonly (readonly unknown[])[] {
  const result = lists.map((list) => [...list]);
  for (let times = 1 + tape.below(3); times > 0; times--) {
    const list = tape.pick(result);
    const at = tape.below(list.length + 1);
    const number = 100 + tape.below(200);
    const fresh = tape.once(4) ? tape.pick(others(number)) : items([number])[0];
    switch (tape.below(6)) {
      case 0:
        list.splice(at, 1);
        break;
      case 1:
        list.splice(at, 1, fresh);
        break;
      case 2:
        tape.pick(result).push(...list.splice(at, 1));
        break;
      case 3:
        if (list[at] !== undefined) tape.pick(result).push(tape.once(2) ? list[at] : structuredClone(list[at]));
        break;
      default:
        list.splice(at, 0, fresh);
    }
  }
  return result;
}

describe.each(SUBJECTS.flatMap((subject) => RULES_MODES.map((rules) => [subject.kind, rules, subject] as const)))(
  '%s by %s',
  (_, rules, subject) => {
    it('is updated as if nothing were known', () => {
      const { kind, apiVersion, items, bodyOf, listsOf } = subject;
      const where = { kind, namespace: 'default' };
      let accepted = 0;
      fc.assert(
        fc.property(fc.array(fc.nat(0xffff), { minLength: 400, maxLength: 400 }), (numbers) => {
          const sharing = worldOf(rules);
          const copying = worldOf(rules);
          const tape = tapeOf(numbers);
          const all = items(Array.from({ length: LENGTH }, (__, at) => 2 + at));
          const metadata = { name: 'web', namespace: 'default' };
          const body: ObjectInput = { kind, apiVersion, metadata, ...bodyOf([all.slice(0, -2), all.slice(-2)], tapeOf([1])) };
          const create: ApiRequest = { ...where, verb: 'create', body };
          expect(sharing.handle(create)).toBe(copying.handle(structuredClone(create)));
          for (let step = 0; step < 12; step++) {
            const stored = sharing.store.get(kind, 'default/web');
            if (stored === undefined) throw new Error('it is stored');
            const annotations = { step: String(step) };
            const next = bodyOf(edited(listsOf(stored), subject, tape), tape);
            const object: ObjectInput = { ...stored, metadata: { ...stored.metadata, annotations }, ...next };
            const update: ApiRequest = { ...where, verb: 'update', name: 'web', body: object };
            const copy = structuredClone(update);
            expect(sharing.handle(update, stored)).toBe(copying.handle(copy));
            if (sharing.store.get(kind, 'default/web') !== stored) accepted++;
          }
        }),
        { numRuns: 12, endOnFailure: true },
      );
      expect(accepted).toBeGreaterThan(30);
    });
  },
);
