/** Faults of processes: crash, stop, restart and relist, perhaps with stale lists. */
import { isElected, oldRevision, planRestart } from './helpers.ts';
import type { Fault } from './fault.ts';
import {
  durationField,
  ifPossibleField,
  impossible,
  kindsField,
  kindsOf,
  milliseconds,
  planNotice,
  processField,
  subjectText,
} from './parameters.ts';

/** Crashes a process at once, or right after one of its next writes. */
export const crash: Fault = {
  name: 'crash',
  description: 'Kills a process: its caches, queues and memory are lost; its writes stay.',
  overlap: 'A process that is down does not crash again. A scheduled restart ends its own crash, and no later one.',
  subject: processField,
  parameters: {
    restartAfter: durationField('Restart after this long; absent: it stays down.'),
    afterWrites: { type: 'integer', minimum: 1, description: 'Crash right after so many more writes of its controllers, instead of now.' },
    ifPossible: ifPossibleField,
  },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const restartAfter = milliseconds(call, 'restartAfter');
    const left = call.parameters['afterWrites'];
    if (typeof left !== 'number') {
      if (isElected(cluster, name)) planNotice(cluster, name);
      if (!cluster.runtime.crash(name, causes)) return impossible(cluster, call, name);
      planRestart(cluster, name, restartAfter, causes);
      return { detail: `${name} crashed` };
    }
    if (cluster.runtime.process(name)?.up !== true) return impossible(cluster, call, name);
    let writes = 0;
    const lift = cluster.addFaults({
      describe: () => ['crash', name, left - writes, restartAfter],
      request({ by }) {
        if (by.process !== name || ++writes < left) return undefined;
        lift();
        planRestart(cluster, name, restartAfter, causes);
        return { crash: 'after' };
      },
    });
    return { detail: `${name} will crash right after write ${left} from here` };
  },
};

/** Stops a process with SIGTERM semantics, as a rolling update of its Deployment does. */
export const stop: Fault = {
  name: 'stop',
  description: 'Stops a process gracefully: a leading scheduler releases its lease first.',
  overlap: 'As with crash.',
  subject: processField,
  parameters: { restartAfter: durationField('Restart after this long; absent: it stays down.'), ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    if (isElected(cluster, name)) planNotice(cluster, name);
    if (!cluster.runtime.stop(name, causes)) return impossible(cluster, call, name);
    planRestart(cluster, name, milliseconds(call, 'restartAfter'), causes);
    return { detail: `${name} is told to stop` };
  },
};

export const restart: Fault = {
  name: 'restart',
  description: 'Starts a process that is down; with staleBy its first lists are that old, as from a lagging API server.',
  overlap: 'It starts a process that is down; restarts scheduled earlier then have no effect.',
  subject: processField,
  parameters: { staleBy: durationField('Age of the lists.'), ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    if (!cluster.runtime.restart(name, cluster.now, causes, oldRevision(cluster, milliseconds(call, 'staleBy'))))
      return impossible(cluster, call, name);
    return { detail: `${name} starts again` };
  },
};

export const relist: Fault = {
  name: 'relist',
  description: 'Makes a process relist, as after a broken watch; with staleBy its caches go back in time, and then catch up.',
  overlap: 'Each relists; the last list applies.',
  subject: processField,
  parameters: { staleBy: durationField('Age of the lists.'), kinds: kindsField, ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const revision = oldRevision(cluster, milliseconds(call, 'staleBy'));
    const kinds = kindsOf(call);
    const done =
      kinds === undefined
        ? cluster.runtime.relist(name, undefined, revision, causes)
        : [...kinds].every((kind) => cluster.runtime.relist(name, kind, revision, causes));
    return done
      ? { detail: `${name} lists again${revision === undefined ? '' : ` as of revision ${revision}`}` }
      : impossible(cluster, call, name);
  },
};
