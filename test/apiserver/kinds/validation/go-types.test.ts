/** Values as Go prints them in errors. */
import { describe, expect, it } from 'vitest';
import { shown, shownField, shownQuantity } from '../../../../src/apiserver/validation/index.ts';
import { always, bool, field, int32, int64, intOrString, list, map, obj, ptr, quantity, req } from '../../../../src/schema/shape/index.ts';
import { type Schema, str, time } from '../../../../src/schema/shape/index.ts';

const syntax = (value: unknown, schema: Schema, group?: string): string => shown(value, schema, group).text;

describe('values in errors', () => {
  it('print structs as %#v does', () => {
    const driver = obj('CSINodeDriver', {
      name: req(str()),
      nodeID: req(str()),
      topologyKeys: always(list(str())),
      allocatable: obj('VolumeNodeResources', { count: ptr(int32) }),
    });
    expect(syntax({ name: 'a', nodeID: 'b' }, driver, 'storage')).toBe(
      'storage.CSINodeDriver{Name:"a", NodeID:"b", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}',
    );
    expect(syntax({ name: 'a', nodeID: 'b', topologyKeys: ['c'], allocatable: {} }, driver, 'storage')).toBe(
      'storage.CSINodeDriver{Name:"a", NodeID:"b", TopologyKeys:[]string{"c"}, Allocatable:(*storage.VolumeNodeResources)(0xc000000000)}',
    );
    expect(syntax({ b: '2', a: '1' }, map(str()))).toBe('map[string]string{"a":"1", "b":"2"}');
    expect(syntax(undefined, map(quantity, 'ResourceList'))).toBe('core.ResourceList(nil)');
    expect([syntax(undefined, bool), syntax([1], list(int32)), syntax([], list(int64))]).toEqual(['false', '[]int32{1}', '[]int64{}']);
  });

  it('print the fields of embedded structs inside them', () => {
    const volume = obj('Volume', { name: field(1, str()), nfs: field([2, 7], obj('NFS', {})), rbd: field([2, 11], obj('RBD', {})) });
    expect(syntax({ name: 'a', rbd: {} }, volume)).toBe(
      'core.Volume{Name:"a", VolumeSource:core.VolumeSource{NFS:(*core.NFS)(nil), RBD:(*core.RBD)(0xc000000000)}}',
    );
  });

  it('print what the recorded errors show of quantities, percentages and instants', () => {
    expect(syntax('1500m', quantity)).toBe(
      'resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}',
    );
    expect(syntax('1.5', quantity)).toBe(
      'resource.Quantity{i:resource.int64Amount{value:15, scale:-1}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:"DecimalSI"}',
    );
    expect(shownQuantity('1.2345').text).toBe(
      'resource.Quantity{i:resource.int64Amount{value:1235, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:"DecimalSI"}',
    );
    expect(syntax('101%', intOrString)).toBe('intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}');
    expect(syntax(5, intOrString)).toBe('intstr.IntOrString{Type:0, IntVal:5, StrVal:""}');
    expect(syntax(undefined, time)).toBe('time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)');
    expect(syntax('2024-03-01T10:02:03Z', time)).toBe('time.Date(2024, time.March, 1, 10, 2, 3, 0, time.Local)');
    expect(shownField({ at: '2024-03-01T10:02:03Z' }, 'at', time).text).toContain('time.March');
    expect(syntax({}, obj('X', { deletionTimestamp: ptr(time), at: always(time) }), 'v1')).toBe(
      'v1.X{DeletionTimestamp:<nil>, At:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)}',
    );
  });
});
