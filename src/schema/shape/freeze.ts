/** Freezes a plain value all the way down; what is frozen already is taken to be frozen below as well. Returns its argument. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freezeAll(value);
  return value;
}

/** Most members are texts: no call for these. */
function freezeAll(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) deepFreeze<unknown>(value[at]);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) freezeAll(member);
  }
}
