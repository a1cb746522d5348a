/** Each hook of a user's controller, fault and invariant runs in the sandbox, with what it is given, and answers what it answers. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { idle, type Controller } from '../../../src/controlplane/runtime/index.ts';
import type { Fault } from '../../../src/lab/faults/index.ts';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import { type ControllerFault, faultInSandbox, inSandbox, invariantInSandbox, outOfSandbox } from '../../../src/lab/sandbox/index.ts';

const KINDS = kindsFor(namesFor('k8s.io'));
type Hook = (this: { readonly name: string }, ...given: readonly unknown[]) => unknown;

/** A controller in the sandbox whose hooks do as one function does, and what the sandbox reports of it. */
function sandboxed(hook: Hook, more: object = {}) {
  const reports: Omit<ControllerFault, 'controller' | 'thrown'>[] = [];
  const hooks = { observe: hook, start: hook, startKeys: hook, stop: hook, act: hook, resume: hook, recover: hook };
  const watches = [{ kind: 'Pod', enqueue: hook }];
  const own = { name: 'mine', reconciles: 'Job', writes: ['Job'], watches, self: { enqueue: hook }, ...hooks, reconcile: hook };
  const controller = { ...own, reconcileAbsent: hook, ...more } as unknown as Controller;
  const guarded = inSandbox(controller, KINDS, ({ controller: by, thrown: _, ...report }) => {
    expect(by).toBe(controller);
    reports.push(report);
  });
  return { controller, guarded, reports };
}

const input = { key: 'default/a', now: 1_000, cache: { list: () => [], get: () => undefined } };
const delta = { key: 'default/b', kind: 'Job' };

/** The answers of all hooks of a controller, by name. */
const answers = ({ watches = [], self, ...hooks }: Controller): readonly (readonly [string, unknown])[] => {
  const call = (hook: unknown, ...given: readonly unknown[]): unknown => (hook as Hook).call({ name: 'other' }, ...given);
  return [
    ['reconcile', call(hooks.reconcile, input)],
    ['reconcileAbsent', call(hooks.reconcileAbsent, input)],
    ['resume', call(hooks.resume, input, 'answer')],
    ['recover', call(hooks.recover, input, 'failure')],
    ['enqueue of Pod', call(watches[0]?.enqueue, delta, input)],
    ['enqueue of Job', call(self?.enqueue, delta, input)],
    ['observe of Job', call(hooks.observe, delta, input)],
    ['start', call(hooks.start, input)],
    ['startKeys', call(hooks.startKeys, input)],
    ['stop', call(hooks.stop, input)],
    ['act', call(hooks.act, 'action', input)],
  ];
};

