/** A Job controller with a bug that no plain run shows: after a crash of its process it takes index 0 for done. */
import type { KindRegistry } from '../../src/apiserver/kinds/index.ts';
import { job } from '../../src/controlplane/controllers/job/controller.ts';
import type { Controller } from '../../src/controlplane/runtime/index.ts';
import { withMutant, writing } from './mutants.ts';

const INDEX_ZERO = /^.*-0-$/;

/** New for each cluster, as its processes are. */
export const forgetful = (kinds: KindRegistry): readonly Controller[] => {
  let starts = 0;
  const leavesOut = writing(job, (write) =>
    starts > 1 && write.op === 'create' && INDEX_ZERO.test(write.object.metadata.generateName ?? '') ? undefined : write,
  );
  return withMutant({
    ...leavesOut,
    start: () => {
      starts++;
      return undefined;
    },
  })(kinds);
};
