import { describe, expect, it } from 'vitest';
import type { EventText } from '../../../src/controlplane/runtime/index.ts';
import { Correlator } from '../../../src/controlplane/runtime/event-correlator.ts';

const about = (name: string): EventText => ({
  about: { kind: 'Pod', metadata: { namespace: 'default', name, uid: `uid of ${name}` } },
  type: 'Normal',
  reason: 'Started',
  message: 'Started it',
});

describe('the cache of events', () => {
  const tellOthers = (correlator: Correlator, between: (i: number) => void): void => {
    for (let i = 0; i < 5_000; i++) {
      correlator.observe(about(`other-${i}`), 'Started it', 0, () => `other-${i}.1`);
      between(i);
    }
  };

  it('keeps recently used entries: an object with frequent events stays counted, however many others there are', () => {
    const correlator = new Correlator();
    const again = (i: number) => correlator.observe(about('web'), 'Started it', i, () => `web.${i}`);
    expect(again(0)).toMatchObject({ kind: 'create', sighting: { name: 'web.0', count: 1 } });
    let last;
    // No more than the burst, so that each is recorded.
    tellOthers(correlator, (i) => {
      if (i % 250 === 0) last = again(i);
    });
    expect(last).toMatchObject({ kind: 'count', sighting: { name: 'web.0', count: 21 } });
  });

  it('is bounded: an object without events among thousands of others is counted anew', () => {
    const correlator = new Correlator();
    correlator.observe(about('web'), 'Started it', 0, () => 'web.1');
    tellOthers(correlator, () => {});
    expect(correlator.observe(about('web'), 'Started it', 1, () => 'web.2')).toMatchObject({ kind: 'create', sighting: { name: 'web.2' } });
  });
});
