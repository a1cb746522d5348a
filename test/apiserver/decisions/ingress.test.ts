import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backendFor, type BackendDecision, type IngressRequest, type IngressView } from '../../../src/apiserver/decisions/index.ts';
import type { Ingress } from '../../../src/apiserver/kinds/index.ts';
import { names, stored } from './objects.ts';

const to = (name: string) => ({ service: { name, port: { number: 80 } } });
const path = (at: string, pathType: string, name = `${pathType.toLowerCase()}${at.replaceAll('/', '-')}`) => ({
  path: at,
  pathType,
  backend: to(name),
});
const rule = (host: string | undefined, ...paths: readonly object[]) => ({ ...(host === undefined ? {} : { host }), http: { paths } });
const ingress = (name: string, spec: object, meta: object = {}): Ingress =>
  stored('Ingress', name, { spec: { ingressClassName: 'a', ...spec } }, { ...meta });
const classes = [
  stored('IngressClass', 'a', { spec: { controller: 'x.io/a' } }),
  stored('IngressClass', 'b', { spec: { controller: 'x.io/b' } }),
];
const ask = (ingresses: readonly Ingress[], request: Partial<IngressRequest> = {}, view: Partial<IngressView> = {}): BackendDecision =>
  backendFor({ host: 'h.io', path: '/', ...request }, { ingresses, classes, names, ...view });
const goesTo = (...args: Parameters<typeof ask>): string | undefined => ask(...args).backend;

