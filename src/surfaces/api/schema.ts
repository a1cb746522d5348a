/** The parts of a kind's schema: field types, the members that all kinds share, table columns, validation errors. */
export {
  any,
  atomicList,
  bool,
  def,
  filled,
  int32,
  int64,
  intOrString,
  list,
  map,
  mapList,
  obj,
  ptr,
  quantity,
  req,
  setList,
  str,
  time,
} from '../../schema/shape/index.ts';
export { ageColumn, duplicate, forbidden, invalid, nameColumn, notSupported, required, typeMeta } from '../../apiserver/machinery/index.ts';
