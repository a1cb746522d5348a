/** When a watch sends what: bookmarks, its end, and readers that are slower than what happens. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { WatchEvent } from '../../../src/apiserver/handlers/index.ts';
import { watchReply } from '../../../src/surfaces/http/watch.ts';
import { manualTimers } from '../../support/timers.ts';
import { LEASES, lease, setup } from './setup.ts';

const typesOf = (lines: readonly unknown[]): readonly string[] => lines.map((line) => (line as { readonly type: string }).type);

describe('bookmarks', () => {
  /** The seconds at which a watch sends bookmarks, and that of its end. */
  async function times(query: string): Promise<readonly unknown[]> {
    const { stream, timers } = setup();
    const watch = await stream(`${LEASES}?watch=1&allowWatchBookmarks=true${query}`);
    const seen: unknown[] = [];
    let count = watch.lines().length;
    for (let ms = 0; ms < 2_000_000 && !watch.ended(); ms += 500) {
      timers.advance(500);
      const { length } = watch.lines();
      if (length > count) seen.push((ms + 500) / 1000);
      count = length;
      if (watch.ended()) seen.push(`end ${(ms + 500) / 1000}`);
    }
    return seen;
  }

  it('come every minute, and two seconds before the end', async () => {
    expect([
      await times('&timeoutSeconds=1'),
      await times('&timeoutSeconds=2'),
      await times('&timeoutSeconds=10'),
      await times('&timeoutSeconds=62'),
      await times('&timeoutSeconds=63'),
      await times('&timeoutSeconds=130'),
    ]).toEqual([
      [0.5, 'end 1'],
      [0.5, 'end 2'],
      [8, 'end 10'],
      [60, 'end 62'],
      [60, 61, 'end 63'],
      [60, 120, 128, 'end 130'],
    ]);
  });

  it('are sent for half an hour where no time is given', async () => {
    const usual = [...Array.from({ length: 29 }, (_, nth) => 60 * (nth + 1)), 1798, 'end 1800'];
    expect([await times(''), await times('&timeoutSeconds=0'), await times('&timeoutSeconds=-1')]).toEqual([usual, usual, usual]);
  });

  it('are not sent unless they are asked for, nor after the client has left', async () => {
    const { stream, timers } = setup();
    const [plain, left] = [
      await stream(`${LEASES}?watch=1&timeoutSeconds=200`),
      await stream(`${LEASES}?watch=1&timeoutSeconds=200&allowWatchBookmarks=1`),
    ];
    timers.advance(70_000);
    left.close();
    timers.advance(200_000);
    expect([plain.lines(), plain.ended(), typesOf(left.lines()), left.ended()]).toEqual([[], true, ['BOOKMARK'], false]);
  });
});