describe('a controller in the sandbox', () => {
  it('answers in each hook what its own hook answers to the same arguments', () => {
    const { guarded, controller, reports } = sandboxed(function (...given) {
      const shown = given.map((each) => (typeof each === 'object' && each !== null && 'key' in each ? each.key : each));
      return { why: `${this.name}: ${shown.join()}`, writes: [] };
    });
    const answered = (words: string): unknown => ({ why: words, writes: [] });
    expect(answers(guarded)).toEqual([
      ['reconcile', answered('mine: default/a')],
      ['reconcileAbsent', answered('mine: default/a')],
      ['resume', answered('mine: default/a,answer')],
      ['recover', answered('mine: default/a,failure')],
      ['enqueue of Pod', answered('undefined: default/b,default/a')],
      ['enqueue of Job', answered('undefined: default/b,default/a')],
      ['observe of Job', answered('mine: default/b,default/a')],
      ['start', answered('mine: default/a')],
      ['startKeys', answered('mine: default/a')],
      ['stop', answered('mine: default/a')],
      ['act', answered('mine: action,default/a')],
    ]);
    expect(reports).toEqual([]);
    expect([outOfSandbox(guarded), outOfSandbox(controller)]).toEqual([controller, controller]);
  });

  it('that throws does nothing instead, and each exception is reported with its hook and key', () => {
    const { guarded, reports } = sandboxed(() => {
      throw new RangeError('no');
    });
    const nothing = (hook: string): unknown => idle(`it threw in ${hook}: RangeError: no`);
    expect(answers(guarded)).toEqual([
      ...['reconcile', 'reconcileAbsent', 'resume'].map((hook) => [hook, nothing(hook)]),
      ['recover', nothing('recover')],
      ['enqueue of Pod', []],
      ['enqueue of Job', []],
      ['observe of Job', undefined],
      ['start', undefined],
      ['startKeys', []],
      ['stop', []],
      ['act', undefined],
    ]);
    expect(reports.map(({ key, message }) => `${key ?? 'no key'}: ${message}`)).toEqual([
      'default/a: it threw in reconcile: RangeError: no',
      'default/a: it threw in reconcileAbsent: RangeError: no',
      'default/a: it threw in resume: RangeError: no',
      'default/a: it threw in recover: RangeError: no',
      'default/b: it threw in enqueue of Pod: RangeError: no',
      'default/b: it threw in enqueue of Job: RangeError: no',
      'default/b: it threw in observe of Job: RangeError: no',
      'no key: it threw in start: RangeError: no',
      'no key: it threw in startKeys: RangeError: no',
      'no key: it threw in stop: RangeError: no',
      'no key: it threw in act: RangeError: no',
    ]);
  });

  it('is shown by what it throws, with a hint where it changed a frozen object', () => {
    const thrown = (value: unknown) => {
      const { guarded, reports } = sandboxed(() => {
        throw value;
      });
      answers(guarded);
      return [reports[0]?.message, ...(reports[0]?.detail ?? [])];
    };
    const hint = '  objects of a cache are shared and frozen: update(object, (draft) => { … }) changes a copy';
    const refused = [
      "Cannot assign to read only property 'a' of object",
      'Cannot add property a, object is not extensible',
      "Cannot delete property 'a' of object",
      'object is not extensible',
    ];
    for (const message of refused) expect(thrown(new TypeError(message))).toEqual([`it threw in reconcile: TypeError: ${message}`, hint]);
    expect(thrown(new Error(refused[0]))).toEqual([`it threw in reconcile: Error: ${refused[0]}`]);
    expect(thrown(new TypeError('x is not a function'))).toEqual(['it threw in reconcile: TypeError: x is not a function']);
    expect(thrown('a text')).toEqual(['it threw in reconcile: a text']);
  });

  it('that answers no outcome does nothing instead, and its outcomes are frozen', () => {
    const wrong = sandboxed(() => 7);
    expect(wrong.guarded.reconcile(input as never)).toEqual(idle(wrong.reports[0]?.message ?? ''));
    expect(wrong.reports).toEqual([{ key: 'default/a', message: expect.stringMatching(/^its reconcile answered 7: /), detail: [] }]);
    const object = { kind: 'Job', metadata: { name: 'a', labels: { k: 'v' } }, self: {} };
    object.self = object;
    const { guarded, reports } = sandboxed(() => ({ why: 'x', writes: [{ op: 'create', object: Object.freeze(object) }] }));
    guarded.reconcile(input as never);
    expect(reports).toEqual([]);
    expect(Object.isFrozen(object.metadata.labels)).toBe(true);
  });

  it('that leaves a failure alone answers nothing', () => {
    const { guarded, reports } = sandboxed(() => undefined);
    expect(guarded.recover?.(input as never, {} as never)).toBe(undefined);
    expect(reports).toEqual([]);
  });

  it('has only the hooks that its author gave it', () => {
    const guarded = inSandbox({ name: 'mine', writes: [], reconcile: () => idle('x') }, KINDS, () => undefined);
    expect(Object.keys(guarded)).toEqual(['name', 'writes', 'reconcile']);
    const { guarded: without } = sandboxed(() => [], { self: { where: 'x' }, reconciles: undefined, watches: [{ kind: 'Pod' }] });
    expect([without.self, without.watches]).toEqual([{ where: 'x' }, [{ kind: 'Pod' }]]);
  });
});

const uses = (): never => Date.now() as never;
const HOST = 'Date.now()';

describe('a fault in the sandbox', () => {
  it('is applied with what it is given, and may not use the host', () => {
    const apply: Fault['apply'] = (...given) => ({ detail: given.join() });
    const fault = faultInSandbox({ name: 'mine', apply });
    expect([fault.name, fault.apply('cluster' as never, 'call' as never, [1])]).toEqual(['mine', { detail: 'cluster,call,1' }]);
    const hostile = faultInSandbox({ name: 'hostile', apply: (): { readonly error: string } => uses() });
    expect(() => hostile.apply()).toThrow(HOST);
  });
});

describe('an invariant in the sandbox', () => {
  const invariant = (check: () => unknown): Invariant =>
    invariantInSandbox({ name: 'mine', temporal: 'always', description: '', kinds: [], check } as Invariant);

  it('has the members of its own checker, which are called with what they are given', () => {
    const counted = { exercised: 0 };
    const said =
      (member: string) =>
      (...given: readonly unknown[]): string => {
        counted.exercised++;
        return [member, ...given].join(' ');
      };
    const members = ['describe', 'deadline', 'onChange', 'onTime', 'onEnd'];
    const given = ['change', 'facts', 'controller', 'actor'];
    const own = Object.assign(counted, Object.fromEntries(members.map((member) => [member, said(member)])));
    const checker = invariant(() => own).check() as unknown as Record<string, (...given: readonly unknown[]) => unknown>;
    expect(members.map((member) => checker[member]?.(...given))).toEqual([
      'describe',
      'deadline',
      'onChange change facts controller actor',
      'onTime change',
      'onEnd change facts',
    ]);
    expect(checker['exercised']).toBe(5);
    expect(Object.keys(invariant(() => ({ exercised: 0 })).check())).toEqual([]);
  });

  it('may not use the host, when it is made or when it checks', () => {
    expect(() => invariant(uses).check()).toThrow(HOST);
    const checker = invariant(() => ({ exercised: 0, deadline: uses, onChange: uses, onTime: uses, onEnd: uses })).check();
    expect(() => checker.deadline?.()).toThrow(HOST);
    expect(() => checker.onChange?.({} as never, {} as never)).toThrow(HOST);
    expect(() => checker.onTime?.({} as never)).toThrow(HOST);
    expect(() => checker.onEnd?.({} as never, true)).toThrow(HOST);
  });
});
