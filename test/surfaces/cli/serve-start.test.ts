/** With what a served cluster begins: a scenario that has run, a dump, or three empty nodes; and the audit log beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { openAuditLog } from '../../../src/surfaces/cli/serve/log.ts';
import { withPage } from '../../../src/surfaces/cli/serve/page.ts';
import { startFrom, type StartOptions } from '../../../src/surfaces/cli/serve/start.ts';
import { text, type WholeReply } from '../../../src/surfaces/http/message.ts';
import { setup } from '../../apiserver/handlers/setup.ts';
import { BREAKS, folderWith, HOLDS, isBuilt } from './cli.ts';

const AT = Date.UTC(2031, 0, 1);
const DUMP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: kept, namespace: default, uid: u, resourceVersion: "7" }\n';
const FILES = { 'holds.yaml': HOLDS, 'breaks.yaml': BREAKS, 'both.yaml': `${HOLDS}---\n${BREAKS}`, 'dump.yaml': DUMP };
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

function begun(path: string | undefined, options: StartOptions = {}, from?: string) {
  const place = { cwd: folderWith(FILES), ...(from === undefined ? {} : { from: { paths: [from] } }) };
  const entries: string[] = [];
  const listening = { onPrologue: () => undefined, onRenewalInterval: () => undefined };
  const { cluster, ...said } = startFrom(path, options, place)(({ type }) => void entries.push(type), listening);
  const names = (kind: string) => [...cluster.store.values(kind)].map(({ metadata: { name } }) => name);
  return { said, cluster, names, entries, ranMs: cluster.now - cluster.startAt };
}

describe('a served cluster begins', () => {
  it('with three nodes and nothing on them', () => {
    const { said, names, cluster, ranMs } = begun(undefined);
    expect(said).toEqual({ scenario: 'empty-cluster', seed: 1, clients: [], definitions: {}, troubles: [] });
    expect([names('Node'), names('Pod'), ranMs, cluster.names.domain]).toEqual([['node-0', 'node-1', 'node-2'], [], 0, 'orch.io']);
    expect(cluster.startAt).toBe(Date.UTC(2024, 2, 1));
  });

  it('where a scenario ends, with what failed in it', () => {
    const { said, names, ranMs } = begun('holds.yaml');
    expect([said.scenario, said.troubles, names('Job'), names('Pod').length, ranMs > 2_000]).toEqual(['holds', [], ['pi'], 3, true]);
    expect(begun('both.yaml', { name: 'breaks' }).said).toMatchObject({
      scenario: 'breaks',
      troubles: ['both.yaml:25: no Job matches; nearest is Job default/pi\n  status.succeeded  expected 2  found 1'],
    });
  });

  it('with the objects of a dump, at its first moment', () => {
    const { said, names, ranMs } = begun(undefined, {}, 'dump.yaml');
    expect([said.scenario, said.troubles, names('ConfigMap').includes('kept'), ranMs]).toEqual(['from-a-cluster', [], true, 0]);
    expect(begun('holds.yaml', {}, 'dump.yaml').names('ConfigMap')).toContain('kept');
  });

  it('under the names, the seed and the instant that are asked for; a realtime clock moves no scenario', () => {
    const { said, cluster, ranMs } = begun('holds.yaml', { startAt: AT, onlyEmpty: true, domain: 'k8s.io', seed: 9 });
    expect([said.seed, cluster.names.domain, cluster.startAt, ranMs > 2_000]).toEqual([9, 'k8s.io', Date.UTC(2024, 2, 1), true]);
    expect(begun('holds.yaml', { startAt: AT }).cluster.startAt).toBe(AT);
    expect(begun(undefined, { startAt: AT, onlyEmpty: true }).cluster.startAt).toBe(AT);
  });

  it('with room for as many objects as are asked for', () => {
    const { cluster: same } = begun(undefined);
    const stored = same.kinds
      .now()
      .list()
      .flatMap(({ kind }) => (kind === 'Event' ? [] : [...same.store.values(kind)])).length;
    const { cluster } = begun(undefined, { maxObjects: stored + 1 });
    const codes = ['a', 'b'].map((name) => {
      const answer = cluster.request('jane', {
        verb: 'create',
        kind: 'ConfigMap',
        namespace: 'default',
        body: { ...CONFIG_MAP, metadata: { name } },
      });
      return answer.ok ? 201 : answer.code;
    });
    expect(codes).toEqual([201, 403]);
  });

  it('with an observer of its requests, from its start on', () => {
    const seen: unknown[] = [];
    const { cluster, entries } = begun(undefined, {
      startAt: AT,
      observing(startAt) {
        seen.push(startAt);
        return ({ envelope }) => void seen.push(envelope.request.verb);
      },
    });
    const before = entries.length;
    cluster.request('jane', { verb: 'get', kind: 'Node', name: 'node-0' });
    cluster.request('jane', { verb: 'create', kind: 'ConfigMap', namespace: 'default', body: CONFIG_MAP });
    expect([seen[0], seen.slice(-2), entries.slice(before)]).toEqual([AT, ['get', 'create'], ['write']]);
  });
});

describe('an audit log', () => {
  const { server } = setup('k8s.io');
  const answered = (request: ApiRequest) => {
    const envelope = envelopeOf('client', request);
    return { envelope, response: server.handle(envelope), at: AT, kinds: kindsFor(namesFor('k8s.io')) };
  };
  const create = answered({ verb: 'create', kind: 'ConfigMap', namespace: 'default', body: CONFIG_MAP });

  it('has a line for each request to the first world, and none for those to others', () => {
    const folder = folderWith({});
    const said: string[] = [];
    const { observing, close } = openAuditLog('audit.log', false, { cwd: folder, err: (line) => void said.push(line) });
    const write = observing(AT);
    write(create);
    observing(AT)(create);
    write(create);
    expect(said).toEqual([]);
    close();
    write(create);
    expect(said).toEqual([expect.stringContaining('EBADF')]);
    const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n');
    expect(lines.map((line) => /"verb":"(\w+)"/.exec(line)?.[1])).toEqual(['create', 'create', undefined]);
  });

  it('that cannot grow says so once', () => {
    const said: string[] = [];
    const { observing, close } = openAuditLog('/dev/full', true, { cwd: '/', err: (text) => void said.push(text) });
    const write = observing(AT);
    for (let n = 0; n < 3; n++) write(create);
    close();
    expect(said).toEqual(['--audit-log: /dev/full cannot be written any more: ENOSPC: no space left on device, write\n']);
  });
});

describe.skipIf(!isBuilt)('the page of a served cluster', () => {
  const OTHER = text(404, 'of the API');
  const answer = withPage(() => OTHER);
  const ask = (method: string, target: string, accept?: string) =>
    answer({ method, target, headers: accept === undefined ? {} : { accept }, body: new Uint8Array() }) as WholeReply;

  it('is what browsers get at its root, and nothing else', () => {
    const { body, headers, status } = ask('GET', '/', 'text/html, */*');
    const policy = String(headers['content-security-policy']);
    expect([status, { ...headers, 'content-security-policy': '' }]).toEqual([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': '',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      },
    ]);
    expect(policy).toMatch(/^default-src 'none'; connect-src 'self'; script-src .*; frame-ancestors 'none'$/);
    expect(body).toContain(`content="${policy.replace("; frame-ancestors 'none'", '')}"`);
    expect(body).toContain('"open":"live"');
    expect(ask('GET', '/?a=b', 'text/html').body).toBe(body);
    expect(ask('HEAD', '/', 'text/html')).toEqual({ status: 200, headers, body: '' });
    for (const other of [
      ask('POST', '/', 'text/html'),
      ask('GET', '/api', 'text/html'),
      ask('GET', '/', 'application/json'),
      ask('GET', '/'),
    ])
      expect(other).toBe(OTHER);
  });
});
