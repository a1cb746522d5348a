/** The fingerprint of the state of a run: what it distinguishes, and what makes no difference. */
import { describe, expect, it } from 'vitest';
import { fingerprintText } from '../../../src/engine/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Change } from '../../../src/apiserver/store/index.ts';
import { OpaqueState, watchState } from '../../../src/lab/search/exhaustive/state.ts';

type Parts = Readonly<Record<string, unknown>>;
interface Judged {
  readonly name?: string;
  readonly kinds?: readonly string[];
  readonly checker: { exercised?: number; describe?: () => unknown; deadline?: () => number | undefined };
  broken?: boolean;
}
type Group = (of: object, parts: (report: (part: string, value: unknown) => void) => boolean) => boolean;

/** A run made by hand: what its cluster describes, its position, its invariants, and the writes that it makes. */
function run({
  judges = [],
  describes,
}: {
  readonly judges?: readonly Judged[];
  readonly describes?: (report: (part: string, value: unknown) => void, group: Group | undefined) => void;
} = {}) {
  const held: { parts: Parts; readonly position: object } = { parts: {}, position: { step: 0 } };
  const changed: ((change: Change) => void)[] = [];
  const observed: ((observation: object) => void)[] = [];
  const last = { revision: 1 };
  const states = watchState({
    cluster: {
      describe: (report: (part: string, value: unknown) => void, group?: Group) => {
        for (const [part, value] of Object.entries(held.parts)) report(part, value);
        describes?.(report, group);
      },
      store: { onChange: (listener: (change: Change) => void) => changed.push(listener) },
      observations: { subscribe: (listener: (observation: object) => void) => observed.push(listener) },
    },
    position: held.position,
    judges: judges.map((judge) => ({
      broken: false,
      checker: { exercised: 0, ...judge.checker },
      invariant: { name: judge.name ?? 'one', kinds: judge.kinds ?? ['Pod'] },
      ...(judge.broken === undefined ? {} : { broken: judge.broken }),
    })),
  } as never);
  return {
    states,
    held,
    now: (): string => fingerprintText(states.now()),
    observe: (observation: object): void => observed.forEach((listener) => listener(observation)),
    /** Writes an object; returns it as stored. */
    write(name: string, data: unknown, { at = 0, kind = 'Pod', type = 'MODIFIED', controller = 'job' } = {}): ApiObject {
      const resourceVersion = String(++last.revision);
      const object = Object.freeze({
        apiVersion: 'v1',
        kind,
        metadata: Object.freeze({ name, uid: `uid-${name}`, resourceVersion, creationTimestamp: '' }),
        data,
      });
      const change = { type, kind, key: name, object, at, revision: last.revision, entry: 0 } as unknown as Change;
      for (const listener of changed) listener(change);
      for (const listener of observed) listener({ type: 'write', change, controller, actor: 'm' });
      return object;
    },
  };
}