describe('a watch', () => {
  const object = (name: string, size = 0): ApiObject =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, resourceVersion: '1' },
      data: { x: 'x'.repeat(size) },
    }) as unknown as ApiObject;
  const added = (name: string, size = 0): WatchEvent => ({ type: 'ADDED', object: object(name, size) });

  /** A watch whose sink reads only when it is to. */
  function opened({ initial = [], over = false, full = false }: { initial?: readonly WatchEvent[]; over?: boolean; full?: boolean } = {}) {
    const { backend } = setup();
    const timers = manualTimers();
    let listener: (change: never) => void = () => undefined;
    let isListening = true;
    const state = { lines: [] as string[], ended: 0, cut: 0, full, drained: [] as (() => void)[] };
    const control: { fail?: (status: never) => void; cut?: () => void } = {};
    const close = watchReply({
      backend: {
        ...backend,
        listen: (_, to) => {
          listener = to;
          return () => (isListening = false);
        },
      },
      request: { verb: 'watch', kind: 'ConfigMap' },
      watch: {
        initial,
        over,
        next: (change) => change,
        bookmark: () => undefined,
        opened: (given) => Object.assign(control, given),
      },
      transform: () => ({ format: { media: 'json', pretty: false }, kind: {}, include: 'Metadata', context: {} }) as never,
      timeoutSeconds: 100,
      bookmarks: false,
      timers,
    }).open({
      write: (text) =>
        state.lines.push(
          (JSON.parse(text) as { readonly object: { readonly metadata?: { readonly name?: string }; readonly code?: number } }).object
            .metadata?.name ?? text,
        ),
      end: () => state.ended++,
      cut: () => state.cut++,
      get full() {
        return state.full;
      },
      drained: (act) => state.drained.push(act),
    });
    const drain = (): void => {
      const [act] = state.drained.splice(0, 1);
      act?.();
    };
    return {
      state,
      timers,
      close,
      drain,
      control,
      isListening: () => isListening,
      happens: (event: WatchEvent) => listener(event as never),
    };
  }

  it('sends its first events and those after them as the client reads', () => {
    const { state, happens, drain } = opened({ initial: [added('a'), added('b')], full: true });
    happens(added('c'));
    expect([state.lines, state.drained.length]).toEqual([[], 1]);
    state.full = false;
    happens(added('d'));
    // What waits goes first.
    expect(state.lines).toEqual([]);
    drain();
    expect(state.lines).toEqual(['a', 'b', 'c', 'd']);
    happens(added('e'));
    expect([state.lines.at(-1), state.ended]).toEqual(['e', 0]);
    state.full = true;
    happens(added('f'));
    happens(added('g'));
    expect([state.lines.length, state.drained.length]).toEqual([5, 1]);
    state.full = false;
    drain();
    expect(state.lines.slice(5)).toEqual(['f', 'g']);
  });

  it('that is over ends when its events are read', () => {
    const { state, drain, isListening } = opened({ initial: [added('a')], over: true, full: true });
    expect([state.ended, isListening()]).toEqual([0, true]);
    state.full = false;
    drain();
    expect([state.lines, state.ended]).toEqual([['a'], 1]);
  });

  it('of a client that is 64 MiB behind ends with an error to list again', () => {
    const { state, happens, timers, drain, isListening } = opened({ full: true });
    const large = 8 * 1024 * 1024;
    for (let nth = 0; nth < 7; nth++) happens(added(`m${nth}`, large));
    expect(isListening()).toBe(true);
    happens(added('m7', large));
    expect(isListening()).toBe(false);
    happens(added('later'));
    // It has a minute to read the rest.
    timers.advance(59_999);
    expect(state.ended).toBe(0);
    timers.advance(1);
    expect(state.ended).toBe(1);
    state.full = false;
    drain();
    expect(state.lines.slice(0, 8)).toEqual(Array.from({ length: 8 }, (_, nth) => `m${nth}`));
    expect(JSON.parse(state.lines[8] ?? '')).toMatchObject({
      type: 'ERROR',
      object: {
        code: 410,
        reason: 'Expired',
        message: 'too old resource version: this watch reads more slowly than things change; list again and watch from there',
      },
    });
    expect(state.lines).toHaveLength(9);
  });

  it('is ended by a fault: with an error, or by a cut connection', () => {
    const failed = opened();
    failed.control.fail?.({ kind: 'Status', apiVersion: 'v1', code: 500 } as never);
    failed.control.fail?.({ kind: 'Status', apiVersion: 'v1', code: 501 } as never);
    failed.happens(added('a'));
    expect([
      failed.state.lines.map((line) => (JSON.parse(line) as { readonly object: { readonly code: number } }).object.code),
      failed.state.ended,
      failed.isListening(),
    ]).toEqual([[500], 1, false]);
    const cut = opened();
    cut.control.cut?.();
    cut.timers.advance(200_000);
    expect([cut.state.cut, cut.state.ended, cut.isListening()]).toEqual([1, 0, false]);
  });

  it('ends after its time, once', () => {
    const { state, timers, close, happens, isListening } = opened();
    timers.advance(99_999);
    expect([state.ended, isListening()]).toEqual([0, true]);
    timers.advance(1);
    expect([state.ended, isListening()]).toEqual([1, false]);
    happens(added('a'));
    close();
    expect([state.lines, state.ended]).toEqual([[], 1]);
  });
});

describe('a list as a watch', () => {
  const compatible = () => setup({}, () => ({ compat: true }));

  it('begins with the objects, from the revision that is asked for, or from now', async () => {
    const { ask, stream, store } = compatible();
    const seen = async (query: string) => {
      const watch = await stream(`${LEASES}?watch=1&${query}`);
      watch.close();
      return typesOf(watch.lines());
    };
    await ask('POST', LEASES, lease('a'));
    const before = store.revision;
    await ask('POST', LEASES, lease('b'));
    const MATCH = 'resourceVersionMatch=NotOlderThan';
    expect([
      await seen(`sendInitialEvents=true&${MATCH}&allowWatchBookmarks=1`),
      await seen(`sendInitialEvents=true&${MATCH}`),
      await seen(`sendInitialEvents=true&${MATCH}&resourceVersion=${before}`),
      await seen(`sendInitialEvents=false&${MATCH}&resourceVersion=${before}`),
      await seen(`sendInitialEvents=false&${MATCH}&resourceVersion=0`),
      await seen(`sendInitialEvents=false&${MATCH}&allowWatchBookmarks=1`),
      await seen(''),
    ]).toEqual([['ADDED', 'ADDED', 'BOOKMARK'], ['ADDED', 'ADDED'], ['ADDED', 'ADDED'], ['ADDED'], [], [], ['ADDED', 'ADDED']]);
  });

  it.each<[string, readonly string[]]>([
    ['sendInitialEvents=true', ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
    ['sendInitialEvents=false', ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
    [
      'watch=1&sendInitialEvents=false',
      ['resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
    ],
    [
      'watch=1&sendInitialEvents=false&resourceVersionMatch=Exact',
      ['resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"'],
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan',
      ['resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'],
    ],
  ])('with %s is refused', async (query, expected) => {
    const { json } = await compatible().ask('GET', `${LEASES}?${query}`);
    const { message, details } = json as {
      readonly message: string;
      readonly details: {
        readonly kind: string;
        readonly group: string;
        readonly causes: readonly { readonly field: string; readonly message: string }[];
      };
    };
    expect(message).toBe(`ListOptions.meta.k8s.io "" is invalid: ${expected.join()}`);
    expect([details.kind, details.group, details.causes.map(({ field, message: why }) => `${field}: ${why}`)]).toEqual([
      'ListOptions',
      'meta.k8s.io',
      expected,
    ]);
  });
});
