/** The trace of a served cluster: which entries its readers get, in which form, and who is cut off. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { entryLine, type Entry } from '../../../src/lab/trace/index.ts';
import { createHistory, type History } from '../../../src/surfaces/http/sim/history.ts';

type Wanted = Parameters<History['stream']>[0];

const noted = (id: number): Entry => ({ id, at: id, causes: [], type: 'operation', label: `op ${id}` });
const HEAD = { trace: 'orchsim/v1', scenario: 's', seed: 1, startAt: 0, domain: 'k8s.io' } as const;
const ALL: Wanted = { from: 0, follow: false, events: false, showSecrets: true };

/** A reader of a history, which reads only as long as it is willing. */
function reader(history: History, wanted: Partial<Wanted> = {}) {
  const reply = history.stream({ ...ALL, ...wanted });
  const state = { texts: [] as string[], isOver: false, full: false, drained: undefined as (() => void) | undefined };
  const close = reply.open({
    write: (text) => state.texts.push(text),
    end: () => (state.isOver = true),
    get full() {
      return state.full;
    },
    drained: (act) => (state.drained = act),
  });
  return {
    reply,
    state,
    close,
    lines: () =>
      state.texts
        .join('')
        .split('\n')
        .filter((line) => line !== ''),
  };
}

const idsIn = (lines: readonly string[]): readonly unknown[] => lines.map((line) => (JSON.parse(line) as { readonly id?: number }).id);

