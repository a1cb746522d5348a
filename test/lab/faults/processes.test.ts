/** Faults of processes, applied to a small cluster, and what a fault says that cannot be applied. */
import { describe, expect, it } from 'vitest';
import { faults } from '../../../src/lab/faults/index.ts';
import { about, world } from '../../controlplane/runtime/config-maps.ts';
import { MANAGER, start } from './small-cluster.ts';

describe('a process', () => {
  it('crashes, stops, comes back when it should, and says when it cannot', () => {
    const { cluster, apply, pass } = start();
    const up = (): boolean | undefined => cluster.runtime.process(MANAGER)?.up;
    const says: unknown[] = [
      apply('restart', MANAGER),
      apply('restart', MANAGER, { ifPossible: true }),
      apply('crash', MANAGER, { restartAfter: 50 }),
      up(),
    ];
    pass(49);
    says.push(up());
    pass(1);
    says.push(
      up(),
      apply('stop', MANAGER),
      up(),
      apply('stop', MANAGER),
      apply('crash', MANAGER, { afterWrites: 1 }),
      apply('crash', MANAGER, { ifPossible: true }),
    );
    says.push(apply('relist', MANAGER), apply('restart', MANAGER));
    pass(0);
    says.push(up(), apply('relist', MANAGER), apply('relist', MANAGER, { staleBy: 90, kinds: ['ConfigMap'] }));
    expect(says).toEqual([
      `error: ${MANAGER} is up already: restart needs it down (ifPossible: true allows that)`,
      `nothing happens: ${MANAGER} is up already`,
      `${MANAGER} crashed`,
      false,
      false,
      true,
      `${MANAGER} is told to stop`,
      false,
      `error: ${MANAGER} is down already: stop needs it up (ifPossible: true allows that)`,
      `error: ${MANAGER} is down already: crash needs it up (ifPossible: true allows that)`,
      `nothing happens: ${MANAGER} is down already`,
      `error: ${MANAGER} is down already: relist needs it up (ifPossible: true allows that)`,
      `${MANAGER} starts again`,
      true,
      `${MANAGER} lists again`,
      `${MANAGER} lists again as of revision ${cluster.store.revisionAt(cluster.now - 90)}`,
    ]);
  });

  it('is not restarted by the plan of an earlier crash', () => {
    const { cluster, apply, pass } = start();
    apply('crash', MANAGER, { restartAfter: 50 });
    apply('restart', MANAGER);
    pass(0);
    apply('crash', MANAGER);
    pass(50);
    expect(cluster.runtime.process(MANAGER)?.up).toBe(false);
  });

  it('starts with lists of the past, and sees nothing newer for a while', () => {
    const { cluster, apply, pass, set, cached, rules } = start();
    pass(1_000);
    set('c', 'new');
    apply('crash', MANAGER);
    expect(apply('restart', MANAGER, { staleBy: 1_000, frozen: 300 })).toBe(`${MANAGER} starts again`);
    pass(299);
    expect([cached('c')?.data, rules()]).toEqual([
      undefined,
      [[{ process: MANAGER, says: 'sees nothing new', until: cluster.now + 1 }, ['freeze', MANAGER, cluster.now + 1]]],
    ]);
    pass(100);
    expect([cached('c')?.data, rules()]).toEqual([{ value: 'new' }, []]);
    apply('crash', MANAGER);
    expect(apply('restart', MANAGER, { asOf: 'before ConfigMap default/c spec #1' })).toBe(`${MANAGER} starts again`);
    pass(0);
    expect(cached('c')?.data).toBeUndefined();
    apply('crash', MANAGER);
    expect(apply('restart', MANAGER, { asOf: 'after ConfigMap default/c gone #1' })).toBe(
      'error: ConfigMap default/c gone #1 has not happened; there is: ConfigMap default/c created #1, ConfigMap default/c spec #1',
    );
    expect(apply('restart', MANAGER, { asOf: 'after Secret default/x gone #1' })).toBe(
      'error: Secret default/x gone #1 has not happened; nothing has happened to Secret default/x',
    );
  });

  it('has a wrong clock, ahead or behind', () => {
    const { cluster, apply } = start();
    const skew = (): number | undefined => cluster.runtime.process(MANAGER)?.skewMs;
    expect([apply('skew', MANAGER, { by: 5 }), skew(), apply('skew', MANAGER, { by: 7, behind: true }), skew()]).toEqual([
      `the clock of ${MANAGER} is 5 ms ahead`,
      5,
      `the clock of ${MANAGER} is 7 ms behind`,
      -7,
    ]);
    expect(apply('configure', MANAGER, { flags: ['--x'] })).toBe(
      `error: ${MANAGER} has neither a file nor flags: agents and schedulers have`,
    );
  });
});

it('a fault names what there is', () => {
  const { cluster, apply } = start();
  const names = cluster.runtime.names().join(', ');
  expect([
    apply('lag', 'controler-manager', { by: 1 }),
    apply('crash', 'nothing'),
    apply('pause', 'kubect', { for: 1 }),
    apply('pause', MANAGER, { for: 1 }),
    apply('nodeDown', 'x'),
    apply('freeze', MANAGER, { revision: 1 }),
    apply('freeze', MANAGER, { staleBy: 1, kinds: [] }),
    apply('freeze', 'kubectl', { revision: 999 }),
    apply('closeWatches', 'kubectl'),
    apply('closeWatches', 'kubectl', { code: 410 }),
  ]).toEqual([
    `error: there is no process controler-manager; did you mean "${MANAGER}"?; there are ${names}`,
    `error: there is no process nothing; there are ${names}`,
    'error: there is no client kubect; did you mean "kubectl"?; there are kubectl, operator',
    `error: there is no client ${MANAGER}; there are kubectl, operator`,
    `error: there is no process agent/x; there are ${names}`,
    `error: freeze: revision is for a client, and ${MANAGER} is a process of the cluster`,
    `error: freeze: staleBy, kinds are for a client, and ${MANAGER} is a process of the cluster`,
    `error: freeze: revision 999 is not written yet: the last is ${cluster.store.revision}`,
    'the watches of kubectl are cut',
    'the watches of kubectl are closed with 410',
  ]);
  cluster.compact(cluster.store.revision);
  expect(apply('freeze', 'kubectl', { revision: 1 })).toBe(
    `error: freeze: revision 1 is compacted: the oldest that is kept is ${cluster.store.revision}`,
  );
  const { cluster: alone } = world(about());
  const pause = faults.find(({ name }) => name === 'pause');
  expect(pause?.apply(alone, { name: 'pause', subject: 'x', parameters: {} }, [])).toEqual({
    error: 'there is no client x; the scenario has none: spec.clients names them',
  });
});
