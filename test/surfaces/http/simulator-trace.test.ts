/** `/sim/v1/trace` and `/sim/v1/faults` of a world, as requests ask for them. */
import { describe, expect, it } from 'vitest';
import { simulator } from './simulator.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
const MAPS = '/api/v1/namespaces/default/configmaps';
type Json = Readonly<Record<string, unknown>>;
const linesIn = (text: string): readonly Json[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

describe('the trace', () => {
  it('is that of a request: from an entry on, followed or not, as lines or events, whole or not', async () => {
    const { ask, stream, session } = simulator();
    await ask('POST', MAPS, MAP);
    const all = linesIn((await stream('/sim/v1/trace?follow=false')).state.text);
    const write = all.findLastIndex(({ type }) => type === 'write');
    expect(all[write]).toMatchObject({ type: 'write', change: { kind: 'ConfigMap', key: 'default/m' } });
    const id = Number(all[write]?.['id']);
    const idsOf = async (query: string, headers = {}) =>
      linesIn((await stream(`/sim/v1/trace?follow=false${query}`, headers)).state.text).map((entry) => entry['id']);
    expect(await idsOf(`&from=${id}`)).toEqual(all.slice(write).map((entry) => entry['id']));
    expect(await idsOf('', { 'last-event-id': String(id) })).toEqual(all.slice(write + 1).map((entry) => entry['id']));
    expect(await idsOf('&from=0', { 'last-event-id': String(id) })).toEqual(all.map((entry) => entry['id']));

    const follows = await stream(`/sim/v1/trace?from=${id + 1}`);
    expect([follows.finite, follows.state.isOver]).toEqual([false, false]);
    await ask('POST', MAPS, { ...MAP, metadata: { name: 'n' } });
    expect(linesIn(follows.state.text).find(({ type }) => type === 'write')).toMatchObject({ change: { key: 'default/n' } });
    await ask('POST', '/sim/v1/reset');
    expect(follows.state.isOver).toBe(true);
    session.stop();
  });

  it('has a head if it is whole, which is of lines alone', async () => {
    const { ask, stream, session } = simulator();
    const { state } = await stream('/sim/v1/trace?follow=false&whole=true');
    expect(linesIn(state.text)[0]).toMatchObject({
      trace: 'orchsim/v1',
      scenario: 'served',
      seed: 1,
      startAt: Date.UTC(2024, 2, 1),
      domain: 'k8s.io',
    });
    expect(linesIn((await stream('/sim/v1/trace?follow=false')).state.text)[0]).not.toHaveProperty('trace');
    const refused = await ask('GET', '/sim/v1/trace?whole=true', undefined, { accept: 'text/event-stream' });
    expect([refused.status, refused.json['message']]).toEqual([
      400,
      'a whole trace is JSON lines: request it without Accept: text/event-stream',
    ]);
    const events = await stream('/sim/v1/trace', { accept: 'text/event-stream' });
    expect(events.headers['content-type']).toBe('text/event-stream');
    for (const from of ['x', '1.5', '9007199254740993'])
      expect(await ask('GET', `/sim/v1/trace?from=${from}`)).toMatchObject({
        status: 400,
        json: { message: `from: expected the id of an entry, found "${from}"` },
      });
    session.stop();
  });
});

describe('faults', () => {
  it('are set, listed and cleared, each with its number, time and words', async () => {
    const { ask, session } = simulator();
    const { cluster } = session.current.start;
    const notes: unknown[] = [];
    const watching = cluster.observations.subscribe((entry) => {
      if (entry.type === 'fault' && entry.fault === 'end') notes.push(entry.detail);
    });
    const lag = (id: number, sinceStartSeconds: number, active = true) => ({
      id,
      fault: { lag: 'scheduler', by: 3000 },
      sinceStartSeconds,
      active,
      says: expect.any(Array) as unknown,
    });
    const set = (body: unknown) => ask('POST', '/sim/v1/faults', body);
    const faults = async () => (await ask('GET', '/sim/v1/faults')).json;
    expect(await faults()).toEqual({ items: [] });
    expect(await set('lag: scheduler\nby: 3s')).toMatchObject({ status: 201, json: lag(1, 0) });
    await ask('POST', '/sim/v1/advance', { by: '2s' });
    expect(await set({ lag: 'scheduler', by: '3s' })).toMatchObject({ status: 201, json: lag(2, 2) });
    // A fault of a moment is over when it is answered, and is not listed.
    expect(await set({ crash: 'scheduler' })).toMatchObject({
      status: 201,
      json: { id: 3, fault: { crash: 'scheduler' }, active: false, says: [] },
    });
    expect(await faults()).toEqual({ items: [lag(1, 0), lag(2, 2)] });
    expect(await ask('DELETE', '/sim/v1/faults/9')).toMatchObject({
      status: 404,
      json: { message: 'there is no active fault "9"; there are 1, 2' },
    });
    expect((await ask('DELETE', '/sim/v1/faults/1')).json).toEqual({ items: [lag(2, 2)] });
    expect(await set({ lag: 'scheduler', by: '3s' })).toMatchObject({ json: { id: 4 } });
    expect((await ask('DELETE', '/sim/v1/faults')).json).toEqual({ items: [] });
    expect(await ask('DELETE', '/sim/v1/faults/4')).toMatchObject({
      status: 404,
      json: { message: 'there is no active fault "4"; there are none' },
    });
    expect((await ask('DELETE', '/sim/v1/faults')).json).toEqual({ items: [] });
    expect(notes).toEqual(['1 cleared on request', '2 cleared on request']);
    expect(cluster.faults).toEqual([]);
    watching.unsubscribe();
    session.stop();
  });

  it('end by themselves after their time', async () => {
    const { ask, session } = simulator();
    await ask('POST', '/sim/v1/faults', { lag: 'scheduler', by: '3s', for: '10s' });
    await ask('POST', '/sim/v1/advance', { by: '9s' });
    expect((await ask('GET', '/sim/v1/faults')).json['items']).toHaveLength(1);
    await ask('POST', '/sim/v1/advance', { by: '2s' });
    expect((await ask('GET', '/sim/v1/faults')).json['items']).toHaveLength(0);
    session.stop();
  });

  it('are refused in bodies that are too large, and when there are a thousand', async () => {
    const { ask, session } = simulator();
    const body = '{"lag":"scheduler","by":"3s"}';
    const sent = async (text: string) => {
      const { status, json } = await ask('POST', '/sim/v1/faults', text);
      return [status, json['message']];
    };
    expect(await sent(body.padEnd(16 * 1024 + 1))).toEqual([413, 'Request entity too large: limit is 16384']);
    expect(await sent(body.padEnd(16 * 1024))).toEqual([201, undefined]);
    for (let nth = 1; nth < 999; nth++) await sent(body);
    expect(await sent(body)).toEqual([201, undefined]);
    expect(await sent(body)).toEqual([400, 'there are 1000 faults already: DELETE /sim/v1/faults ends them']);
    session.stop();
  });
});