describe('a reader', () => {
  it('gets the entries as lines, and follows if it is to', () => {
    const history = createHistory();
    for (const id of [1, 2]) history.add(noted(id));
    const [once, follows] = [reader(history), reader(history, { follow: true })];
    history.add(noted(3));
    expect([once.lines(), once.state.isOver]).toEqual([[1, 2].map((id) => entryLine(noted(id))), true]);
    expect([follows.lines(), follows.state.isOver]).toEqual([[1, 2, 3].map((id) => entryLine(noted(id))), false]);
    expect([once.reply.finite, follows.reply.finite]).toEqual([true, false]);
    expect(once.reply.headers).toEqual({ 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' });
    follows.close();
    history.add(noted(4));
    expect(follows.lines()).toHaveLength(3);
  });

  it('ends with the world', () => {
    const history = createHistory();
    const [follows, closed] = [reader(history, { follow: true }), reader(history, { follow: true })];
    closed.close();
    history.end();
    history.add(noted(1));
    expect([follows.state, closed.state.isOver]).toMatchObject([{ isOver: true, texts: [] }, false]);
  });

  it('gets the entries from an identity on', () => {
    const history = createHistory();
    for (const id of [3, 5, 7]) history.add(noted(id));
    expect([0, 5, 6, 8].map((from) => idsIn(reader(history, { from }).lines()))).toEqual([[3, 5, 7], [5, 7], [7], []]);
  });

  it('gets server-sent events with their identities if it asks for them', () => {
    const history = createHistory();
    history.add(noted(1));
    const { state, reply } = reader(history, { events: true });
    expect(state.texts).toEqual([`id: 1\nevent: operation\ndata: ${entryLine(noted(1))}\n\n`]);
    expect(reply.headers).toEqual({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  });

  it('that has to read first goes on where it stopped', () => {
    const history = createHistory();
    for (const id of [1, 2, 3]) history.add(noted(id));
    const slow = reader(history, { follow: true });
    slow.state.full = true;
    for (const id of [4, 5]) history.add(noted(id));
    expect(idsIn(slow.lines())).toEqual([1, 2, 3]);
    // Nothing is written before the reader has read, whatever happens meanwhile.
    slow.state.full = false;
    history.add(noted(6));
    expect(idsIn(slow.lines())).toEqual([1, 2, 3]);
    slow.state.drained?.();
    expect(idsIn(slow.lines())).toEqual([1, 2, 3, 4, 5, 6]);
    slow.state.full = true;
    history.add(noted(7));
    slow.close();
    slow.state.drained?.();
    expect(idsIn(slow.lines())).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([false, true])('whose next entry was dropped is cut off, and learns where to go on (events: %s)', (events) => {
    const history = createHistory(3);
    history.add(noted(1));
    const slow = reader(history, { follow: true, events });
    slow.state.full = true;
    // The sixth entry drops all but the last three.
    for (const id of [2, 3, 4, 5]) history.add(noted(id));
    slow.state.full = false;
    history.add(noted(6));
    expect(slow.state.texts).toHaveLength(1);
    slow.state.drained?.();
    const line =
      '{"type":"cut","reason":"this reader fell behind: 2 entries that it had not read were dropped","goOn":"/sim/v1/trace?from=4"}';
    expect(slow.state.texts.slice(1)).toEqual([events ? `event: cut\ndata: ${line}\n\n` : `${line}\n`]);
    expect(slow.state.isOver).toBe(true);
    expect(idsIn(reader(history).lines())).toEqual([4, 5, 6]);
  });
});

describe('what is kept', () => {
  it('is at least so many entries', () => {
    const history = createHistory(2);
    const kept = [1, 2, 3, 4, 5].map((id) => {
      history.add(noted(id));
      return idsIn(reader(history).lines());
    });
    expect(kept).toEqual([[1], [1, 2], [1, 2, 3], [3, 4], [3, 4, 5]]);
  });

  it('fits in so many bytes: half of them are left when it does not', () => {
    // An entry without an object counts as 400 bytes.
    const history = createHistory(1000, 1600);
    const kept = [1, 2, 3, 4, 5, 6].map((id) => {
      history.add(noted(id));
      return idsIn(reader(history).lines());
    });
    expect(kept).toEqual([[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [4, 5], [4, 5, 6]]);
    const none = createHistory(1000, 300);
    none.add(noted(1));
    const cut = reader(none, { follow: true });
    expect([cut.lines(), cut.state.isOver]).toEqual([[], false]);
  });

  it('counts what a write has changed', () => {
    const history = createHistory(1000, 10_000);
    for (const id of [1, 2, 3]) history.add(written(id, 'ADDED', `m${id}`, { data: { text: 'x'.repeat(4000) } }));
    expect(idsIn(reader(history).lines())).toEqual([3]);
  });
});

const written = (id: number, type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, more: object = {}): Entry => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, ...more } as unknown as ApiObject;
  const change = { revision: id, type, kind: 'ConfigMap', key: `default/${name}`, object, at: id, entry: id, previous: undefined };
  return { id, at: id, causes: [1], type: 'write', actor: 'a', request: 'r', change };
};
const listed = (id: number, process: string, what: 'started' | 'leads' | 'lists' | 'crashed', kind?: string): Entry => ({
  id,
  at: id,
  causes: [1],
  type: 'process',
  process,
  what,
  ...(kind === undefined ? {} : { lists: { revision: id, kinds: [{ kind }], controllers: [] } }),
});

describe('a whole trace', () => {
  const wholeOf = (history: History): readonly unknown[] =>
    reader(history, { head: HEAD })
      .lines()
      .map((line) => JSON.parse(line) as unknown);

  it('begins with its head and the renewals, before its entries', () => {
    const history = createHistory();
    const renewal = { order: 1, process: 'p', controller: 'c', lease: 'a/b', firstAt: 1, everyMs: 2, delayMs: 0 };
    history.onRenewalInterval(renewal);
    expect(wholeOf(history)).toEqual([{ ...HEAD }, { type: expect.any(String), ...renewal }]);
    history.add(noted(7));
    const follows = reader(history, { head: HEAD, follow: true });
    history.onRenewalInterval({ ...renewal, order: 2 });
    history.add(noted(8));
    const lines = follows.lines().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(lines.map(({ from, order, id }) => [from, order, id])).toEqual([
      [7, undefined, undefined],
      [undefined, 1, undefined],
      [undefined, undefined, 7],
      [undefined, 2, undefined],
      [undefined, undefined, 8],
    ]);
    // Without a head only entries are sent.
    expect(idsIn(reader(history).lines())).toEqual([7, 8]);
  });

  it('says of what is kept no more which objects there are, and what each process has seen', () => {
    const history = createHistory(1);
    const { previous: _, ...added } = (written(2, 'ADDED', 'b') as Extract<Entry, { type: 'write' }>).change;
    for (const entry of [
      written(1, 'ADDED', 'gone'),
      written(2, 'ADDED', 'b'),
      written(3, 'ADDED', 'a'),
      written(4, 'MODIFIED', 'a', { data: {} }),
      written(5, 'DELETED', 'gone'),
      listed(6, 'crashes', 'leads', 'Pod'),
      listed(7, 'crashes', 'crashed'),
      listed(8, 'leads', 'started'),
      listed(9, 'leads', 'leads', 'Pod'),
      listed(10, 'client', 'lists', 'Pod'),
      listed(11, 'client', 'lists', 'ConfigMap'),
      listed(12, 'client', 'lists', 'Pod'),
    ])
      history.onPrologue(entry);
    history.add(noted(13));
    const lists = (kind: string) => ({ revision: 5, kinds: [{ kind }], controllers: [] });
    const entry = (id: number, process: string, what: string, more = {}) => ({
      id,
      at: id,
      causes: [],
      type: 'process',
      process,
      what,
      ...more,
    });
    expect(wholeOf(history)).toEqual([
      { ...HEAD, from: 13 },
      { ...(JSON.parse(entryLine(written(2, 'ADDED', 'b'))) as object), causes: [], change: added },
      {
        ...(JSON.parse(entryLine(written(4, 'MODIFIED', 'a', { data: {} }))) as object),
        causes: [],
        change: expect.objectContaining({ type: 'ADDED', revision: 4, key: 'default/a' }) as unknown,
      },
      entry(7, 'crashes', 'crashed'),
      entry(8, 'leads', 'started'),
      entry(9, 'leads', 'leads', { lists: lists('Pod') }),
      entry(11, 'client', 'lists', { lists: lists('ConfigMap') }),
      entry(12, 'client', 'lists', { lists: lists('Pod') }),
      noted(13),
    ]);
  });

  it('waits for a reader of what is kept no more, too', () => {
    const history = createHistory(1);
    for (const id of [1, 2, 3]) history.onPrologue(written(id, 'ADDED', `m${id}`));
    history.add(noted(4));
    const state = { texts: [] as string[], drained: [] as (() => void)[], reads: 2 };
    history.stream({ ...ALL, head: HEAD }).open({
      write: (text) => state.texts.push(text),
      end: () => state.texts.push('end'),
      get full() {
        return state.texts.length > state.reads;
      },
      drained: (act) => state.drained.push(act),
    });
    const seen = () => state.texts.map((text) => (text === 'end' ? text : (JSON.parse(text) as { readonly id?: number }).id));
    expect(seen()).toEqual([undefined, 1, 2]);
    state.reads = 99;
    state.drained[0]?.();
    expect(seen()).toEqual([undefined, 1, 2, 3, 4, 'end']);
  });
});
