/**
 * Addresses, IP families and node ports of services: requested values are checked against the allocated ones, and missing values are
 * allocated. It runs before the validation of the kind, because upstream allocates first. Models: v1.24 pkg/registry/core/service/storage
 * storage.go beginCreate, beginUpdate; alloc.go. Simplified: one family, addresses in order.
 */
import { isHeadless, isOf, needsAddress, type Service, type ServicePort, type ServiceSpec, shownAddresses } from '../../kinds/index.ts';
import { parseIp } from '../../../schema/values/index.ts';
import { castDraft, type Draft, currentOf } from '../../machinery/index.ts';
import { inOrder, internalError, invalid } from '../../request/index.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { ADDRESS_RANGE, UNTAKEN_ADDRESS, inAddressRange, Allocations, portsFor } from './allocations.ts';
import { familiesOf, withOmittedValues } from './derived-spec.ts';

export { FIRST_ADDRESS } from './allocations.ts';

export const serviceAddresses: AdmissionPlugin = {
  name: 'ServiceAddresses',
  verbs: ['create', 'update'],
  kinds: ['Service'],
  fills: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'nodePort', 'healthCheckNodePort'],
  mutateWithoutStore(draft) {
    const service = draft as Draft<Service>;
    service.spec = castDraft(withOmittedValues(currentOf<ServiceSpec>(service.spec), undefined));
  },
  mutate(scope, { resource, name, dryRun }, draft, old) {
    const service = draft as Draft<Service>;
    const written = currentOf<ServiceSpec>(service.spec);
    const before = isOf('Service', old) ? old.spec : undefined;
    const refuse = (...errors: Parameters<typeof invalid>[2]): Error => invalid(resource, name, errors);
    const shape = resource.kind.schema.fields['spec'];
    const allocations = (scope.kept.allocations ??= new Allocations(scope.store));
    let spec = withOmittedValues(written, before);
    if (needsAddress(spec)) {
      const found = familiesOf(spec, before);
      if (found.errors !== undefined) throw refuse(...found.errors);
      const asked = { ...spec, ...found.families };
      spec = asked;
      // Only a service without an address gets one; the validation of the kind refuses a change of it.
      if ((before === undefined || !needsAddress(before)) && !isHeadless(asked))
        spec = {
          ...asked,
          ...addressFor(asked, { allocations, dryRun, sparesLow: scope.gates['ServiceIPStaticSubrange'] === true }, (detail) =>
            refuse({ type: 'Invalid', field: 'spec.clusterIPs', value: shownAddresses(asked.clusterIPs), detail }),
          ),
        };
    }
    spec = { ...spec, ...portsFor(spec, before, { allocations, dryRun, refuse }) };
    service.spec = castDraft(inOrder(shape, { ...spec, ...tidyPorts(shape, spec.ports) }));
  },
};

function addressFor(
  { clusterIP = '', clusterIPs = [] }: ServiceSpec,
  { allocations, dryRun, sparesLow }: { readonly allocations: Allocations; readonly dryRun: boolean; readonly sparesLow: boolean },
  refuse: (detail: string) => Error,
): Pick<ServiceSpec, 'clusterIP' | 'clusterIPs'> {
  if (clusterIP === '') {
    const address = dryRun ? UNTAKEN_ADDRESS : allocations.address(sparesLow);
    if (address === undefined) throw internalError('failed to allocate a serviceIP: range is full');
    return { clusterIP: address, clusterIPs: [address] };
  }
  const ip = parseIp(clusterIP);
  if (ip === undefined || !inAddressRange(ip))
    throw refuse(
      `failed to allocate IP ${clusterIP}: the provided IP (${clusterIP}) is not in the valid range. The range of valid IPs is ${ADDRESS_RANGE}`,
    );
  // A dry run does not check whether the address is free.
  if (!dryRun && allocations.hasAddress(clusterIP)) throw refuse(`failed to allocate IP ${clusterIP}: provided IP is already allocated`);
  return { clusterIP, clusterIPs };
}

/** Returns the ports with their node ports, with members in published order. */
function tidyPorts(shape: Parameters<typeof inOrder>[0], ports: readonly ServicePort[] | undefined): Pick<ServiceSpec, 'ports'> {
  const list = shape?.type === 'object' ? shape.fields['ports'] : undefined;
  return ports === undefined || list?.type !== 'list' ? {} : { ports: ports.map((port) => inOrder(list.items, port)) };
}
