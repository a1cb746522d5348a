/** Processes that die, come back, and read old lists when they do. */
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

/** Kills a process at once, or right after one of its next writes. */
export const crash: Fault = {
  name: 'crash',
  description: 'Kills a process: its caches, queues and memory are lost; what it had written stays.',
  overlap: 'A process that is down does not crash again. A planned restart ends the crash that it was planned with, and no later one.',
  subject: processField,
  parameters: {
    restartAfter: durationField('Back after this long; absent: it stays down.'),
    afterWrites: { type: 'integer', minimum: 1, description: 'Not now, but right after so many further writes of its controllers.' },
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

/** Tells a process to end, as a deployment does that replaces it. */
export const stop: Fault = {
  name: 'stop',
  description: 'Shuts a process down gracefully: a leading scheduler releases its lease first.',
  overlap: 'As with crash.',
  subject: processField,
  parameters: { restartAfter: durationField('Back after this long; absent: it stays down.'), ifPossible: ifPossibleField },
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
  overlap: 'It starts whatever is down; restarts that were planned before then start nothing.',
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
  description:
    'Makes a process list again, as after a broken watch; with staleBy the lists are that old, and later events bring the cache up to date.',
  overlap: 'Each lists by itself; the last list counts.',
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
