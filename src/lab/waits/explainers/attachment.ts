/** An attachment that is not done: what its driver last said, or that there is none. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { driverProcess } from '../../../controlplane/shared/index.ts';
import type { Explainer } from '../contract.ts';
import { troubleOf } from '../processes.ts';

export const attachment: Explainer = {
  name: 'attachment',
  kinds: ['VolumeAttachment'],
  explain(object, situation) {
    if (!isOf('VolumeAttachment', object) || object.metadata.deletionTimestamp !== undefined || object.status.attached) return [];
    const { attacher, nodeName } = object.spec;
    const driver = situation.inside.processes.find(({ name }) => name === driverProcess(attacher));
    const trouble = driver === undefined ? { text: 'there is no such driver (spec.cluster.storageDrivers)' } : troubleOf(situation, driver);
    const said = object.status.attachError?.message;
    const why = trouble?.text ?? (said === undefined ? undefined : `it said: ${said}`);
    return [
      {
        text: `waits for driver ${attacher} to attach it to ${nodeName}${why === undefined ? '' : `: ${why}`}`,
        ...(trouble?.until === undefined ? {} : { until: trouble.until }),
      },
    ];
  },
};
