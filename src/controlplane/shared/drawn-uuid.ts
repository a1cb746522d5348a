/** A version 4 uuid of hexadecimal digits that are drawn. */
export const drawnUuid = (hex: (digits: number) => string): string =>
  `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'.charAt(Number.parseInt(hex(1), 16) % 4)}${hex(3)}-${hex(12)}`;
