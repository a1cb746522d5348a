import { readScenarios } from '../../src/lab/vocabulary.ts';
import { simulate } from '../../src/lab/simulation/index.ts';
import { createSession, type HttpRequest } from '../../src/surfaces/http/index.ts';
import { exampleOf } from '../../src/apiserver/kinds/index.ts';
import { kinds, names } from '../door.ts';
import { besidesKinds, collectionOf, ofKind, type Hostile } from './generate.ts';

const read = readScenarios('apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: empty-cluster }\nspec: { title: An empty cluster, domain: k8s.io, cluster: { nodes: { count: 1 } } }\n');
if (!('scenarios' in read)) throw new Error('x');
const scenario = { ...read.scenarios[0]!, limits: { steps: Number.MAX_SAFE_INTEGER, timeMs: 1e15 } };
const make = () => createSession({ start: (onEntry) => ({ cluster: simulate(scenario, { onEntry, invariants: [] }).cluster, troubles: [] }), clock: 'manual', speed: 1, watched: () => false, onReset: () => {} });
let session = make();
const utf8 = new TextEncoder();
const prepare = () => {
  for (const kind of kinds.list()) {
    const body = exampleOf(kind, names);
    session.answer({ method: 'POST', target: collectionOf(kind), headers: { 'content-type': 'application/json', host: 'x' }, body: utf8.encode(JSON.stringify(body)) });
  }
  session.answer({ method: 'POST', target: '/api/v1/namespaces/default/configmaps', headers: { 'content-type': 'application/json', host: 'x' }, body: utf8.encode('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","finalizers":["a.b/c"]},"data":{"a":"b"}}') });
  session.answer({ method: 'POST', target: '/api/v1/nodes', headers: { 'content-type': 'application/json', host: 'x' }, body: utf8.encode('{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}') });
};
prepare();
const LIMIT = 3 * 1024 * 1024 - 4096;
const SIZES = [LIMIT / 64, LIMIT / 16, LIMIT / 4, LIMIT].map(Math.floor);
const out: { key: string; ms: number; bytes: number; status: number; growth: number }[] = [];
let count = 0;
function run(http: HttpRequest): { ms: number; status: number; err?: string } {
  const from = process.cpuUsage();
  let status = 0; let err: string | undefined;
  try {
    const reply = session.answer(http);
    if (reply instanceof Promise) { reply.catch(() => {}); status = -1; } else { status = reply.status; if ('open' in reply) reply.open({ write: () => {}, end: () => {} })(); else if (status === 500) err = String(reply.body).slice(0, 200); }
  } catch (e) { status = 599; err = String((e as Error).stack).split('\n').slice(0, 4).join(' | ').slice(0, 400); }
  const { user, system } = process.cpuUsage(from);
  return { ms: (user + system) / 1000, status, ...(err ? { err } : {}) };
}
function* all(): Generator<Hostile> {
  const only = process.argv[2] ?? '';
  if (only === 'besides' || only === '') yield* besidesKinds();
  if (only !== 'besides') for (const kind of kinds.list()) if (only === '' || only.split(',').includes(kind.kind)) yield* ofKind(kind);
}
const filter = process.argv[3];
const worstAt = Number(process.argv[4] ?? 250);
for (const h of all()) {
  const key = `${h.verb} ${h.type} ${h.name}`;
  if (filter !== undefined && !key.includes(filter)) continue;
  let before = 0;
  for (const size of SIZES) {
    let http: HttpRequest;
    try { http = h.request(size); } catch (e) { console.log('GEN', key, String(e)); break; }
    if (http.body.length > 3 * 1024 * 1024) { break; }
    const { ms, status, err } = run(http);
    count++;
    if (err !== undefined) console.log(`ERR ${status} ${key} size ${http.body.length}: ${err}`);
    out.push({ key, ms, bytes: size, status, growth: before > 0 ? ms / before : 0 });
    if (ms > worstAt) { console.log(`SLOW ${ms.toFixed(0)} ms ${status} ${key} size ${http.body.length} growth ${(before > 0 ? ms / before : 0).toFixed(1)}`); break; }
    before = ms;
    if (status < 300 && (h.verb !== 'GET')) { session.reset(); prepare(); }
  }
}
console.log(count, 'requests');
for (const o of out.sort((a, b) => b.ms - a.ms).slice(0, 15)) console.log(o.ms.toFixed(0), o.status, o.key, o.bytes);
