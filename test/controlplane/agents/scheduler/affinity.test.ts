/** Affinity and anti-affinity between pods: which nodes they refuse, and which they prefer. */
import { describe, expect, it } from 'vitest';
import { HOSTNAME, nodeWith, objectOf, podWith, scoresBy, verdicts, world, ZONE, type World } from './world.ts';

const NOT_NEAR = "unresolvable, InterPodAffinity: node(s) didn't match pod affinity rules";
const TOO_NEAR = "InterPodAffinity: node(s) didn't match pod anti-affinity rules";
const NOT_WANTED = "InterPodAffinity: node(s) didn't satisfy existing pods anti-affinity rules";

const selecting = (app: string) => ({ matchLabels: { app } });
const term = (app: string, topologyKey = ZONE, more: object = {}) => ({ topologyKey, labelSelector: selecting(app), ...more });
type Term = ReturnType<typeof term>;
const near = (...terms: readonly Term[]) => ({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } });
const apart = (...terms: readonly Term[]) => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } });
const wish = (side: 'podAffinity' | 'podAntiAffinity', weight: number, podAffinityTerm: Term) => ({
  [side]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] },
});
const wanting = (affinity: object, app = 'p', namespace = 'x') =>
  podWith('p', { labels: { app }, meta: { namespace }, spec: { affinity } });
const on = (name: string, nodeName: string, app: string, affinity: object = {}, namespace = 'x') =>
  podWith(name, { labels: { app }, meta: { namespace }, spec: { nodeName, affinity }, status: { phase: 'Running' } });

/** Two nodes in zone one, a node in zone two, and one without a zone. */
function zones(...pods: readonly ReturnType<typeof on>[]): World {
  const made = world();
  for (const name of ['x', 'y']) made.set(objectOf('Namespace', name, {}, { labels: { team: name } }));
  made.set(nodeWith('a1', { labels: { [ZONE]: 'one' } }), nodeWith('a2', { labels: { [ZONE]: 'one' } }));
  made.set(nodeWith('b', { labels: { [ZONE]: 'two' } }), nodeWith('none'), ...pods);
  return made;
}
/** Verdicts in the order a1, a2, b, none. */
const on4 = (a1: string, a2: string, b: string, none: string) => ({ a1, a2, b, none });
const fits = 'fits';

describe('required affinity', () => {
  it('is satisfied by one matching pod with the same value of the key', () => {
    const pods = zones(on('q', 'a1', 'q'));
    expect(verdicts(pods, wanting(near(term('q'))))).toEqual(on4(fits, fits, NOT_NEAR, NOT_NEAR));
    expect(verdicts(pods, wanting(near(term('q', HOSTNAME))))).toEqual(on4(fits, NOT_NEAR, NOT_NEAR, NOT_NEAR));
    expect(verdicts(pods, wanting(near(term('r'))))).toEqual(on4(NOT_NEAR, NOT_NEAR, NOT_NEAR, NOT_NEAR));
  });

  it('of several terms needs pods that match all of them', () => {
    const pods = zones(on('q', 'a1', 'q'), on('r', 'b', 'r'));
    expect(verdicts(pods, wanting(near(term('q'), term('r'))))).toEqual(on4(NOT_NEAR, NOT_NEAR, NOT_NEAR, NOT_NEAR));
    expect(verdicts(pods, wanting(near(term('q'), term('q', HOSTNAME))))).toEqual(on4(fits, NOT_NEAR, NOT_NEAR, NOT_NEAR));
  });

  it('lets the first pod of a group with itself run anywhere that has the key', () => {
    expect(verdicts(zones(), wanting(near(term('p'))))).toEqual(on4(fits, fits, fits, NOT_NEAR));
    expect(verdicts(zones(), wanting(near(term('p'), term('q'))))).toEqual(on4(NOT_NEAR, NOT_NEAR, NOT_NEAR, NOT_NEAR));
    expect(verdicts(zones(on('q', 'b', 'p')), wanting(near(term('p'))))).toEqual(on4(NOT_NEAR, NOT_NEAR, fits, NOT_NEAR));
  });

  it.each([
    ['the namespace of the pod', {}, 'x', true],
    ['not another', {}, 'y', false],
    ['listed namespaces', { namespaces: ['y', 'z'] }, 'x', true],
    ['not unlisted ones', { namespaces: ['z'] }, 'x', false],
    ['selected namespaces', { namespaceSelector: { matchLabels: { team: 'y' } } }, 'x', true],
    ['not others than selected ones', { namespaceSelector: { matchLabels: { team: 'x' } } }, 'x', false],
    ['all namespaces by the empty selector', { namespaceSelector: {} }, 'x', true],
    ['listed ones in addition to selected ones', { namespaceSelector: { matchLabels: { team: 'x' } }, namespaces: ['y'] }, 'x', true],
  ])('looks in %s', (_name, more, own, found) => {
    const pods = zones(on('q', 'a1', 'q', {}, own === 'x' && Object.keys(more).length > 0 ? 'y' : 'x'));
    const verdict = found ? fits : NOT_NEAR;
    expect(verdicts(pods, wanting(near(term('q', ZONE, more)), 'p', own))).toEqual(on4(verdict, verdict, NOT_NEAR, NOT_NEAR));
  });

  it('without a selector selects no pod', () => {
    const pods = zones(on('q', 'a1', 'q'));
    const nothing = { topologyKey: ZONE } as unknown as Term;
    expect(verdicts(pods, wanting(near(nothing)))).toEqual(on4(NOT_NEAR, NOT_NEAR, NOT_NEAR, NOT_NEAR));
  });
});