describe('two states are the same', () => {
  const of = (parts: Parts, position: object = {}): string => {
    const { held, now } = run();
    held.parts = parts;
    Object.assign(held.position, position);
    return now();
  };

  it('whatever the order of their parts, and not with other parts or another position', () => {
    const base = { a: { x: 1 }, b: [1, 2] };
    expect(of({ b: [1, 2], a: { x: 1 } })).toBe(of(base));
    const others = [
      of(base),
      of({ ...base, b: [2, 1] }),
      of({ a: { x: 1 }, c: [1, 2] }),
      of({ a: { x: 2 }, b: [1, 2] }),
      of({ a: { x: 1 } }),
      of(base, { step: 1 }),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it('when each object has the same history, whatever the numbers of its revisions', () => {
    const writing = (...writes: readonly (readonly [name: string, data: number, more?: object])[]): string => {
      const { held, write, now } = run();
      const objects = new Map<string, ApiObject>();
      for (const [name, data, more] of writes) {
        const object = write(name, data, more);
        if (object.kind === 'Pod') objects.set(name, object);
      }
      held.parts = { pods: [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object) };
      return now();
    };
    const base = writing(['a', 1], ['b', 1]);
    expect(writing(['b', 1], ['a', 1])).toBe(base);
    expect(writing(['a', 1], ['e', 1, { kind: 'Event' }], ['b', 1])).toBe(base);
    const others = [
      base,
      writing(['a', 1], ['b', 2]),
      writing(['a', 1], ['b', 1, { at: 5 }]),
      writing(['a', 1], ['b', 1, { type: 'ADDED' }]),
      writing(['a', 0], ['a', 1], ['b', 1]),
      writing(['a', 1]),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it('when references to revisions mean the same history', () => {
    const parts = (before: number, to: number): string => {
      const { held, write, states } = run();
      const objects = [...Array.from({ length: before }, (_, at) => write(`x${at}`, 0)), write('a', 1), write('a', 2)];
      held.parts = { reference: { kind: 'Pod', resourceVersion: objects.at(to)?.metadata.resourceVersion } };
      const print = states.parts().get('reference');
      return print === undefined ? '' : fingerprintText(print);
    };
    expect(parts(3, -1)).toBe(parts(0, -1));
    expect(parts(0, -2)).not.toBe(parts(0, -1));
  });
});

describe('an invariant', () => {
  it('that describes its state has it as state, without the order of maps and the number of times', () => {
    const of = (judge: Judged): string => run({ judges: [judge] }).now();
    const map = (...entries: readonly (readonly [string, number])[]): Judged => ({ checker: { describe: () => new Map(entries) } });
    expect(of(map(['a', 1], ['b', 2]))).toBe(of(map(['b', 2], ['a', 1])));
    const seen = { describe: () => 1 };
    expect(of({ checker: { ...seen, exercised: 1 } })).toBe(of({ checker: { ...seen, exercised: 9 } }));
    const states = [
      of(map(['a', 1])),
      of(map(['a', 2])),
      of({ checker: seen }),
      of({ checker: { ...seen, exercised: 1 } }),
      of({ checker: seen, broken: true }),
      of({ ...map(['a', 1]), name: 'two' }),
    ];
    expect(new Set(states).size).toBe(states.length);
    expect(of({ checker: { describe: () => 1 }, broken: true })).toBe(of({ checker: { describe: () => 2 }, broken: true }));
  });

  it('without a description has all that it has observed, of its kinds', () => {
    const after = (kinds: readonly string[], write: object, observation: object = { type: 'timer' }): boolean => {
      const one = run({ judges: [{ kinds, checker: {} }] });
      const before = fingerprintText(one.states.parts().get('invariant one') ?? one.states.now());
      one.observe(observation);
      one.write('a', 1, write);
      return fingerprintText(one.states.parts().get('invariant one') ?? one.states.now()) !== before;
    };
    expect([after(['Pod'], {}), after(['Job'], {}), after(['*'], {}), after(['Job', 'Pod'], {}), after([], {})]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    const told = (more: object): string => {
      const one = run({ judges: [{ checker: {} }] });
      one.write('a', 1, more);
      const print = one.states.parts().get('invariant one');
      return print === undefined ? '' : fingerprintText(print);
    };
    expect(new Set([{}, { controller: 'other' }, { at: 9 }, { type: 'ADDED' }].map(told)).size).toBe(4);
    expect(told({})).toBe(told({}));
  });

  it('is asked again after a change of its kinds, or always if it has deadlines', () => {
    const asked = { kinds: 0, all: 0, timed: 0 };
    const counting = (name: keyof typeof asked, kinds: readonly string[], more: object = {}): Judged => ({
      name,
      kinds,
      checker: { describe: () => ++asked[name], ...more },
    });
    const one = run({
      judges: [counting('kinds', ['Pod']), counting('all', ['*']), counting('timed', ['Pod'], { deadline: () => undefined })],
    });
    const counts = (): readonly number[] => {
      one.now();
      return [asked.kinds, asked.all, asked.timed];
    };
    expect([counts(), counts()]).toEqual([
      [1, 1, 1],
      [1, 1, 2],
    ]);
    one.write('a', 1, { kind: 'Job' });
    expect(counts()).toEqual([1, 2, 3]);
    one.write('a', 1);
    expect(counts()).toEqual([2, 3, 4]);
  });
});

it('parts that last are described once, and count as if they were described each time', () => {
  const of = { fixed: {}, loose: {} };
  const described: string[] = [];
  const value = { fixed: 1, loose: 1 };
  const one = run({
    describes: (report, group) => {
      const whole = group ?? ((_of, parts) => parts(report));
      whole(of.fixed, (add) => (described.push('fixed'), add('fixed', value.fixed), true));
      whole(of.loose, (add) => (described.push('loose'), add('loose', value.loose), false));
    },
  });
  const first = one.now();
  expect([one.now(), described]).toEqual([first, ['fixed', 'loose', 'loose']]);
  value.loose = 2;
  const other = one.now();
  expect(other).not.toBe(first);
  value.loose = 1;
  expect(one.now()).toBe(first);
  expect([...one.states.parts().keys()]).toEqual(['fixed', 'loose', 'histories', 'position']);
});

it('a state that is no plain data is an error that names it, and the remedy', () => {
  const one = run();
  one.held.parts = { 'm job knows': { act: () => undefined } };
  expect(() => one.states.now()).toThrow(OpaqueState);
  expect(() => one.states.now()).toThrow(
    /^the state of "m job knows" is not plain data, so states cannot be distinguished: .+; add `describe\(state\)` to the controller, which returns it as plain data$/,
  );
  const judged = run({ judges: [{ name: 'mine/one', checker: { describe: () => ({ act: () => undefined }) } }] });
  expect(() => judged.states.now()).toThrow(
    /^the state of "mine\/one" is not plain data, .+; add `describe\(\)` to the invariant, which returns it as plain data$/,
  );
  const failing = run({
    judges: [
      {
        checker: {
          describe: () => {
            throw new TypeError('a bug');
          },
        },
      },
    ],
  });
  expect(() => failing.states.now()).toThrow(new TypeError('a bug'));
});