describe('paths', () => {
  it.each<[string, string, string, boolean]>([
    ['Prefix', '/', '/any/thing', true],
    ['Exact', '/foo', '/foo', true],
    ['Exact', '/foo', '/bar', false],
    ['Exact', '/foo', '/foo/', false],
    ['Exact', '/foo/', '/foo', false],
    ['Exact', '/foo', '/Foo', false],
    ['Prefix', '/foo', '/foo', true],
    ['Prefix', '/foo', '/foo/', true],
    ['Prefix', '/foo/', '/foo', true],
    ['Prefix', '/foo/', '/foo/', true],
    ['Prefix', '/foo/bar', '/foo/bar/baz', true],
    ['Prefix', '/foo/bar', '/foo/barbaz', false],
    ['Prefix', '/aaa/bb', '/aaa/bbb', false],
    ['Prefix', '/aaa/bbb/', '/aaa/bbb', true],
    ['Prefix', '/foo', '/', false],
    ['Prefix', '/foo', '/foo?x=/bar', true],
    ['ImplementationSpecific', '/foo', '/foo/bar', true],
    ['ImplementationSpecific', '', '/anything', true],
  ])('%s %s against %s: %s', (pathType, at, request, matches) => {
    expect(
      goesTo([ingress('i', { rules: [rule(undefined, path(at, pathType, 'yes'))], defaultBackend: to('no') })], { path: request }),
    ).toBe(matches ? 'yes:80' : 'no:80');
  });

  it('the longest wins, Exact before Prefix, in any order', () => {
    const paths = [path('/', 'Prefix'), path('/a', 'Prefix'), path('/a', 'Exact'), path('/a/b', 'Prefix')];
    for (const order of [paths, paths.toReversed()]) {
      const all = [ingress('i', { rules: [rule(undefined, ...order)] })];
      expect(['/', '/a', '/a/', '/a/b', '/a/bc'].map((asked) => goesTo(all, { path: asked }))).toEqual([
        'prefix-:80',
        'exact-a:80',
        'prefix-a:80',
        'prefix-a-b:80',
        'prefix-a:80',
      ]);
    }
  });

  it('of type ImplementationSpecific have the meaning of their class', () => {
    const all = [ingress('i', { rules: [rule(undefined, path('/a', 'ImplementationSpecific', 'own'))] })];
    expect([
      goesTo(all, { path: '/a/b' }),
      goesTo(all, { path: '/a/b' }, { implementationSpecific: 'Exact' }),
      goesTo(all, { path: '/a' }, { implementationSpecific: 'Exact' }),
    ]).toEqual(['own:80', undefined, 'own:80']);
  });

  it('match as a prefix, and a longer rule never loses to a shorter one', () => {
    const part = fc.constantFrom('a', 'b', 'ab');
    const at = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.uniqueArray(at, { minLength: 1, maxLength: 4 }), at, (rules, asked) => {
        const all = [ingress('i', { rules: [rule(undefined, ...rules.map((one) => path(one, 'Prefix', `s${one}`)))] })];
        const below = (one: string): boolean => one === '/' || asked === one || asked.startsWith(`${one}/`);
        const best = rules.filter(below).toSorted((a, b) => b.length - a.length)[0];
        return goesTo(all, { path: asked }) === (best === undefined ? undefined : `s${best}:80`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('hosts', () => {
  it.each<[string | undefined, string, boolean]>([
    ['foo.io', 'foo.io', true],
    ['foo.io', 'bar.foo.io', false],
    ['foo.io', 'FOO.io:8443', true],
    ['*.foo.io', 'bar.foo.io', true],
    ['*.foo.io', 'baz.bar.foo.io', false],
    ['*.foo.io', 'foo.io', false],
    ['*.foo.io', '.foo.io', false],
    [undefined, 'any.io', true],
  ])('%s against %s: %s', (host, asked, matches) => {
    expect(goesTo([ingress('i', { rules: [rule(host, path('/', 'Prefix', 'yes'))] })], { host: asked })).toBe(
      matches ? 'yes:80' : undefined,
    );
  });

  it('the most precise wins over a longer path; where its paths do not match, others may', () => {
    const all = [
      ingress('i', {
        rules: [
          rule(undefined, path('/a/b', 'Prefix', 'any')),
          rule('*.foo.io', path('/a', 'Prefix', 'star')),
          rule('x.foo.io', path('/a', 'Prefix', 'exact')),
        ],
      }),
    ];
    expect(['x.foo.io', 'y.foo.io', 'foo.io'].map((host) => goesTo(all, { host, path: '/a/b' }))).toEqual([
      'exact:80',
      'star:80',
      'any:80',
    ]);
    expect(
      goesTo([ingress('j', { rules: [rule('x.foo.io', path('/z', 'Prefix', 'exact')), rule(undefined, path('/', 'Prefix', 'any'))] })], {
        host: 'x.foo.io',
      }),
    ).toBe('any:80');
  });
});

describe('backends', () => {
  it('are named by service and port, by number or name, or are resources', () => {
    expect(goesTo([ingress('i', { defaultBackend: { service: { name: 's', port: { name: 'http' } } } })])).toBe('s:http');
    expect(goesTo([ingress('i', { defaultBackend: { resource: { kind: 'Bucket', name: 'b' } } })])).toBe('Bucket/b');
    expect(ask([ingress('shop/i', { defaultBackend: to('s') })])).toEqual({
      backend: 's:80',
      namespace: 'shop',
      by: 'shop/i',
      why: 'no rule matches h.io/; Ingress shop/i has a default backend',
    });
  });

  it('by default get requests without a matching rule; those of an Ingress with the host first', () => {
    const plain = ingress('plain', { defaultBackend: to('plain') });
    const named = ingress('named', { defaultBackend: to('named'), rules: [rule('h.io', path('/x', 'Exact', 'x')), { host: 'empty.io' }] });
    expect([
      goesTo([plain, named]),
      goesTo([plain, named], { host: 'else.io' }),
      goesTo([plain, named], { path: '/x' }),
      goesTo([plain, named], { host: 'empty.io' }),
    ]).toEqual(['named:80', 'plain:80', 'x:80', 'named:80']);
  });

  it('are undefined without a rule or default', () => {
    expect(ask([ingress('i', { rules: [rule('h.io', path('/x', 'Exact'))] })]).why).toBe(
      'no rule matches h.io/, and no Ingress has a default backend: it is up to the implementation',
    );
    expect(ask([]).why).toBe('there is no Ingress');
  });

  it('of the older Ingress win a tie', () => {
    const [first, second] = ['first', 'second'].map((name) => ingress(name, { rules: [rule('h.io', path('/', 'Prefix', name))] }));
    expect(first === undefined || second === undefined ? [] : [goesTo([first, second]), goesTo([second, first])]).toEqual([
      'first:80',
      'first:80',
    ]);
  });
});

describe('classes', () => {
  const legacy = (name: string, className: string) =>
    stored('Ingress', name, { spec: { defaultBackend: to(name) } }, { annotations: { 'orch.io/ingress.class': className } });
  it('by the annotation before the field; the annotation needs no IngressClass', () => {
    const both = stored(
      'Ingress',
      'both',
      { spec: { ingressClassName: 'a', defaultBackend: to('both') } },
      { annotations: { 'orch.io/ingress.class': 'b' } },
    );
    expect([goesTo([both], {}, { class: 'b' }), goesTo([both], {}, { class: 'a' })]).toEqual(['both:80', undefined]);
    expect(goesTo([legacy('old', 'nginx')])).toBe('old:80');
  });

  it('that do not exist leave an Ingress unserved', () => {
    const without = stored('Ingress', 'without', { spec: { defaultBackend: to('s') } });
    expect(ask([without]).why).toBe('Ingress default/without has no class, so no implementation serves it');
    expect(ask([ingress('lost', { ingressClassName: 'zzz', defaultBackend: to('s') })]).why).toBe(
      'Ingress default/lost is of class zzz, and there is no IngressClass of that name',
    );
    expect(goesTo([without, ingress('i', { defaultBackend: to('i') })])).toBe('i:80');
  });

  it('do not mix', () => {
    const two = [ingress('i', { defaultBackend: to('i') }), ingress('j', { ingressClassName: 'b', defaultBackend: to('j') })];
    expect(ask(two).why).toBe('several classes are in use (a, b): the class is required');
    expect([goesTo(two, {}, { class: 'a' }), goesTo(two, {}, { class: 'b' })]).toEqual(['i:80', 'j:80']);
    expect(ask(two, {}, { class: 'c' }).why).toBe('no Ingress is of class c; default/i is of class a');
  });
});

describe('TLS', () => {
  const secured = ingress('secured', {
    tls: [{ hosts: ['*.foo.io'], secretName: 'wild' }, { hosts: ['x.foo.io', 'y.io'], secretName: 'exact' }, { hosts: ['pass.io'] }],
    rules: [
      rule('x.foo.io', path('/', 'Prefix', 'x')),
      rule('y.io', path('/', 'Prefix', 'y')),
      rule('pass.io', path('/', 'Prefix', 'pass')),
    ],
  });
  const shown = (request: Partial<IngressRequest>, all = [secured]) => {
    const { backend, tls } = ask(all, { tls: true, ...request });
    return [backend, tls?.secret];
  };

  it('is terminated with the secret for the SNI name, the most precise first', () => {
    expect(shown({ host: 'x.foo.io' })).toEqual(['x:80', 'exact']);
    expect(shown({ host: 'y.io', sni: 'z.foo.io' })).toEqual(['y:80', 'wild']);
  });

  it('routes by the Host header when the two differ', () => {
    expect(shown({ host: 'x.foo.io', sni: 'y.io' })).toEqual(['x:80', 'exact']);
  });

  it('without a secret routes by the SNI name only', () => {
    expect(shown({ host: 'x.foo.io', sni: 'pass.io' })).toEqual(['pass:80', undefined]);
  });

  it('of an entry without hosts matches any name', () => {
    const any = ingress('any', { tls: [{ secretName: 'any' }], defaultBackend: to('s') });
    expect(shown({ host: 'q.io' }, [any])).toEqual(['s:80', 'any']);
  });

  it('is not terminated without an entry for the name', () => {
    expect(ask([secured], { tls: true, host: 'q.io' }).why).toBe('no TLS entry matches q.io');
    expect(ask([ingress('i', { defaultBackend: to('s') })], { tls: true }).why).toBe('no Ingress has a TLS entry: port 443 is not open');
    expect(goesTo([secured], { host: 'y.io' })).toBe('y:80');
  });
});