describe('required anti-affinity', () => {
  it('refuses the topology of a matching pod, and no node without the key', () => {
    const pods = zones(on('q', 'a1', 'q'), on('r', 'b', 'r'));
    expect(verdicts(pods, wanting(apart(term('q'))))).toEqual(on4(TOO_NEAR, TOO_NEAR, fits, fits));
    expect(verdicts(pods, wanting(apart(term('q', HOSTNAME), term('r'))))).toEqual(on4(TOO_NEAR, fits, TOO_NEAR, fits));
    expect(verdicts(pods, wanting(apart(term('s'))))).toEqual(on4(fits, fits, fits, fits));
  });

  it('of a pod on a node refuses the pods that it selects', () => {
    const pods = zones(on('q', 'a1', 'q', apart(term('p'))), on('r', 'b', 'r', apart(term('other'), term('p', HOSTNAME))));
    expect(verdicts(pods, podWith('p', { labels: { app: 'p' } }))).toEqual(on4(NOT_WANTED, NOT_WANTED, NOT_WANTED, fits));
    expect(verdicts(pods, podWith('p', { labels: { app: 'other' } }))).toEqual(on4(fits, fits, NOT_WANTED, fits));
    expect(verdicts(pods, podWith('p', { labels: { app: 'else' } }))).toEqual(on4(fits, fits, fits, fits));
    pods.drop('Pod', 'x/q');
    expect(verdicts(pods, podWith('p', { labels: { app: 'p' } }))).toEqual(on4(fits, fits, NOT_WANTED, fits));
  });

  it('is checked after the affinity, and before that of other pods', () => {
    const pods = zones(on('q', 'a1', 'q', apart(term('p'))));
    expect(verdicts(pods, wanting({ ...near(term('q')), ...apart(term('q', HOSTNAME)) }))).toEqual(
      on4(TOO_NEAR, NOT_WANTED, NOT_NEAR, NOT_NEAR),
    );
  });
});

describe('preferred affinity', () => {
  const by = (pods: World, affinity: object, app = 'p') => scoresBy(pods, 'InterPodAffinity', wanting(affinity, app));

  it('adds its weight for each matching pod, scaled from the least to the greatest', () => {
    const pods = zones(on('q', 'a1', 'q'), on('r', 'a2', 'q'), on('s', 'b', 'q'));
    expect(by(pods, wish('podAffinity', 7, term('q')))).toEqual({ a1: 200, a2: 200, b: 100, none: 0 });
    expect(by(pods, wish('podAntiAffinity', 7, term('q')))).toEqual({ a1: 0, a2: 0, b: 100, none: 200 });
    expect(by(pods, { ...wish('podAffinity', 10, term('q')), ...wish('podAntiAffinity', 5, term('q', HOSTNAME)) })).toEqual({
      // 20 − 5, 20 − 5, 10 − 5 and 0 − 0
      a1: 200,
      a2: 200,
      b: 2 * 33,
      none: 0,
    });
  });

  it('gives no score where no pod matches', () => {
    expect(by(zones(on('q', 'a1', 'q')), wish('podAffinity', 7, term('r')))).toEqual({ a1: 0, a2: 0, b: 0, none: 0 });
    expect(by(zones(), {})).toEqual({ a1: 0, a2: 0, b: 0, none: 0 });
  });

  it('of pods on nodes counts too, and their required affinity like a preferred one of weight one', () => {
    const pods = zones(
      on('q', 'a1', 'q', wish('podAffinity', 4, term('p', HOSTNAME))),
      on('r', 'b', 'r', near(term('p'))),
      on('s', 'none', 's', wish('podAntiAffinity', 4, term('p', HOSTNAME))),
    );
    // 4, 0, 1 and −4
    expect(by(pods, {})).toEqual({ a1: 200, a2: 100, b: 2 * 62, none: 0 });
    expect(by(pods, {}, 'else')).toEqual({ a1: 0, a2: 0, b: 0, none: 0 });
  });
});
