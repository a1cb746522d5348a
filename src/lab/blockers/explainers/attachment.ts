/** An attachment that is not attached or not detached yet: the last response of its driver, or that there is no driver. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { driverProcess } from '../../../controlplane/shared/index.ts';
import type { VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import type { Explainer, Situation } from '../contract.ts';
import { at, instantOf } from '../words.ts';
import { troubleOf } from '../processes.ts';

export const attachment: Explainer = {
  name: 'attachment',
  kinds: ['VolumeAttachment'],
  explain(object, situation) {
    if (!isOf('VolumeAttachment', object)) return [];
    const { detachError, attached } = object.status;
    // The finalizer is explained by the explainer of deletions.
    if (object.metadata.deletionTimestamp !== undefined)
      return detachError === undefined
        ? []
        : [{ text: `could not be detached from ${object.spec.nodeName}${errorText(detachError, situation)}` }];
    if (attached) return [];
    const { attacher, nodeName } = object.spec;
    const driver = situation.introspection.processes.find(({ name }) => name === driverProcess(attacher));
    const trouble = driver === undefined ? { text: 'there is no such driver (spec.cluster.storageDrivers)' } : troubleOf(situation, driver);
    const { attachError } = object.status;
    return [
      {
        text: `waits for driver ${attacher} to attach it to ${nodeName}${trouble === undefined ? errorText(attachError, situation) : `: ${trouble.text}`}`,
        ...(trouble?.until === undefined ? {} : { until: trouble.until }),
      },
    ];
  },
};

/** Returns the last failure that the driver reported, with its time. */
function errorText(error: VolumeAttachment['status']['attachError'], situation: Situation): string {
  if (error === undefined) return '';
  const when = instantOf(error.time);
  return `: its last attempt failed${when === undefined ? '' : ` at ${at(situation, when)}`}: ${error.message ?? 'the driver gave no message'}`;
}
