/** Authorization and handlers use one parsed path: no spelling of a path, and no version of a kind, bypasses authorization. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rbacAccess } from '../../../../src/surfaces/http/index.ts';
import { setup, type Asked } from '../setup.ts';

const ROOT = { name: 'root', groups: ['system:masters', 'system:authenticated'] };
const EVE = { name: 'eve', groups: ['system:authenticated'] };
const tokens = new Map([
  ['root', ROOT],
  ['eve', EVE],
]);

const guarded = (): Asked => setup({}, (backend) => rbacAccess(backend, { tokens, anonymous: false }));
const as = (who: string, more: Readonly<Record<string, string>> = {}) => ({ authorization: `Bearer ${who}`, ...more });
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}

/** Gives eve the permissions of one rule, in one namespace or everywhere. */
async function allow({ ask }: Asked, rule: Rule, namespace?: string): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const at = namespace === undefined ? rbac : `${rbac}/namespaces/${namespace}`;
  const [role, binding] = namespace === undefined ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
  const send = async (kind: string, body: object): Promise<void> => {
    const { status } = await ask(
      'POST',
      `${at}/${kind.toLowerCase()}s`,
      { kind, apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'eve' }, ...body },
      as('root'),
    );
    expect(status).toBe(201);
  };
  await send(role ?? '', { rules: [rule] });
  await send(binding ?? '', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: 'eve' },
    subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
  });
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** Every resource of every version in discovery. */
async function servedBy({ ask }: Asked) {
  const groups = (await ask('GET', '/apis', undefined, as('root'))).json as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const roots = ['/api/v1', ...groups.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
  const found = [];
  for (const root of roots) {
    const { json } = await ask('GET', root, undefined, as('root'));
    for (const each of (json as ResourceList).resources) if (!each.name.includes('/')) found.push({ root, ...each });
  }
  return found;
}

const WORDS = [
  'namespaces',
  'vic',
  'other',
  'configmaps',
  'x',
  'watch',
  'proxy',
  'status',
  'finalize',
  'namespaces',
  '',
  '.',
  '..',
  'bindings',
];
/** Random paths of meaningful words, with slashes and escapes. */
const SPELT = fc
  .tuple(
    fc.constantFrom('/api/v1/', '/api/v1/', '/api/v1/watch/', '/api/v1/proxy/', '/apis/apps/v1/', '//api/v1/'),
    fc.oneof(
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
      // A valid path, possibly with one extra word.
      fc
        .tuple(fc.constantFrom('vic', 'other'), fc.boolean(), fc.nat(8), fc.constantFrom(...WORDS))
        .map(([namespace, one, at, word]) =>
          ['namespaces', namespace, 'configmaps', ...(one ? ['x'] : [])].flatMap((each, index) => (index === at ? [word, each] : [each])),
        ),
    ),
    fc.constantFrom('/', '/', '/', '%2f', '//'),
    fc.constantFrom('', '', '/', '%2F', '?watch=true', '?fieldSelector=metadata.name%3Dx', '?fieldSelector=metadata.namespace%3Dother'),
  )
  .map(([root, words, slash, end]) => `${root}${words.join(slash)}${end}`);

/** The content of a response, including the first part of a stream. */
async function shown({ ask, stream }: Asked, method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) {
  try {
    return await ask(method, path, body, headers);
  } catch {
    const { lines, close } = await stream(path, headers);
    close();
    return { text: JSON.stringify(lines()) };
  }
}

describe('access', () => {
  it('requires the create permission for an apply patch, in every served version', async () => {
    const it = guarded();
    await allow(it, { verbs: ['patch'], apiGroups: ['*'], resources: ['*'] });
    const patched = (await servedBy(it)).filter(({ verbs }) => verbs.includes('patch'));
    expect(patched.length).toBeGreaterThan(40);
    for (const { root, name, namespaced, kind } of patched) {
      const target = `${root}/${namespaced ? 'namespaces/default/' : ''}${name}/made-by-eve?fieldManager=eve`;
      const body = { apiVersion: root.replace(/^\/apis?\//, ''), kind, metadata: { name: 'made-by-eve' } };
      const { status, json } = await it.ask('PATCH', target, body, as('eve', APPLY));
      // A stub resource refuses the creation itself, so nothing is created.
      expect([403, 404, 405, 501], `${target}: ${status} ${JSON.stringify(json)}`).toContain(status);
      if (status !== 403) expect((await it.ask('PATCH', target, body, as('root', APPLY))).status, target).toBe(status);
    }
  });

  it('ignores a trailing slash, plain or encoded', async () => {
    const it = guarded();
    await it.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vic' } }, as('root'));
    await allow(it, { verbs: ['list', 'deletecollection', 'watch'], apiGroups: ['*'], resources: ['*'] }, 'vic');
    const bare = '/api/v1/namespaces/vic';
    for (const ending of ['', '/', '//', '%2f', '/%2F/']) {
      expect((await it.ask('GET', `${bare}${ending}`, undefined, as('eve'))).status, `GET ${ending}`).toBe(403);
      expect((await it.ask('DELETE', `${bare}${ending}`, undefined, as('eve'))).status, `DELETE ${ending}`).toBe(403);
      expect((await it.ask('GET', `${bare}/configmaps${ending}`, undefined, as('eve'))).status, `list ${ending}`).toBe(200);
      expect((await it.ask('GET', `/api/v1/configmaps${ending}`, undefined, as('eve'))).status, `list everywhere ${ending}`).toBe(403);
    }
    expect((await it.ask('GET', `${bare}/`, undefined, as('root'))).json).toMatchObject({ kind: 'Namespace', metadata: { name: 'vic' } });
  });

  it('is the same for a name with and without a slash, for every resource', async () => {
    const it = guarded();
    await allow(it, { verbs: ['list'], apiGroups: ['*'], resources: ['*'] });
    for (const { root, name, namespaced } of await servedBy(it)) {
      const one = `${root}/${namespaced ? 'namespaces/default/' : ''}${name}/x`;
      const [plain, slashed] = [await it.ask('GET', one, undefined, as('eve')), await it.ask('GET', `${one}/`, undefined, as('eve'))];
      expect({ status: slashed.status, json: slashed.json }, one).toEqual({ status: plain.status, json: plain.json });
    }
  });

  it('to one namespace shows and changes nothing outside it, in every spelling of a path', { timeout: 60_000 }, async () => {
    const it = guarded();
    const fill = async (name: string): Promise<void> => {
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { mark: `mark-of-${name}` } };
      await it.ask('POST', `/api/v1/namespaces/${name}/configmaps`, map, as('root'));
    };
    for (const name of ['vic', 'other']) {
      await it.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, as('root'));
      await fill(name);
    }
    await allow(it, { verbs: ['*'], apiGroups: ['*'], resources: ['configmaps', 'configmaps/status', 'bindings'] }, 'vic');
    const outside = (): string => {
      const kinds = [...it.backend.kinds.list()].flatMap(({ kind }) => [...it.store.values(kind)]);
      return JSON.stringify(kinds.filter(({ metadata }) => metadata.namespace !== 'vic' && metadata.name !== 'vic'));
    };
    const before = outside();
    let { revision } = it.store;
    let [tried, seen, changed] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(SPELT, fc.constantFrom('GET', 'GET', 'DELETE', 'PATCH', 'PUT', 'POST'), async (path, method) => {
        const body =
          method === 'GET'
            ? undefined
            : { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { by: String(tried++), mark: 'mark-of-vic' } };
        const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
        const { text } = await shown(it, method, path, body, as('eve', type));
        expect(text).not.toContain('mark-of-other');
        if (text.includes('mark-of-vic')) seen++;
        if (it.store.revision === revision) return;
        changed++;
        expect(outside()).toBe(before);
        await fill('vic');
        ({ revision } = it.store);
      }),
      { seed: 24, numRuns: 4000 },
    );
    // Without accepted requests the test would show nothing.
    expect(Math.min(seen, changed)).toBeGreaterThan(20);
  });

  it('reads a path of slashes in linear time', { timeout: 5000 }, async () => {
    const { ask } = setup();
    expect((await ask('GET', `/api/v1/${'/'.repeat(100_000)}x`)).status).toBe(404);
  });
});
