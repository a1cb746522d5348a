/** Long lists are written in slices: the same bytes as in one piece, without blocking other requests. */
import { describe, expect, it } from 'vitest';
import type { ObjectList } from '../../../src/apiserver/request/index.ts';
import { reply } from '../../../src/surfaces/http/answer/encode.ts';
import { longListReply } from '../../../src/surfaces/http/answer/long-list.ts';
import { listAs, type Transform } from '../../../src/surfaces/http/answer/transform.ts';
import type { Format } from '../../../src/surfaces/http/request/accept.ts';
import type { Backend } from '../../../src/surfaces/http/index.ts';
import { setup } from './setup.ts';

const FORMATS: readonly Format[] = (['json', 'yaml'] as const).flatMap((media) =>
  [false, true].flatMap((pretty) =>
    ([undefined, 'Table', 'PartialObjectMetadataList'] as const).map((as) => ({
      media,
      pretty,
      ...(as === undefined ? {} : { as, asVersion: 'meta.k8s.io/v1' }),
    })),
  ),
);

const notes = (at: number): Readonly<Record<string, string>> => ({
  'sim.orch.io/words': `<&> line ${at}\nitems: []\nrows: []\n`,
  tricky: '[]',
  long: 'x '.repeat(90),
});

async function manyMaps(count: number) {
  const asked = setup();
  for (let at = 0; at < count; at++)
    expect(
      (
        await asked.ask('POST', '/api/v1/namespaces/default/configmaps', {
          metadata: { name: `map-${at}`, annotations: notes(at) },
          data: { words: 'items: []\nrows: []' },
        })
      ).status,
    ).toBe(201);
  return asked;
}

function listOf(backend: Backend, format: Format): { readonly list: ObjectList; readonly transform: Transform } {
  const listed = backend.handle({ verb: 'list', kind: 'ConfigMap', namespace: 'default' });
  if (!listed.ok || !('list' in listed)) throw new Error('no list');
  const kind = backend.kinds.byPlural('', 'configmaps');
  if (kind === undefined) throw new Error('no such kind');
  const context = { names: backend.names, gates: backend.gates, now: backend.now() };
  return { list: listed.list, transform: { kind, format, include: 'Metadata', context } };
}

describe('a long list', () => {
  it.each(FORMATS)('has the bytes of a short one, as %o', async (format) => {
    const { list, transform } = listOf((await manyMaps(45)).backend, format);
    const whole = reply(200, listAs(list, transform), format, ['mind this']);
    const long = longListReply(200, list, transform, ['mind this']);
    let text = '';
    let ends = 0;
    long.open({ write: (part) => (text += part), end: () => ends++ });
    expect(long.headers).toEqual(whole.headers);
    expect(text).toBe(whole.body);
    expect(ends).toBe(1);
  });

  it('ends when its reader has gone', async () => {
    const { list, transform } = listOf((await manyMaps(3)).backend, { media: 'json', pretty: false });
    let [written, ends, full] = [0, 0, true];
    let go = (): void => undefined;
    const close = longListReply(200, list, transform).open({
      write: () => written++,
      end: () => ends++,
      get full() {
        return full;
      },
      drained: (act) => (go = act),
    });
    expect([written, ends]).toEqual([1, 0]);
    full = false;
    close();
    go();
    expect([written, ends]).toEqual([1, 0]);
  });

  it('is written as fast as it is read, and shows one moment', async () => {
    const { backend, api, ask } = await manyMaps(601);
    const answered = await api({
      method: 'GET',
      target: '/api/v1/configmaps',
      headers: { host: '127.0.0.1:8080' },
      body: new Uint8Array(),
    });
    if (!('open' in answered)) throw new Error('one piece');
    let go: (() => void) | undefined;
    let [text, full, ended] = ['', false, false];
    answered.open({
      write(part) {
        text += part;
        full = true;
      },
      end: () => (ended = true),
      get full() {
        return full;
      },
      drained(act) {
        go = act;
      },
    });
    expect(text.length).toBeLessThan(300);
    await ask('DELETE', '/api/v1/namespaces/default/configmaps/map-600');
    let turns = 0;
    while (!ended && turns++ < 100) {
      full = false;
      go?.();
    }
    expect(turns).toBe(31);
    const { items } = JSON.parse(text) as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
    expect(items.map(({ metadata: { name } }) => name)).toContain('map-600');
    expect(backend.store.size('ConfigMap')).toBe(600);
  });

  it('of large items is written item by item, so that little waits for who does not read', async () => {
    const { ask, api } = setup();
    for (let at = 0; at < 510; at++)
      await ask('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: `map-${String(at).padStart(3, '0')}` },
        data: { text: 'x'.repeat(at >= 100 && at < 140 ? 1_000_000 : 10) },
      });
    const listed = await api({ method: 'GET', target: '/api/v1/namespaces/default/configmaps', headers: {}, body: new Uint8Array() });
    if (!('open' in listed)) throw new Error('it is written in one go');
    expect(listed.finite).toBe(true);
    let [waits, most, all] = [0, 0, 0];
    let drained = (): void => undefined;
    listed.open({
      write(text) {
        waits += text.length;
        all += text.length;
        most = Math.max(most, waits);
      },
      end: () => undefined,
      get full() {
        return waits > 256 * 1024;
      },
      drained(act) {
        drained = act;
      },
    });
    for (let turns = 0; turns < 1000 && waits > 0; turns++) {
      waits = 0;
      drained();
    }
    expect(all).toBeGreaterThan(40_000_000);
    expect(most).toBeLessThan(22_000_000);
  });
});
