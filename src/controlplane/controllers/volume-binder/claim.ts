/**
 * Binds claims to volumes, or lets a driver provision one. Models: v1.24 pkg/controller/volume/persistentvolume syncClaim. Omits: in-tree
 * provisioners, expansion.
 */
import { type Names, namespacedName } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watchOnly, observing, record, watch, write } from '../../runtime/index.ts';
import type { Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import {
  candidatesFor,
  createCandidates,
  observeCandidates,
  bestMatch,
  mismatch,
  followPods,
  waitingFor,
  nextResync,
} from './candidates.ts';
import type { Candidates, WaitingPods } from './candidates.ts';
import { isBoundTo, mergePatch, storageClassOf } from '../../shared/index.ts';

interface State extends Candidates {
  readonly waiting: WaitingPods;
}
type Input = ReconcileInput<PersistentVolumeClaim, never, State>;

const setStatus = (claim: PersistentVolumeClaim, status: object): Write => mergePatch(claim, { status }, { subresource: 'status' });

/** The writes that bind: the volume first, so that after a crash in between the claim is bound to the same one. */
function bind(claim: PersistentVolumeClaim, volume: PersistentVolume, names: Names): readonly Write[] {
  const byController = names.key('pv', 'bound-by-controller');
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const writes: Write[] = [];
  if (volume.spec.claimRef?.uid !== uid) {
    const annotations = volume.spec.claimRef === undefined ? { annotations: { [byController]: 'yes' } } : {};
    const metadata = { resourceVersion: volume.metadata.resourceVersion, ...annotations };
    const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
    writes.push(mergePatch(volume, { metadata, spec: { claimRef } }));
  }
  if (claim.spec.volumeName !== volume.metadata.name || claim.metadata.annotations?.[names.key('pv', 'bind-completed')] === undefined) {
    const mine = claim.spec.volumeName === undefined ? { [byController]: 'yes' } : {};
    const metadata = { uid, annotations: { [names.key('pv', 'bind-completed')]: 'yes', ...mine } };
    writes.push(mergePatch(claim, { metadata, spec: { volumeName: volume.metadata.name } }));
  }
  const { accessModes, capacity } = volume.spec;
  if (claim.status.phase !== 'Bound') writes.push(setStatus(claim, { phase: 'Bound', accessModes, capacity }));
  return writes;
}

/** There is no volume to bind yet: the claim is reconciled at the next resync, or when a volume is added. */
const pending = (input: Input, why: string, ...writes: readonly Write[]): Outcome<never> => ({
  why,
  writes,
  wakeAt: input.now + nextResync(input.elapsed) - input.elapsed,
  background: true,
});

/** The recorder counts repeated events, so a resync may record one again. */
function seekVolume(input: Input): Outcome<never> {
  const { self: claim, cache, names } = input;
  const storage = cache.get('StorageClass', undefined, storageClassOf(claim, names));
  const delayed = storage?.volumeBindingMode === 'WaitForFirstConsumer';
  // In a class with delayed binding, the scheduler selects among the available volumes.
  const volume = bestMatch(candidatesFor(claim, input.state, cache, names, delayed), claim, names);
  if (volume !== undefined) return write(`volume ${volume.metadata.name} matches it`, ...bind(claim, volume, names));
  if (delayed && claim.metadata.annotations?.[names.key('volume', 'selected-node')] === undefined) {
    const { reason, message } = waitingFor(input.state.waiting.get(input.key));
    return pending(input, 'it is bound when its first pod has been scheduled', record(claim, 'Normal', reason, message));
  }
  const name = storageClassOf(claim, names);
  if (name === '') {
    const event = record(claim, 'Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
    return pending(input, 'no volume matches it and it has no StorageClass', event);
  }
  const failed = (why: string, message: string) => pending(input, why, record(claim, 'Warning', 'ProvisioningFailed', message));
  if (storage === undefined) return failed(`class ${name} does not exist`, `storageclass.${names.group('storage')} "${name}" not found`);
  if (storage.provisioner === names.key('', 'no-provisioner'))
    return failed('its class does not provision', `no volume plugin matched name: ${storage.provisioner}`);
  const [ga, beta] = [names.key('volume', 'storage-provisioner'), names.key('volume.beta', 'storage-provisioner')];
  const provisioning: Write[] =
    claim.metadata.annotations?.[ga] === storage.provisioner
      ? []
      : [mergePatch(claim, { metadata: { annotations: { [beta]: storage.provisioner, [ga]: storage.provisioner } } })];
  return write(
    `driver ${storage.provisioner} is to provision a volume`,
    ...provisioning,
    record(
      claim,
      'Normal',
      'ExternalProvisioning',
      `waiting for a volume to be created, either by external provisioner "${storage.provisioner}" or manually created by system administrator`,
    ),
  );
}

function takeNamed(input: Input, name: string): Outcome<never> {
  const { self: claim, cache, names } = input;
  const volume = cache.get('PersistentVolume', undefined, name);
  if (volume === undefined) return pending(input, `volume ${name} does not exist`);
  const warn = (why: string, reason: string, message: string) => pending(input, why, record(claim, 'Warning', reason, message));
  if (volume.spec.claimRef === undefined) {
    const wrong = mismatch(volume, claim, names);
    return wrong === undefined
      ? write(`volume ${name} is free`, ...bind(claim, volume, names))
      : warn(`volume ${name} does not match it: ${wrong}`, 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${wrong}`);
  }
  if (isBoundTo(volume, claim)) return write(`volume ${name} was provisioned for it`, ...bind(claim, volume, names));
  return warn(`volume ${name} belongs to another claim`, 'FailedBinding', `volume "${name}" already bound to a different claim.`);
}

function keepBound({ self: claim, cache, names }: Input, name: string): Outcome<never> {
  const volume = cache.get('PersistentVolume', undefined, name);
  const lost = (reason: string, message: string): Outcome<never> =>
    claim.status.phase === 'Lost'
      ? idle(message)
      : write(message, setStatus(claim, { phase: 'Lost', accessModes: null, capacity: null }), record(claim, 'Warning', reason, message));
  if (volume === undefined) return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  if (volume.spec.claimRef !== undefined && volume.spec.claimRef.uid !== claim.metadata.uid)
    return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
  const writes = bind(claim, volume, names);
  return writes.length === 0 ? idle('it is bound') : write('its binding is not complete', ...writes);
}

export const claimBinder = defineController<'PersistentVolumeClaim', never, State>({
  name: 'claim-binder',
  component: 'persistentvolume-controller',
  reconciles: 'PersistentVolumeClaim',
  writes: ['PersistentVolumeClaim', 'PersistentVolume'],
  models: 'v1.24 pkg/controller/volume/persistentvolume, claims. Omits: in-tree provisioners, expansion.',
  watches: [
    watch('PersistentVolume', ({ object: { spec } }) => (spec.claimRef === undefined ? undefined : namespacedName(spec.claimRef))),
    watch('StorageClass', watchOnly),
    watch('Pod', watchOnly, { predicate: { has: ['spec.volumes'] } }),
  ],
  start: () => ({ waiting: new Map(), ...createCandidates() }),
  observe: observing({
    PersistentVolume: (delta, { state, names }) => observeCandidates(state, delta, names),
    Pod: (delta, { state }) => followPods(state.waiting, delta),
  }),
  reconcile(input): Outcome<never> {
    const { self: claim, names } = input;
    const { volumeName } = claim.spec;
    if (claim.metadata.annotations?.[names.key('pv', 'bind-completed')] !== undefined && volumeName !== undefined)
      return keepBound(input, volumeName);
    if (claim.metadata.deletionTimestamp !== undefined) return idle('it is being deleted');
    return volumeName === undefined || volumeName === '' ? seekVolume(input) : takeNamed(input, volumeName);
  },
});
